from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study import category_patterns
from trasmallo.study.category_patterns import Spans, compile_pattern
from trasmallo.study.sequence_bounds import Bounds
from trasmallo.values.errors import UsageError

NAMES = ["A", "B", "C", "D"]

atoms = st.sampled_from(["A", "B", "C", "D", ".", "!A", "!C"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("?*+")).map(lambda pair: f"({pair[0]}){pair[1]}"),
        st.lists(inner, min_size=2, max_size=3).map(" ".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda choices: f"({' | '.join(choices)})"),
    ),
    max_leaves=6,
)


def as_expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"!(\w)", r"[^\1;]", pattern).replace(" ", "").replace(".", "[A-D]"))


def together(found: Iterable[Spans]) -> Spans:
    none = Spans(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return Spans(*(np.concatenate(some) for some in zip(none, *found, strict=True)))


def find(pattern: str, text: str, longest: int, keep: str) -> list[tuple[int, int]]:
    """Matches in a text of letters; a semicolon ends a sentence and is no token."""
    column = np.array([NAMES.index(letter) for letter in text if letter != ";"], dtype=np.uint8)
    ends = [place - number for number, place in enumerate(place for place, letter in enumerate(text) if letter == ";")]
    bounds = Bounds(np.array([0, len(column)]), np.array([end for end in ends if end < len(column)], dtype=np.int64))
    found = compile_pattern(pattern, NAMES).find(column, bounds, longest=longest, keep=keep)  # type: ignore[arg-type]
    spans = together(found)
    return list(zip(spans.first.tolist(), spans.length.tolist(), strict=True))


def by_force(pattern: str, text: str, longest: int) -> list[tuple[int, int]]:
    expression, found, token = as_expression(pattern), [], 0
    for place, letter in enumerate(text):
        if letter != ";":
            found += [
                (token, length)
                for length in range(1, longest + 1)
                if place + length <= len(text) and expression.fullmatch(text, place, place + length)
            ]
            token += 1
    return found


def outermost(every: list[tuple[int, int]]) -> list[tuple[int, int]]:
    chosen, end = [], 0
    for first in sorted({first for first, _ in every}):
        if first >= end:
            chosen.append((first, max(length for start, length in every if start == first)))
            end = first + chosen[-1][1]
    return chosen


@settings(max_examples=200, deadline=None)
@given(patterns, st.text("ABCD;", max_size=30), st.integers(1, 6))
def test_matches_are_those_of_a_regular_expression(pattern: str, text: str, longest: int) -> None:
    every = by_force(pattern, text, longest)
    assert find(pattern, text, longest, "every") == every
    assert find(pattern, text, longest, "longest") == outermost(every)


def test_a_long_column_is_searched_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(category_patterns, "AT_ONCE", 3)
    assert find("A B+ C", "ABBBCABCDABBC", 8, "longest") == [(0, 5), (5, 3), (9, 4)]


@pytest.mark.parametrize("at_once", [1, 2, 3, 5])
@pytest.mark.parametrize("keep", ["every", "longest"])
def test_stretches_change_nothing(monkeypatch: pytest.MonkeyPatch, at_once: int, keep: str) -> None:
    text = "ABABABCABDDABABCAB;ABAB;BABABABAC"
    whole = find("(A B)+ C?", text, 4, keep)
    monkeypatch.setattr(category_patterns, "AT_ONCE", at_once)
    assert find("(A B)+ C?", text, 4, keep) == whole


@pytest.mark.parametrize("at_once", [2, 1 << 20])
def test_only_some_tokens_are_searched(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(category_patterns, "AT_ONCE", at_once)
    automaton, column = compile_pattern("A", NAMES), np.zeros(7, dtype=np.uint8)
    bounds, among = Bounds(np.array([0, 1, 4, 4, 5, 7])), np.array([True, False, False, False, False, True, True])
    assert together(automaton.find(column, bounds, among=among)).first.tolist() == [0, 5, 6]


def test_a_noun_phrase() -> None:
    names = ["DET", "NOUN", "ADP", "ADJ", "VERB"]
    words = ["DET", "NOUN", "ADJ", "ADP", "DET", "NOUN", "VERB", "NOUN", "ADP", "NOUN"]
    automaton = compile_pattern("NOUN (ADJ | ADP DET? NOUN)*", names)
    column = np.array([names.index(word) for word in words], dtype=np.uint8)
    assert together(automaton.find(column, Bounds(np.array([0, 10]))))._asdict() == {
        "first": pytest.approx(np.array([1, 7])),
        "length": pytest.approx(np.array([5, 3])),
    }


def test_a_category_that_the_corpus_does_not_have_matches_nothing() -> None:
    assert find("X", "ABCD", 3, "every") == []
    assert find("!X", "AB", 1, "every") == [(0, 1), (1, 1)]


def test_no_categories_at_all() -> None:
    spans = together(compile_pattern("NOUN", []).find(np.zeros(0, dtype=np.uint8), Bounds(np.array([0]))))
    assert (spans.first.tolist(), spans.length.tolist()) == ([], [])


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("", "ends where a category should be"),
        ("NOUN (ADP", "not closed"),
        ("NOUN )", "where it should end"),
        ("* NOUN", "where a category should be"),
        ("NOUN | ", "ends where a category should be"),
        ("NOUN & ADJ", "'&' where a category should be"),
        ("(" * 1_000 + "A", "too many brackets"),
        ("A " * 101, "more than 100"),
        ("(A | B)* A" + " (A | B)" * 14, "too intricate"),
    ],
)
def test_what_is_no_pattern_is_refused(pattern: str, problem: str) -> None:
    with pytest.raises(UsageError, match=re.escape(problem)):
        compile_pattern(pattern, NAMES)
