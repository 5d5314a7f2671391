from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.query.automaton import Texts, matches
from trasmallo.study.query.expressions import Flags, extent, literals, plain, read, reversed_node
from trasmallo.study.query.query_errors import QueryError

_atoms = st.sampled_from(["a", "b", "á", ".", "[ab]", "[^a]", "[a-c]", r"\w", r"\.", r"\D", "ñ"])
expressions = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{2}", "{1,2}", "{0,1}", "{1,}", "*?"])).map(
            lambda two: f"({two[0]}){two[1]}"
        ),
    ),
    max_leaves=6,
)
strings = st.lists(st.text("abcáñA1. ", max_size=7), max_size=8)


def matched(pattern: str, texts: list[str], **flags: bool) -> list[str]:
    found = matches(read(pattern, Flags(**flags)), Texts.of(texts))
    return [text for text, held in zip(texts, found.tolist(), strict=True) if held]


@given(expressions, strings)
def test_expressions_match_what_pythons_do(pattern: str, texts: list[str]) -> None:
    assert matched(pattern, texts) == [text for text in texts if re.fullmatch(pattern, text)]


@given(expressions, strings)
def test_any_case_is_what_pythons_ignorecase_is(pattern: str, texts: list[str]) -> None:
    assert matched(pattern, texts, case=True) == [text for text in texts if re.fullmatch(pattern, text, re.IGNORECASE)]


@given(expressions, strings)
def test_an_expression_read_backwards_matches_what_is_written_backwards(pattern: str, texts: list[str]) -> None:
    node = reversed_node(read(pattern, Flags()))
    backwards = [text[::-1] for text in texts]
    assert matches(node, Texts.of(backwards)).tolist() == matches(read(pattern, Flags()), Texts.of(texts)).tolist()


@given(expressions, st.text("abcáñA1. ", max_size=7))
def test_what_matches_is_as_long_as_foretold(pattern: str, text: str) -> None:
    low, high = extent(read(pattern, Flags()))
    if re.fullmatch(pattern, text):
        assert low <= len(text) <= (len(text) if high is None else high)


def test_accents_do_not_count_when_told_so() -> None:
    texts = ["camion", "camión", "CAMIÓN", "cami\u0301on", "camiom", "año", "ano"]
    assert matched("camion", texts, accents=True) == ["camion", "camión", "cami\u0301on"]
    assert matched("CAMION", texts, accents=True, case=True) == ["camion", "camión", "CAMIÓN", "cami\u0301on"]
    assert matched("año", texts, accents=True) == ["año", "ano"]
    assert matched("[áx]no", texts, accents=True) == ["año", "ano"]


def test_anchors_and_flags_at_the_ends() -> None:
    assert matched("^casa$", ["casa", "casas"]) == ["casa"]
    assert matched("(?i)casa", ["Casa", "casas"]) == ["Casa"]


def test_characters_beyond_the_first_plane() -> None:
    assert matched(r"\w+", ["𝔞b", "😀", "日本"]) == ["𝔞b", "日本"]
    assert matched(".", ["😀", "ab", "\ud800"]) == ["😀", "\ud800"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("casa", ["casa"]), ("a|b", ["a", "b"]), (r"a\.b", ["a.b"]), (".*", None), (r"\w", None), ("(a)", None), (r"a\||b", None)],
)
def test_plain_texts_are_recognised(pattern: str, found: list[str] | None) -> None:
    assert literals(pattern) == found


def test_a_plain_text_is_taken_as_it_stands() -> None:
    assert matches(plain("a.b", Flags(case=True)), Texts.of(["A.B", "axb"])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("pattern", "at", "said"),
    [
        ("(a", 0, "never closed"),
        ("a)", 1, "never opened"),
        ("[a", 0, "never closed"),
        ("*a", 0, "nothing to repeat"),
        ("a\\", 1, "nothing follows the last backslash"),
        (r"(a)\1", 3, r"\1 is not understood"),
        ("(?=a)", 1, "looking around"),
        ("a$b", 1, "stands inside"),
        ("[b-a]", 3, "goes backwards"),
        ("a{3,1}", 1, "is no range"),
        ("a{5000}", 1, "repeats too often"),
        ("(" * 200, 100, "nested"),
    ],
)
def test_a_mistake_is_told_with_its_place(pattern: str, at: int, said: str) -> None:
    with pytest.raises(QueryError, match=re.escape(said)) as caught:
        read(pattern, Flags())
    assert caught.value.at == at


def test_what_would_take_for_ever_takes_linear_time() -> None:
    texts = ["a" * 1_000, "a" * 999 + "b", "x"]
    assert matched("(a*)*b", texts) == ["a" * 999 + "b"]
    assert matched("(a|a|aa)+b", texts) == ["a" * 999 + "b"]
    assert matched("(.*.*.*)*x", texts) == ["x"]


def test_too_many_states_and_positions_are_refused() -> None:
    with pytest.raises(QueryError, match="too many ways"):
        matched("x?.*a.{30}", ["".join(random.Random(start).choices("ab", k=900)) for start in range(60)])
    with pytest.raises(QueryError, match="longer than 20,000"):
        matched("((a{1000}){1000})", ["a" * 1_000_000])


def test_a_text_inside_is_looked_for_in_each_string_alone() -> None:
    texts = ["viento", "vien", "to", "elvientosur", "viento viento", "", "vientviento"]
    assert matched(".*viento.*", texts) == ["viento", "elvientosur", "viento viento", "vientviento"]
    assert matched(".+viento.*", texts) == ["elvientosur", "viento viento", "vientviento"]
    assert matched(".*nada.*", texts) == []
    assert matched(".*el.*", texts) == ["elvientosur"]


def test_a_thousand_alternatives() -> None:
    words = [f"palabra{number}x" for number in range(1_000)]
    assert matched("(" + "|".join(words) + ")", [*words, "palabra"]) == words
