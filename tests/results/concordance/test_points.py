from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from support.concordance_run import make_run
from trasmallo.results.concordance.points import Point, Points, collated, points_of
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.tokens import Corpus
from trasmallo.study.query.hits import NO_LABELS, QueryHits
from trasmallo.values.errors import UsageError


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    return open_corpus(make_run(tmp_path_factory.mktemp("points")))


def test_what_points_are_written_like() -> None:
    assert points_of("left", ()) == tuple(Point("word", place) for place in ("-1", "-2", "-3"))
    assert points_of("lemma/1, pos/0,word", ()) == (Point("lemma", "1"), Point("pos", "0"), Point("word", "hit"))
    assert points_of("tag/@a", ["a"]) == (Point("tag", "@a"),)
    assert str(Point("lemma", "-2")) == "lemma/-2"
    for text in ("", "lemma/x", "nope", "word/@a", "left,right,hit"):
        with pytest.raises(UsageError):
            points_of(text, ())


def test_tokens_outside_of_the_document_are_none(corpus: Corpus) -> None:
    begin, end = corpus.documents.range(1)
    hits = QueryHits(np.array([begin, end - 1]), np.array([1, 1]), NO_LABELS)
    points = Points(corpus, ())
    (before,) = points.numbers(Point("word", "-1"), hits)
    (after,) = points.numbers(Point("word", "1"), hits)
    assert (before[0], after[1]) == (-1, -1)
    assert before[1] >= 0
    (first,) = points.numbers(Point("word", "0"), hits)
    assert points.numbers(Point("word"), hits)[0].tolist() == first.tolist()


def test_the_order_is_that_of_a_dictionary() -> None:
    words = ["zorro", "Ñandú", "nube", "árbol", "arca", "Arca", "ojo"]
    assert sorted(words, key=collated) == ["árbol", "Arca", "arca", "nube", "Ñandú", "ojo", "zorro"]
