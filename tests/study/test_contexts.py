"""What stands around words: every context is what cutting the text by hand gives."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.contexts import CONTEXT, contexts


def by_hand(text: str, start: int, end: int) -> str:
    """One context: so many characters on both sides, without a piece of a word at their ends."""
    spare = max(CONTEXT - (end - start), 0) // 2
    low, high = max(start - spare, 0), min(end + spare, len(text))
    before, after = text[low:start], text[end:high]
    if low and not text[low - 1].isspace():
        before = re.sub(r"^\S+(?=\s)", "", before)
    if high < len(text) and not text[high].isspace():
        after = re.sub(r"(?<=\s)\S+\Z", "", after)
    return " ".join((before + text[start:end] + after).split())


def words_of(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\w+", text)]


def of_all(text: str) -> list[str]:
    starts, ends = np.array(words_of(text), np.int64).reshape(-1, 2).T
    return contexts(text, starts, ends)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        " a ",
        "uno dos\n\n  tres\tcuatro" * 9,
        "la palabra final de una línea\n" * 9,
        "x" * 300,
        "x" * 90 + " y " + "z" * 90,
        "\u2003a\u00a0b\u3000c " * 30,
        "\ud800 mitad de un par \U0001f300 y un signo " * 4,
    ],
)
def test_as_by_hand(text: str) -> None:
    assert of_all(text) == [by_hand(text, *bounds) for bounds in words_of(text)]


PIECES = ["a", "ébano", "x" * 45, " ", "  ", "\n", "\u2028", ". ", "-"]


@given(st.lists(st.sampled_from(PIECES), min_size=20, max_size=90).map("".join))
def test_any_text_as_by_hand(text: str) -> None:
    assert of_all(text) == [by_hand(text, *bounds) for bounds in words_of(text)]


def test_no_longer_than_told() -> None:
    assert {len(context) <= CONTEXT for context in of_all("el barco vuelve al puerto de noche " * 20)} == {True}
