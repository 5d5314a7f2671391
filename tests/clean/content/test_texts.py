from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.content.texts import ROWS, SHORT, Phrases, text_words

VALUES = {"read": -1.0, "more": -2.0, "dijo": 0.5}


def told(text: str) -> dict[str, float]:
    return dict(zip(ROWS, Phrases(VALUES.get)([text])[0], strict=True))


def test_words_of_the_beginning_of_a_text() -> None:
    assert text_words("Read MORE: 3 años") == ["read", "more", "años"]
    assert len("".join(text_words("palabra " * 1000))) < 100


@pytest.mark.parametrize(
    ("text", "least", "most", "tone"),
    [("Read more", -2.0, -1.0, -1.5), ("Read on", -1.0, 0.0, -0.5), ("Read", -1.0, -1.0, -1.0), ("Nada", 0.0, 0.0, 0.0)],
)
def test_words_are_weighed(text: str, least: float, most: float, tone: float) -> None:
    found = told(text)

    assert (found["least"], found["most"], found["tone"]) == (least, most, tone)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("12.03.2020, 10:15", {"dated", "commas", "digits"}),
        ("© Diario", {"sign"}),
        ("desde 3 €", {"price", "lower", "digits"}),
        ("AVISO", {"upper"}),
        ("Vino. Vio.", {"end", "commas"}),
    ],
)
def test_signs_of_short_texts(text: str, signs: set[str]) -> None:
    assert {row for row, figure in told(text).items() if figure and row != "spaces"} == signs


def test_a_long_text_has_no_signs_of_short_ones() -> None:
    found = told("EN 2020 POR 3 € | " * SHORT)

    assert not any(found[row] for row in ("digits", "dated", "upper", "sign", "price"))


@given(st.lists(st.text(min_size=1, max_size=SHORT + 20), max_size=20))
def test_what_is_remembered_is_what_would_be_read(texts: list[str]) -> None:
    phrases = Phrases(VALUES.get)

    assert phrases(texts + texts) == [told for text in texts + texts for told in Phrases(VALUES.get)([text])]
