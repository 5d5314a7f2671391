"""Estimates beside what the index counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from trasmallo.results.estimates import estimate, report
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import Searcher
from trasmallo.values.errors import UsageError

WORDS = ["red", "mar", "sal", "ola", "pez", "faro", "vela", "luna"]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    """Documents in which words stand independently of each other, each in about a third of them."""
    chance = random.Random(7)
    folder: Path = tmp_path_factory.mktemp("store") / "index"
    with IndexWriter(folder) as writer:
        writer.add(
            [
                IndexEntry(
                    f"{chance.getrandbits(64):016x}",
                    f"http://a.es/{number}",
                    "a.es",
                    0.0,
                    "",
                    "es",
                    "text/html",
                    " ".join(word for word in WORDS if chance.random() < 0.3) or "nada",
                )
                for number in range(400)
            ]
        )
        writer.seal()
    return Searcher(folder)


def test_independent_words_are_estimated_well(searcher: Searcher) -> None:
    found = estimate(searcher, "red mar")
    assert found.words == ("red", "mar")
    assert found.documents == 400
    assert found.counted > 0
    assert found.independence == pytest.approx(found.counted, rel=0.5)
    assert found.cooccurrence == pytest.approx(found.counted, rel=0.5)


@pytest.mark.parametrize("query", ["red", "red red", "red mar sal ola pez faro vela"])
def test_estimates_are_for_some_words(searcher: Searcher, query: str) -> None:
    with pytest.raises(UsageError, match="estimates are for 2 to 6 words"):
        estimate(searcher, query)


def test_a_report_tells_the_median_errors(searcher: Searcher) -> None:
    told = report(searcher, queries=5, fewest=2)
    assert (told.queries, told.documents) == (5, 400)
    assert 0 <= told.independence < 1
    with pytest.raises(UsageError, match="too small"):
        report(searcher, fewest=400)
