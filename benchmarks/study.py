"""The whole study of a web's pages, from their texts to the tables of a finished run: words per CPU second and memory.

`python benchmarks/study.py [FOLDER] [--pages N] [--bad]`: FOLDER holds pages (.html, .htm, .txt), by default those of the test
web beside this checkout (`shared/bench/testweb/site`, made by its `gen.py`); without it a text is made up. A quarter, a half
and all of N pages are studied, each number in a process of its own, and its tables are made in another one, as in a run, where
the readers study and who started them makes the tables; the memory of both is told. Reading and cleaning pages is not counted.
--bad measures bad texts of 1, 5 and 10 MB instead: time must grow as they do.

languages   which language each block is in             tag       lemma and category of each word in its context
cut         tokens and sentences                        unknown   words that nobody lists, with their kinds
count       words, growth, richness, readability        columns   the store's columns and JSON lines of each batch
sign        the fingerprint that finds copies           tables    copies, the corpus in one file, all tables as Parquet
index       the search index, which a run makes too: told apart, and only counted where it says so
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.clean.read import read
from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline import completion
from trasmallo.pipeline.analysis import document
from trasmallo.pipeline.staleness import start_run
from trasmallo.store import run_folders
from trasmallo.store.parts import write_part
from trasmallo.store.tokens import Builder, DocumentTokens
from trasmallo.study import stop_lists
from trasmallo.study.document_measures import WordOptions, study_cut
from trasmallo.study.morphology import prepare, tag_cut
from trasmallo.study.multilingual import MultilingualText
from trasmallo.study.neologisms import unrecognised_in
from trasmallo.study.sentences import cut
from trasmallo.values.free_memory import calm_collector
from trasmallo.values.model import Document, Fetch, Outcome, Page

BATCH = 50
BAR = 100_000
INDEX = "index"
STAGES: dict[str, tuple[Any, str]] = {
    "languages": (document, "stretches"),
    "cut": (document, "cut_stretches"),
    "count": (document, "study_cut"),
    "tag": (MultilingualText, "tag"),
    "unknown": (document, "_unknown"),
    "sign": (document, "sign"),
    INDEX: (completion, "build_index"),
}
"""Who does the work of each stage."""


def web_folder() -> Path:
    """Where the test web is looked for."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("TRASMALLO_SHARED", beside)) / "bench" / "testweb" / "site"


def clocked(spent: dict[str, float]) -> None:
    """Count the CPU seconds of each stage from now on."""
    for stage, (owner, name) in STAGES.items():
        setattr(owner, name, _timed(getattr(owner, name), stage, spent))


def _timed(work: Callable[..., Any], stage: str, spent: dict[str, float]) -> Callable[..., Any]:
    def run(*given: Any) -> Any:
        began = time.process_time()
        try:
            return work(*given)
        finally:
            spent[stage] += time.process_time() - began

    return run


def made_up(number: int) -> str:
    """A page of some 400 words whose frequencies fall as in a real text."""
    chance = random.Random(number)
    syllables = ["ca", "sa", "ción", "men", "te", "ra", "do", "pre", "lu", "ñi", "vé", "tro"]
    common = sorted(stop_lists.standard("es").words)
    words = [
        chance.choice(common) if chance.random() < 0.5 else "".join(chance.choices(syllables, k=chance.randint(1, 3)))
        for _ in range(400)
    ]
    lines = (" ".join(words[at : at + 50]) + "." for at in range(0, 400, 50))
    return "<html lang=es><body>" + "".join(f"<p>{line}</p>" for line in lines) + "</body></html>"


