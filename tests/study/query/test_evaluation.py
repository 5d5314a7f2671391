from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings

from support.naive_queries import Documents, Token, document_tokens, documents, hits, queries
from support.token_documents import write_documents
from trasmallo.store.tokens import Corpus, merge
from trasmallo.study.query import evaluation
from trasmallo.study.query.evaluation import QueriedCorpus, search
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import Query
from trasmallo.study.query.token_automaton import labels


def corpus_of(made: Documents) -> Corpus:
    with tempfile.TemporaryDirectory() as folder:
        path = write_documents(Path(folder) / "part", [document_tokens(number, tokens) for number, tokens in enumerate(made)])
        merge([path], Path(folder) / "tokens", positions=True)
        return Corpus.open(Path(folder) / "tokens")


def found(query: Query, source: QueriedCorpus) -> list[tuple[int, int]]:
    return [
        (first, length)
        for some in search(query, source)
        for first, length in zip(some.first.tolist(), some.length.tolist(), strict=True)
    ]


@settings(max_examples=80)
@given(documents, queries)
def test_the_hits_are_those_of_a_plain_evaluator(made: Documents, query: Query) -> None:
    known = labels(query.pattern)
    assume(all(one.first in known and one.second in known for one in query.agreements))
    assert found(query, QueriedCorpus(corpus_of(made))) == hits(query, made)


@settings(max_examples=40)
@given(documents, queries)
def test_looking_at_every_token_finds_the_same_as_lists_do(made: Documents, query: Query) -> None:
    known = labels(query.pattern)
    assume(all(one.first in known and one.second in known for one in query.agreements))
    corpus = corpus_of(made)
    listed = found(query, QueriedCorpus(corpus))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "DENSE", 0.0)
        patch.setattr(evaluation, "DENSE_CATEGORY", 0.0)
        patch.setattr(evaluation, "AT_ONCE", 3)
        assert found(query, QueriedCorpus(corpus)) == listed
        patch.setattr(evaluation, "DENSE", 1.0)
        patch.setattr(evaluation, "DENSE_CATEGORY", 1.0)
        patch.setattr(evaluation, "_TOGETHER", 2)
        assert found(query, QueriedCorpus(corpus)) == listed


@pytest.fixture(scope="module")
def long_corpus() -> Corpus:
    """A thousand documents of two hundred tokens each."""
    document = [Token("ab"[place % 2], "a", "NOUN" if place % 3 else "ADJ", "", place % 10 == 0) for place in range(200)]
    return corpus_of([document] * 1_000)


def test_documents_with_many_ways_are_looked_at_one_by_one(long_corpus: Corpus) -> None:
    query = parse('[] 1:[word="a"] []{0,3} 2:[] []{0,3} & 1.lemma = 2.lemma within s')
    whole = found(query, QueriedCorpus(long_corpus))
    assert found(query, QueriedCorpus(long_corpus, most_ways=10_000)) == whole
    with pytest.raises(QueryError, match="too many ways"):
        found(query, QueriedCorpus(long_corpus, most_ways=1_000))


@pytest.mark.parametrize(
    "text",
    [
        "([]{1,30}){1,30} within s",
        "(([]{1,10}){1,10}){1,10}",
        "1:[]{1,50} 2:[]{1,20}",
        '"a" within (([]{1,30}){1,30})',
        '"a" !containing (([]?){100} within s)',
    ],
)
def test_the_work_of_a_question_is_bounded(long_corpus: Corpus, text: str) -> None:
    with pytest.raises(QueryError, match=r"takes more than 1,000,000 steps: use smaller repeats"):
        found(parse(text), QueriedCorpus(long_corpus, most_steps=1_000_000))


def test_usual_questions_are_far_from_that_bound(long_corpus: Corpus) -> None:
    for text in ("[]{1,30} within s", '[pos="NOUN"] []{0,5} [pos="ADJ"] within s', '"a" []{0,10} "b"'):
        assert found(parse(text), QueriedCorpus(long_corpus)), text


def test_a_million_hits_come_some_at_a_time(long_corpus: Corpus) -> None:
    sizes = [len(some) for some in search(parse("[]{1,6} within s"), QueriedCorpus(long_corpus))]
    assert sum(sizes) == 1_000 * 20 * (10 + 9 + 8 + 7 + 6 + 5)
    assert max(sizes) < sum(sizes)


def test_masks_leave_documents_out(long_corpus: Corpus) -> None:
    chosen = np.zeros(1_000, dtype=np.bool_)
    chosen[[3, 500]] = True
    for text in ('"a"', '[pos="ADJ"] [pos="NOUN"]', '"a" []? "b"'):
        whole = sum(len(some) for some in search(parse(text), QueriedCorpus(long_corpus)))
        some = sum(len(some) for some in search(parse(text), QueriedCorpus(long_corpus), documents=chosen))
        assert some * 500 == whole


@pytest.mark.parametrize(
    "text",
    [
        "1:[] []{0,100} 2:[] []{0,100} 3:[] []{0,100} & 1.word = 2.word",
        "([]{0,100} 1:[]){0,10}",
    ],
)
def test_what_would_take_all_memory_is_refused(long_corpus: Corpus, text: str) -> None:
    with pytest.raises(QueryError, match="too many ways|longer than"):
        for _ in search(parse(text), QueriedCorpus(long_corpus, most_ways=1 << 17)):
            pass


def test_hostile_queries_end_soon(long_corpus: Corpus) -> None:
    source = QueriedCorpus(long_corpus)
    alternatives = "|".join(f'"w{number}" "a"' for number in range(400))
    assert found(parse(f"({alternatives})"), source) == []
    assert found(parse("(" + "|".join(f'"w{number}"' for number in range(1_000)) + ") []"), source) == []
    assert found(parse('[word="(a*)*b"] [word="x"]'), source) == []
    assert found(parse('"x" []{0,100} "y"'), source) == []
    assert found(parse("<s>"), source) == []


def test_documents_must_be_chosen_by_somebody(long_corpus: Corpus) -> None:
    with pytest.raises(QueryError, match="what hits are within"):
        found(parse('"a" containing <doc/>'), QueriedCorpus(long_corpus, lambda area: np.ones(1_000, dtype=np.bool_)))
    with pytest.raises(QueryError, match="no token has the label '2'"):
        found(parse('1:"a" & 1.word = 2.word'), QueriedCorpus(long_corpus))
