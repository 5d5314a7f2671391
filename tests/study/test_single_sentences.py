from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.bad_texts import TEXTS
from trasmallo.study.sentences import cut
from trasmallo.study.single_sentences import SentenceCutter, SentenceTokens, sentence_cutter

PIECES = [
    "casa",
    "Casa",
    "3",
    "1.",
    "Sr.",
    "p.",
    "ej.",
    "EE.",
    "UU.",
    ".",
    "...",
    "?",
    "¿",
    "»",
    "(",
    ")",
    '"',
    "-",
    " ",
    "  ",
    "\n",
]
ODD = ["\t", "\r", "\u00ad", "e\u0301", "\u200d", "中文", "😀", "a@b.es", "\0"]


def by_the_rules(text: str, language: str) -> SentenceTokens:
    tokens, sentences = cut(text, language)
    return SentenceTokens(tokens.words, list(tokens.starts), list(tokens.ends), sentences)


def test_a_sentence_is_cut_without_the_rules_for_whole_texts() -> None:
    found = sentence_cutter("es").cut("¿Vienes, Ana?»\n")
    words = ["¿", "Vienes", ",", "Ana", "?", "»"]
    assert found == SentenceTokens(words, [0, 1, 7, 9, 12, 13], [1, 7, 8, 12, 13, 14], [(0, 6)])
    assert sentence_cutter("es").cut("") == ([], [], [], [])


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Uno. Dos.", [(0, 2), (2, 4)]),
        ("Fue en Yahoo! con otros.", [(0, 7)]),
        ("El Sr. Pérez vino. - Y ella (no).", [(0, 5), (5, 12)]),
        ("1. Uno. 2. Dos.", [(0, 4), (4, 8)]),
        ("Dijo: ¿qué? - preguntó.", [(0, 8)]),
    ],
)
def test_several_sentences_are_told_apart(text: str, sentences: list[tuple[int, int]]) -> None:
    found = sentence_cutter("es").cut(text)
    assert found == by_the_rules(text, "es")
    assert found.sentences == sentences


@pytest.mark.parametrize(
    "text",
    ["Uno.Dos.", "Uno\nDos", "Véase p. ej. esto", "e\u0301l", "la\u00adgo", "中文", "a " * 2_000],
)
def test_what_the_whole_text_decides_is_left_to_it(text: str) -> None:
    assert sentence_cutter("es").cut(text) is None


@given(st.one_of(st.lists(st.sampled_from([*PIECES, *ODD]), max_size=12).map("".join), st.text(max_size=60)))
@example("Vive en EE. UU.")
@example("casa. ")
@example("casa. \n")
def test_the_tokens_are_those_of_the_rules(text: str) -> None:
    for language in ("es", "und"):
        found = sentence_cutter(language).cut(text)
        assert found is None or found == by_the_rules(text, language)


@pytest.mark.parametrize("name", TEXTS)
def test_bad_texts(name: str) -> None:
    text = TEXTS[name](500)
    found = sentence_cutter("es").cut(text)
    assert found is None or found == by_the_rules(text, "es")


def test_no_more_chunks_are_kept_than_allowed() -> None:
    cutter = SentenceCutter("es", most=10)
    for number in range(100):
        assert cutter.cut(f"palabra{number} final{number}") == by_the_rules(f"palabra{number} final{number}", "es")
        assert cutter.kept() <= 20
    cutter.cut("a" * 101 + " b")
    assert cutter.kept() <= 20
