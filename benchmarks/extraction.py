"""Main content against trafilatura: same pages, same scorer, one table.

    python benchmarks/extraction.py [EVERY | spanish | favour]

Takes every EVERY-th page (default 4) of the five public sets in the folder that TRASMALLO_SHARED names (by default `shared`
beside the checkout). F1 is over the bag of words of a page, averaged over pages; for the set `trafilatura` over its wanted and
unwanted segments. The model of the default method has learned from these very pages: what it reaches on sites that it never saw
is in the first line of its file. `macro` is the mean of the four sets with full text. Speed is pages a CPU second, parsing
included. The peer is left out with a line when it is not installed. The pages in Spanish of `tests/quality/spanish`, which
nobody learned from, come in a table of their own, by family, as the bytes that a server would send; with `spanish` that table
alone is made. With `favour` precision and recall of the default method are told for favour 0, 0.5 and 1, of every page: the
mean over pages that show text, since the precision of nothing is not defined, and in brackets with 0 for those that show none.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import zstandard

FULL = ("scrapinghub", "cleanportaleval", "daniel", "wcxb")
SETS = (*FULL, "trafilatura")
# One token a character in scripts without spaces.
_DENSE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(f"[{_DENSE}]|[^\\W{_DENSE}]+")

Extractor = Callable[[str | bytes], str]
TESTS = Path(__file__).resolve().parents[1] / "tests"


def data_folder() -> Path:
    """Where the sets are."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("TRASMALLO_SHARED", beside)) / "data" / "extract"


def lines(path: Path) -> Iterator[bytes]:
    """The pages of a set, each a line of JSON."""
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as reader:
        yield from io.BufferedReader(reader, 1 << 20)


def page_in(line: bytes) -> dict[str, Any]:
    """One page; some hold lone surrogates."""
    return json.loads(line.decode("utf-8", "surrogatepass"))  # type: ignore[no-any-return]


def bag(text: str) -> Counter[str]:
    """The words of a text, without regard to case and order."""
    return Counter(_TOKEN.findall(text.lower()))


def bag_f1(one: Counter[str], other: Counter[str]) -> float:
    """F1 of what was found and what was wanted."""
    if not other:
        return float(not one)
    return 2 * (one & other).total() / (one.total() + other.total())


class Score:
    """What one extractor reached on one set."""

    def __init__(self) -> None:
        self.f1: list[float] = []
        self.precisions: list[float] = []
        self.recalls: list[float] = []
        self.segments: Counter[str] = Counter()
        self.pages = self.empty = 0
        self.cpu = 0.0

    def add(self, page: dict[str, Any], text: str, cpu: float) -> None:
        """Count one page."""
        self.pages += 1
        self.cpu += cpu
        self.empty += not text.strip()
        if page.get("gold_text") is not None:
            self._compare(bag(text), bag(page["gold_text"]))
            return
        hits = sum(segment in text for segment in page["with_"])
        wrong = sum(segment in text for segment in page["without"])
        self.segments.update(hit=hits, wanted=len(page["with_"]), wrong=wrong)

    def _compare(self, found: Counter[str], wanted: Counter[str]) -> None:
        self.f1.append(bag_f1(found, wanted))
        if found and wanted:
            right = (found & wanted).total()
            self.precisions.append(right / found.total())
            self.recalls.append(right / wanted.total())

    @property
    def precision(self) -> float:
        """The share of what was found that was wanted, over pages of which something was found."""
        if self.f1:
            return sum(self.precisions) / len(self.precisions)
        return self.segments["hit"] / max(1, self.segments["hit"] + self.segments["wrong"])

    @property
    def recall(self) -> float:
        """The share of what was wanted that was found, over the same pages."""
        if self.f1:
            return sum(self.recalls) / len(self.recalls)
        return self.segments["hit"] / max(1, self.segments["wanted"])

    @property
    def quality(self) -> float:
        """F1 of the set."""
        if self.f1:
            return sum(self.f1) / len(self.f1)
        counts = self.segments
        return 2 * counts["hit"] / max(1, counts["hit"] + counts["wanted"] + counts["wrong"])