def pages(folder: str, number: int) -> Iterator[tuple[str, bytes]]:
    """Addresses and contents of so many pages."""
    if not folder:
        yield from ((f"http://a{at % 40}.test/{at}.html", made_up(at).encode()) for at in range(number))
        return
    found = sorted(path for path in Path(folder).rglob("*") if path.suffix in (".html", ".htm", ".txt"))
    # Evenly over the folder, so that all hosts are among the first ones.
    for at in range(0, len(found), max(len(found) // number, 1))[:number] if found else ():
        yield f"http://{found[at].relative_to(folder).as_posix()}", found[at].read_bytes()


def study(folder: str, number: int, place: str) -> dict[str, Any]:
    """Study pages as the worker processes of a run do, for a run in the folder `place`; CPU seconds by stage."""
    prepare("es")
    calm_collector()
    spent: dict[str, float] = defaultdict(float)
    clocked(spent)
    words = documents = 0
    run = start_run(Path(place), Config(), "crawl", "trasmallo/bench")
    waiting: list[tuple[Fetch, Page]] = []
    for url, content in pages(folder, number):
        page = read(content, url=url, media="text/plain" if url.endswith(".txt") else "text/html")
        if page.drop is None:
            waiting.append((Fetch(url, float(documents), Outcome.FETCHED, 200), page))
            documents += 1
        if len(waiting) == BATCH:
            words += study_batch(run, documents, waiting, spent)
            waiting = []
    if waiting:
        words += study_batch(run, documents, waiting, spent)
    return {"documents": documents, "words": words, "spent": spent, "memory": _memory()}


def finish(place: str) -> dict[str, Any]:
    """Make the tables of the run in a folder; CPU seconds."""
    spent: dict[str, float] = defaultdict(float)
    clocked(spent)
    run, began = run_folders.latest(Path(place)), time.process_time()
    completion.complete(run, Config(), lambda _event: None, finished=True)
    spent["tables"] = time.process_time() - began - spent[INDEX]
    return {"spent": spent, "memory": _memory()}


def _memory() -> int:
    """The most that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def study_batch(run: run_folders.Run, number: int, some: list[tuple[Fetch, Page]], spent: dict[str, float]) -> int:
    """One part of a run; tells its words."""
    tables: dict[str, list[msgspec.Struct]] = defaultdict(list)
    tokens, words, began, before = Builder(), 0, time.process_time(), sum(spent.values())
    for fetch, page in some:
        rows = document.study_page(fetch, page, StudyConfig(), "es")
        for found in rows.pop("tokens"):
            assert isinstance(found, DocumentTokens)
            tokens.add(found)
        for table, more in rows.items():
            tables[table] += more
        words += tables["pages"][-1].words  # type: ignore[attr-defined]
    write_part(run.parts, f"{number:08}", tables, tokens)
    spent["columns"] += time.process_time() - began - (sum(spent.values()) - before)
    return words


def show(folder: str, number: int) -> None:
    print(f"{'':49}{'memory of':>10}")
    print(f"{'pages':>8}{'words':>12}{'words per CPU s':>17}{'with index':>12}{'study':>10}{'tables':>10}")
    found: dict[str, Any] = {}
    for size in (number // 4, number // 2, number):
        with tempfile.TemporaryDirectory() as place:
            found, ended = _apart("study", folder, size, place), _apart("finish", place)
        found["spent"] |= ended["spent"]
        words, total = found["words"], sum(found["spent"].values())
        speeds = words / (total - found["spent"][INDEX]), words / total
        memory = "".join(f"{one['memory'] / 1e6:7.0f} MB" for one in (found, ended))
        print(f"{found['documents']:8,}{words:12,}{speeds[0]:17,.0f}{speeds[1]:12,.0f}{memory}", flush=True)
    print(f"\nto reach: {BAR:,} words per CPU second, memory that does not grow with the pages\n")
    print(f"{'stage':12}{'CPU s':>9}{'words per CPU s':>17}{'us a word':>11}")
    for stage, seconds in sorted(found["spent"].items(), key=lambda pair: -pair[1]):
        print(f"{stage:12}{seconds:9.2f}{found['words'] / max(seconds, 1e-9):17,.0f}{1e6 * seconds / found['words']:11.2f}")


def _apart(step: str, *given: Any) -> dict[str, Any]:
    """What a step tells, in a process of its own."""
    command = [sys.executable, __file__, "--step", json.dumps([step, *given])]
    told: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return told


def show_bad() -> None:
    """CPU seconds of all stages on bad texts that grow."""
    texts = {
        "one line": "La red de pesca quedó en el muelle, según dijo ayer la vieja pescadora. ",
        "one word": "a",
        "control characters": "".join(map(chr, range(32))),
        "soft hyphens": "pes\u00adca re\u00addes ",
        "accents apart": "cancio\u0301n tambie\u0301n ",
        "capitals": "LA RED DE PESCA QUEDÓ EN EL MUELLE. ",
        "l33t": "3l p3sc4d0r h4ck34 l4 r3d, c0n +1nt0... ",
        "scripts": "agua вода νερό ماء पानी น้ำ 水 みず 물 ውሃ წყალი ջուր מים ",
    }
    print(f"{'CPU s':20}{'1 MB':>9}{'5 MB':>9}{'10 MB':>9}")
    prepare("es")
    for name, unit in texts.items():
        times = [_bad((unit * (size * 1_000_000 // len(unit) + 1))[: size * 1_000_000]) for size in (1, 5, 10)]
        print(f"{name:20}" + "".join(f"{seconds:9.2f}" for seconds in times))


def _bad(text: str) -> float:
    began = time.process_time()
    found = cut(text, "es")
    study_cut(Document("0" * 16, "http://a.es/", 0.0, "", "es", text), found, WordOptions())
    tag_cut(found, "es")
    unrecognised_in(found, "es")
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=web_folder())
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--bad", action="store_true")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step, *of = json.loads(given.step)
        print(json.dumps(study(*of) if step == "study" else finish(*of)))
    elif given.bad:
        show_bad()
    else:
        if not given.folder.is_dir():
            print(f"test web skipped: there is no {given.folder} (its gen.py makes it); made-up pages instead")
        show(str(given.folder) if given.folder.is_dir() else "", given.pages)


if __name__ == "__main__":
    main()
