"""The textbook's estimates of result sizes, judged on two corpora.

`python benchmarks/estimates.py [--documents 20000] [--pages FILE...]`. One corpus is made (documents of 240 words that each
have a topic, so that words are not independent), the other are the pages of FILE, JSON lines packed with zstd. C/s looks at
20 % of the shortest list; queries are three words of middling frequency that are together in at least 50 documents (30 of
the pages).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from search import MAKE, WORDS, entries_of, known_entries, make_language, read_pages

from trasmallo.results.estimates import EstimateReport, report
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import Searcher

SEED = 20261116
TOPICS = 40
OF_TOPIC = 0.3
BAR = 0.25


def topical(number: int) -> Iterator[IndexEntry]:
    """Documents of which a third of the words are those of their topic."""
    made, chance = make_language(), np.random.default_rng(SEED)
    size = len(made.words)
    for begin in range(0, number, MAKE):
        rows = chance.choice(size, size=(MAKE, WORDS), p=made.chances)
        topics = chance.integers(TOPICS, size=(MAKE, 1))
        of_topic = (chance.choice(size, size=(MAKE, WORDS), p=made.chances) * TOPICS + topics) % size
        drawn = np.where(chance.random((MAKE, WORDS)) < OF_TOPIC, of_topic, rows)
        yield from entries_of([" ".join(made.words[word] for word in row) for row in drawn], begin)


def judge(name: str, entries: Iterator[IndexEntry], fewest: int) -> EstimateReport:
    with tempfile.TemporaryDirectory() as folder:
        with IndexWriter(Path(folder) / "index", whole=True) as writer:
            writer.add(entries)
            writer.seal()
        found = report(Searcher(Path(folder) / "index"), fewest=fewest)
    errors = "".join(f"{100 * value:14.1f}" for value in (found.independence, found.cooccurrence, found.share))
    size = f"{found.documents:11,}{found.collection:12,.0f}{100 * found.collection_error:9.1f}"
    print(f"{name:20}{found.queries:8}{errors}{size}", flush=True)
    return found


def main() -> int:
    """Print the table; 1 when the bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--pages", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    print("median error in percent; bar 25 for C/s")
    print(
        f"{'':20}{'queries':>8}{'independence':>14}{'co-occurrence':>14}{'C/s':>14}{'documents':>11}{'estimated':>12}{'off':>9}"
    )
    found = [judge("made, with topics", topical(given.documents), 50)]
    if given.pages:
        pages = [known for file in given.pages for known in read_pages(file)]
        found.append(judge("pages", known_entries(pages), 30))
    return 0 if all(one.share <= BAR for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
