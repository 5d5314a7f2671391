"""The textbook's estimates of the sizes of results and of collections, beside what is counted.

`python benchmarks/estimates.py [--documents 20000] [--pages FILE...]`. Two corpora are made (documents that each have a topic,
so that words are not independent: of 240 words, and of 20 to 2,500), the others are the pages of each FILE, JSON lines packed
with zstd, that have a title. C/s looks at 20 % of the shortest list; queries are three words of middling frequency that are
together in at least 50 documents (30 of the pages); - where there are none. The size of the collection is estimated ten times,
with other words each time: the mean, the standard deviation, and how far the mean is off.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
from search import MAKE, WORDS, entries_of, known_entries, make_language, read_pages

from trasmallo.results.collection_size import estimate_collection
from trasmallo.results.estimates import EstimateReport, report
from trasmallo.store.index.asking import Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import Searcher
from trasmallo.values.errors import UsageError

SEED = 20261116
TOPICS = 40
OF_TOPIC = 0.3
SHORTEST, LONGEST, SPREAD = 20, 2_500, 0.8
DRAWINGS = 10
BAR = 0.25


def topical(number: int, spread: float = 0.0) -> Iterator[IndexEntry]:
    """Documents of which a third of the words are those of their topic; the logarithm of their lengths has this spread."""
    made, chance = make_language(), np.random.default_rng(SEED)
    size = len(made.words)
    for begin in range(0, number, MAKE):
        lengths = np.clip(WORDS * np.exp(chance.normal(0, spread, MAKE)), SHORTEST, LONGEST).astype(int)
        shape = (MAKE, lengths.max())
        rows = chance.choice(size, size=shape, p=made.chances)
        of_topic = (chance.choice(size, size=shape, p=made.chances) * TOPICS + chance.integers(TOPICS, size=(MAKE, 1))) % size
        drawn = np.where(chance.random(shape) < OF_TOPIC, of_topic, rows)
        texts = [" ".join(made.words[word] for word in row[:length]) for row, length in zip(drawn, lengths, strict=True)]
        yield from entries_of(texts, begin)


def judge(name: str, entries: Iterable[IndexEntry], fewest: int) -> float:
    """Print how far the estimates are off; returns the median error of C/s, 0 where no query has enough documents."""
    with tempfile.TemporaryDirectory() as folder:
        with IndexWriter(Path(folder) / "index", whole=True) as writer:
            writer.add(entries)
            writer.seal()
        searcher = Searcher(Path(folder) / "index")
        found = reported(searcher, fewest)
        print(f"{name:24}", *told_of_queries(found), told_of_size(searcher), flush=True)
    return found.share if found else 0.0


def reported(searcher: Searcher, fewest: int) -> EstimateReport | None:
    try:
        return report(searcher, fewest=fewest)
    except UsageError:
        return None


def told_of_queries(found: EstimateReport | None) -> list[str]:
    if found is None:
        return [f"{'-':>13}"] * 4
    errors = (found.independence, found.cooccurrence, found.share)
    return [f"{found.queries:13}", *(f"{100 * value:13.1f}" for value in errors)]


def told_of_size(searcher: Searcher) -> str:
    manner = Manner(groups=None, copies=True)
    sizes = [estimate_collection(searcher, manner, seed).documents for seed in range(DRAWINGS)]
    documents = searcher.visible(manner)
    off = 100 * (fmean(sizes) / documents - 1)
    return f"{documents:13,}{fmean(sizes):13,.1f}{stdev(sizes):9,.1f}{off:+9.1f}"


def main() -> int:
    """Print the table; 1 when the bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--pages", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    print("median error in percent; bar 25 for C/s")
    heads = ("queries", "independence", "co-occurrence", "C/s", "documents")
    print(f"{'':24}", *(f"{head:>13}" for head in heads), f"{'estimated':>12}{'±':>9}{'off, %':>9}")
    found = [judge("made, with topics", topical(given.documents), 50)]
    found.append(judge("made, of all lengths", topical(given.documents, SPREAD), 50))
    found += [judge(file.name.split(".")[0], known_entries(read_pages(file)), 30) for file in given.pages]
    return 0 if all(share <= BAR for share in found) else 1


if __name__ == "__main__":
    sys.exit(main())
