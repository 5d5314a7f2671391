"""Expressions matched against many strings at once, compared with Python's own matcher."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.query.automaton import Texts, matches
from trasmallo.study.query.expressions import Flags, read

EXPRESSIONS = ["a", "a*", "(ab|b)+", ".*ción", "a.c", "[ab]{2,3}", "[^a]b?", "x?y?z?", ".*abc.*", "(a|b)*c"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
@given(st.lists(st.text("abcxyzción", max_size=8), max_size=30))
def test_the_strings_are_those_that_match_as_a_whole(expression: str, texts: list[str]) -> None:
    found = matches(read(expression, Flags()), Texts.of(texts)).tolist()
    assert found == [re.fullmatch(expression, text) is not None for text in texts]


def test_a_piece_is_not_found_across_two_strings() -> None:
    holders = Texts.of(["ab", "c", "xabcx", "abcabc"]).holding("abc")
    assert holders is not None
    assert holders.tolist() == [2, 3]
