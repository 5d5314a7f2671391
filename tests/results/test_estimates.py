"""Estimates beside what the index counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from trasmallo.results.estimates import Estimate, EstimateOptions, estimate, report
from trasmallo.store.index.asking import Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import Searcher
from trasmallo.values.errors import UsageError

WORDS = ["red", "mar", "sal", "ola", "pez", "faro", "vela", "luna"]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    """Documents in which words stand independently of each other, each in about a quarter of them."""
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
                    " ".join(word for word in WORDS if chance.random() < 0.25) or f"nada{number}",
                )
                for number in range(400)
            ]
        )
        writer.seal()
    return Searcher(folder)


def of(searcher: Searcher, query: str, options: EstimateOptions | None = None) -> Estimate:
    return estimate(searcher, searcher.conjunction(query), Manner(), 0, options)


def test_independent_words_are_estimated_well(searcher: Searcher) -> None:
    found = of(searcher, "red mar")
    assert found.words == ("red", "mar")
    assert found.documents == 400
    assert found.counted > 0
    assert found.independence == pytest.approx(found.counted, rel=0.5)
    assert found.cooccurrence == pytest.approx(found.counted, rel=0.5)


def test_all_pairs_tell_the_size_of_the_collection(searcher: Searcher) -> None:
    found = of(searcher, "red mar")
    assert found.collection == pytest.approx(400, rel=0.1)
    assert found.pairs > 1
    assert found.pair == ()


def test_the_share_and_the_pair_can_be_chosen(searcher: Searcher) -> None:
    whole = of(searcher, "red mar", EstimateOptions(share=1.0, pair=("luna", "Faro")))
    assert (whole.s, whole.share) == (1.0, whole.counted), "who looks at all documents counts"
    together = searcher.number_with(["luna", "faro"])
    expected = searcher.number_with(["luna"]) * searcher.number_with(["faro"]) / together
    assert (whole.collection, whole.pairs, whole.pair) == (expected, 1, ("luna", "Faro"))
    assert of(searcher, "red mar", EstimateOptions(share=0.1)).s == pytest.approx(0.1, rel=0.1)
    for wrong in (EstimateOptions(share=0.0), EstimateOptions(share=1.5), EstimateOptions(pair=("red",))):
        with pytest.raises(UsageError, match="no share|two different words"):
            of(searcher, "red mar", wrong)


def test_one_word_is_as_frequent_as_it_is(searcher: Searcher) -> None:
    found = of(searcher, "red", EstimateOptions(share=1.0))
    assert found.counted == found.independence == found.cooccurrence == found.share == searcher.number_with(["red"])


@pytest.mark.parametrize("query", ["language:es", "red mar sal ola pez faro vela"])
def test_estimates_are_for_some_words(searcher: Searcher, query: str) -> None:
    with pytest.raises(UsageError, match="estimates are for 1 to 6 words"):
        of(searcher, query)


def test_a_report_tells_the_median_errors(searcher: Searcher) -> None:
    told = report(searcher, queries=5, fewest=2)
    assert (told.queries, told.documents) == (5, 400)
    assert 0 <= told.independence < 1
    with pytest.raises(UsageError, match="too small"):
        report(searcher, fewest=400)
