from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.concordance_run import make_run
from trasmallo.results.concordance import counts
from trasmallo.results.concordance.counts import Breakdown, Collocates, CollocateWindow, Distribution, function_words, part_sql
from trasmallo.results.concordance.points import Point
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.tokens import Corpus
from trasmallo.study.query.hits import NO_LABELS, QueryHits
from trasmallo.values.errors import UsageError


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return open_corpus(make_run(tmp_path))


def every(corpus: Corpus) -> QueryHits:
    return QueryHits(np.arange(len(corpus)), np.ones(len(corpus), dtype=np.int64), NO_LABELS)


def test_hits_may_come_in_pieces(corpus: Corpus) -> None:
    hits = every(corpus)
    whole, pieces = Breakdown(corpus, (), [Point("word")]), Breakdown(corpus, (), [Point("word")])
    whole.add(hits)
    pieces.add(hits.only(slice(0, 5)))
    pieces.add(hits.only(slice(5, None)))
    assert list(whole.rows()) == list(pieces.rows())


def test_collocates_are_counted_some_documents_at_a_time(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    hits = every(corpus).only(slice(None, None, 3))
    whole, pieces = Collocates(corpus, "word", CollocateWindow(2, 2, 1)), Collocates(corpus, "word", CollocateWindow(2, 2, 1))
    whole.add(hits)
    monkeypatch.setattr(counts, "_TOGETHER", 2)
    pieces.add(hits)
    assert len(list(whole.rows())) > 5
    assert list(whole.rows()) == list(pieces.rows())


def test_tokens_inside_hits_are_no_collocates(corpus: Corpus) -> None:
    near = Collocates(corpus, "word", CollocateWindow(5, 5, 1))
    near.add(every(corpus))
    assert list(near.rows()) == []


def test_all_tokens_are_in_some_part(corpus: Corpus) -> None:
    spread = Distribution(corpus, None)
    spread.add(every(corpus))
    (part,) = spread.rows({}, every=True)
    assert (part.count, part.tokens, part.per_million) == (len(corpus), len(corpus), 1e6)
    assert [part_sql(by) for by in ("document", "site", "language")] == ["all_pages.url", "host", "language"]


def test_too_many_values_are_refused(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MOST_VALUES", 3)
    with pytest.raises(UsageError, match="more than 3 different values"):
        Breakdown(corpus, (), [Point("word")]).add(every(corpus))


def test_a_value_is_a_function_word_when_most_of_its_tokens_are_listed(corpus: Corpus) -> None:
    def found(column: str, *listed: str) -> set[str]:
        mask = function_words(corpus, column, listed)
        return set(corpus.strings(column).texts(np.flatnonzero(mask).tolist()))

    assert found("lemma", "la", "el", "los", "las") == {"el"}
    assert found("word", "la") == {"la", "La"} & set(corpus.strings("word").texts(range(len(corpus.strings("word")))))
    assert found("lemma") == found("lemma", "nowhere") == set()
