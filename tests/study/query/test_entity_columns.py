"""Tokens that know their entities: what is asked beneath stays the same, and kinds and names can be asked beside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from study.query.test_evaluation import corpus_of, found
from support.naive_queries import Documents, documents, queries
from trasmallo.study.query.entity_columns import EntityColumns, TokenSpan
from trasmallo.study.query.evaluation import QueriedCorpus
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.syntax import Query
from trasmallo.study.query.token_automaton import labels


@st.composite
def spans(draw: st.DrawFn, size: int) -> list[TokenSpan]:
    cuts = sorted(draw(st.sets(st.integers(0, size), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return [TokenSpan(low, high, draw(st.sampled_from("AB")), draw(st.sampled_from("xyz"))) for low, high in pairs]


@settings(max_examples=60)
@given(documents, st.data())
def test_every_way_to_a_type_tells_the_same(made: Documents, data: st.DataObject) -> None:
    corpus = corpus_of(made)
    columns = EntityColumns(corpus, data.draw(spans(len(corpus))))
    types = columns.types(slice(0, len(corpus)))
    places = np.arange(len(corpus))
    assert types.tolist() == columns.types(places[::-1])[::-1].tolist()
    assert np.bincount(types, minlength=len(columns.counts)).tolist() == columns.counts.tolist()
    wanted = np.array(data.draw(st.lists(st.integers(0, max(len(columns.counts) - 1, 0)), unique=True)), np.int64)
    listed = columns.positions(wanted)
    assert listed is None or sorted(listed.tolist()) == np.flatnonzero(np.isin(types, wanted)).tolist()


@settings(max_examples=60)
@given(documents, queries, st.data())
def test_what_asks_for_no_entity_finds_the_same(made: Documents, query: Query, data: st.DataObject) -> None:
    known = labels(query.pattern)
    if any(one.first not in known or one.second not in known for one in query.agreements):
        return
    corpus = corpus_of(made)
    columns = EntityColumns(corpus, data.draw(spans(len(corpus))))
    assert found(query, QueriedCorpus(columns)) == found(query, QueriedCorpus(corpus))


@settings(max_examples=60)
@given(documents, st.data())
def test_tokens_of_a_kind_are_those_of_its_spans(made: Documents, data: st.DataObject) -> None:
    corpus = corpus_of(made)
    drawn = data.draw(spans(len(corpus)))
    source = QueriedCorpus(EntityColumns(corpus, drawn))
    inside = [(place, 1) for one in sorted(drawn) for place in range(one.first, one.last) if one.kind == "A"]
    assert found(parse('[ent="A"]'), source) == inside
    outside = {(place, 1) for place in range(len(corpus))} - {
        (place, 1) for one in drawn for place in range(one.first, one.last)
    }
    assert set(found(parse('[ent=""]'), source)) == outside
    named = [place for one in sorted(drawn) for place in range(one.first, one.last) if one.kind == "A" and one.name == "x"]
    assert [first for first, _ in found(parse('[ent="A" & entity="x"]'), source)] == named


@pytest.mark.parametrize("text", ['[ent="A"] "b"', '"a" & 1.ent = 2.entity', '"a" within ([entity="x"])'])
def test_a_query_says_that_it_asks_for_entities(text: str) -> None:
    from trasmallo.study.query.syntax import asks_entities

    assert asks_entities(parse(text))
    assert not asks_entities(parse('[word="ent"] within s'))