def score(name: str, extract: Extractor, every: int) -> Score:
    result = Score()
    for number, line in enumerate(lines(data_folder() / f"{name}.jsonl.zst")):
        if number % every:
            continue
        page = page_in(line)
        started = time.process_time()
        text = extract(page["html"])
        result.add(page, text, time.process_time() - started)
    return result


def spanish(extract: Extractor) -> dict[str, Score]:
    """What an extractor reached on the pages in Spanish: on "all" and on each family."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    from quality.spanish.render import pages

    found = {"all": Score()}
    for page in pages():
        started = time.process_time()
        text = extract(page.content)
        cpu = time.process_time() - started
        for score in (found["all"], found.setdefault(page.family, Score())):
            score.add({"gold_text": page.gold}, text, cpu)
    return found


def extractors() -> dict[str, Extractor]:
    from trasmallo.clean.read import extract

    found: dict[str, Extractor] = {
        "trasmallo": lambda html: extract(html).text,
        "trasmallo favour=0": lambda html: extract(html, favour=0.0).text,
        "trasmallo favour=1": lambda html: extract(html, favour=1.0).text,
    }
    for method in ("plain", "cnr", "cetr", "cetr-1d", "bte", "bte-window"):
        found[method] = lambda html, method=method: extract(html, method=method).text  # type: ignore[misc]
    try:
        import trafilatura
    except ImportError:
        print("trafilatura is not installed: left out (pip install trafilatura)")
        return found
    found["trafilatura"] = lambda html: trafilatura.extract(html, include_comments=False) or ""
    return found


def report_public(chosen: dict[str, Extractor], every: int) -> None:
    print(
        f"{'F1, every ' + str(every) + '. page':20}" + "".join(f"{name:>16}" for name in SETS) + "   macro  pages/CPU s  empty"
    )
    for name, extract in chosen.items():
        scores = {each: score(each, extract, every) for each in SETS}
        macro = sum(scores[each].quality for each in FULL) / len(FULL)
        speed = sum(one.pages for one in scores.values()) / sum(one.cpu for one in scores.values())
        figures = "".join(f"{scores[each].quality:16.4f}" for each in SETS)
        print(f"{name:20}{figures}{macro:8.4f}{speed:13.1f}{sum(one.empty for one in scores.values()):7}", flush=True)


def report_spanish(chosen: dict[str, Extractor]) -> None:
    reached = {name: spanish(extract) for name, extract in chosen.items()}
    families = next(iter(reached.values()))
    print(f"{'F1, Spanish':12}pages" + "".join(f"{name:>20}" for name in reached))
    for family, score in families.items():
        print(f"{family:12}{score.pages:5}" + "".join(f"{scores[family].quality:20.4f}" for scores in reached.values()))
    print(f"{'empty':17}" + "".join(f"{scores['all'].empty:20}" for scores in reached.values()))


def report_favour(chosen: dict[str, Extractor]) -> None:
    print(f"{'precision, recall':20}" + "".join(f"{name:>24}" for name in (*SETS, "Spanish")))
    for name in ("trasmallo favour=0", "trasmallo", "trasmallo favour=1"):
        scores = [*(score(each, chosen[name], 1) for each in SETS), spanish(chosen[name])["all"]]
        print(f"{name:20}" + "".join(f"{_told(one):>24}" for one in scores), flush=True)


def _told(one: Score) -> str:
    """Precision and recall; precision with 0 for what came out empty in brackets, where something did."""
    all_pages = f" ({one.precision * len(one.precisions) / len(one.f1):.4f})" if len(one.precisions) < len(one.f1) else ""
    return f"{one.precision:.4f}{all_pages} {one.recall:.4f}"


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else "4"
    chosen = extractors()
    if wanted != "spanish" and not data_folder().is_dir():
        sys.exit(f"no pages in {data_folder()}: set TRASMALLO_SHARED to the folder that holds data/extract")
    if wanted == "favour":
        report_favour(chosen)
        return
    if wanted != "spanish":
        report_public(chosen, int(wanted))
        print()
    report_spanish(chosen)


if __name__ == "__main__":
    main()
