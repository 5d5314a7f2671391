from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study.sentences import sentences
from trasmallo.study.tokenise import columns

steady = settings(deadline=None, derandomize=True)


def split(text: str, language: str = "es") -> list[str]:
    table = columns(text, language)
    return [text[table.starts[first] : table.ends[last - 1]] for first, last in sentences(table)]


@pytest.mark.parametrize(
    "expected",
    [
        ["El Sr. Pérez vive en EE. UU. desde 1990.", "¿Quién lo sabe?", "Nadie."],
        ["«Nadie», dijo.", "«¡Vete!»", "Y se fue."],
        ["Vale... pero no.", "Bueno…", "Ya veremos."],
        ["¡Ay!, gritó.", "¡Qué susto!"],
        ["Pan, vino, etc.", "Luego salió J. R. Tolkien."],
        ["Nació en EE. UU.", "La familia volvió."],
        ["Costó 3.5 euros (¡caro!) en 1990.", "2000 fue mejor."],
        ["1. Introducción al tema.", "2. Método."],
        ["Era el s. XX en la pág. 5.", "Fin."],
    ],
)
def test_spanish(expected: list[str]) -> None:
    assert split(" ".join(expected)) == expected


def test_english() -> None:
    expected = ["Mr. Smith left at 5 p.m.", "The U.S. Army came.", '"Really?" he asked.', "(Yes.)", "No."]
    assert split(" ".join(expected), "en") == expected


def test_breaks_end_sentences() -> None:
    assert split("Un título\nUna frase\r\n\r\nsin punto\u2029y otra") == ["Un título", "Una frase", "sin punto", "y otra"]


def test_a_forgotten_blank() -> None:
    assert split("Llegó al fin.Luego se fue.") == ["Llegó al fin.", "Luego se fue."]


def test_chinese() -> None:
    assert split("我来了。你好！", "zh") == ["我来了。", "你好！"]


@steady
@given(st.text(alphabet="aA.!?…¿¡\"'»(- \n1,。東") | st.text(), st.sampled_from(["es", "en", "und"]))
def test_every_token_is_in_one_sentence(text: str, language: str) -> None:
    table = columns(text, language)
    ranges = sentences(table)
    assert [index for first, last in ranges for index in range(first, last)] == list(range(len(table)))
    assert all(first < last for first, last in ranges)
