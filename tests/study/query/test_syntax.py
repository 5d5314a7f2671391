"""A query says itself as it would be typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.naive_queries import queries
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.syntax import Query, quoted


@given(queries)
def test_what_a_query_says_of_itself_is_read_as_the_same_query(query: Query) -> None:
    assert str(parse(str(query))) == str(query)


@pytest.mark.parametrize("text", ['[lemma="hacer"] []{0,3} [pos="NOUN"]', '<s> [word="a"]', '"casa" | "hogar"'])
def test_a_query_written_plainly_stays_as_it_is_understood(text: str) -> None:
    assert str(parse(str(parse(text)))) == str(parse(text))


@given(st.text("ab\"\\'[]", max_size=9))
def test_a_literal_text_is_found_as_it_stands(text: str) -> None:
    said = quoted(text, literal=True)
    assert said[0] in "\"'"
    assert said[-1] in "\"'l"
