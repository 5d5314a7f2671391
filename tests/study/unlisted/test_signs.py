from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.sentences import cut
from trasmallo.study.unlisted.signs import SIGNS, Sign, shares, signs_of


def signs(text: str, word: str) -> int:
    whole = cut(text, "es")
    strange = np.array([one in ("flumbe", "dranto") for one in whole.tokens.words])
    place = whole.tokens.words.index(word)
    return int(signs_of(whole, np.array([place]), strange, "es")[0])


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("Vino una barcoteca nueva.", "barcoteca", Sign.SMALL | Sign.AFTER_DETERMINER),
        ("Flumbear cansa.", "Flumbear", Sign.CAPITAL_FIRST),
        ("«Flumbear cansa», dijo.", "Flumbear", Sign.CAPITAL_FIRST | Sign.QUOTED),
        ("Vino Flumberto Ruiz.", "Flumberto", Sign.CAPITAL_INSIDE | Sign.BEFORE_CAPITAL),
        ("Vino doña Flumberta.", "Flumberta", Sign.CAPITAL_INSIDE | Sign.AFTER_TITLE),
        ("Votó el PFLU ayer.", "PFLU", Sign.CAPITALS | Sign.AFTER_DETERMINER),
        ("GRAN FLUMBEO NACIONAL", "FLUMBEO", Sign.SHOUTED | Sign.BEFORE_CAPITAL),
        ("Un iFlumbe caro.", "iFlumbe", Sign.MIXED | Sign.AFTER_DETERMINER),
        ("Dijo flumbe dranto.", "flumbe", Sign.SMALL | Sign.BEFORE_STRANGE),
        ("El llamado efecto flumb pasa.", "flumb", Sign.SMALL | Sign.INTRODUCED),
        ("Está en /flumb y ya.", "flumb", Sign.SMALL | Sign.IN_CODE),
        ("Un fichero .flumb vacío.", "flumb", Sign.SMALL | Sign.IN_CODE),
        ("Flumberto pintó un retrato.", "Flumberto", Sign.CAPITAL_FIRST | Sign.OPENS_BEFORE_VERB),
        ("Flumberto no ha vuelto.", "Flumberto", Sign.CAPITAL_FIRST | Sign.OPENS_BEFORE_VERB),
        ("Flumbear con arte.", "Flumbear", Sign.CAPITAL_FIRST),
        ("En la flumb. tercera, dijo.", "flumb", Sign.SMALL | Sign.AFTER_DETERMINER | Sign.WITH_POINT),
    ],
)
def test_what_stands_around_a_word(text: str, word: str, found: int) -> None:
    assert signs(text, word) == found


PIECES = ["casa", "El", "llamado", "FLUMB", "iFlu", "flumb", "don", ".", ",", "«", "»", "/", "_", "…", "—", "¿", "1", "\n", " "]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=30), st.sampled_from(["", " "]))
def test_many_places_are_told_as_one_by_one(pieces: list[str], between: str) -> None:
    whole = cut(between.join(pieces), "es")
    places = np.flatnonzero([len(word) > 1 for word in whole.tokens.words])
    strange = np.array([word == "flumb" for word in whole.tokens.words], np.bool_)
    found = signs_of(whole, places, strange, "es").tolist()
    assert found == [int(signs_of(whole, np.array([place]), strange, "es")[0]) for place in places.tolist()]
    writings = int(Sign.SMALL | Sign.CAPITAL_INSIDE | Sign.CAPITAL_FIRST | Sign.CAPITALS | Sign.MIXED | Sign.SHOUTED)
    assert all((one & writings).bit_count() == 1 for one in found)


def test_signs_become_columns() -> None:
    found = shares([Sign.SMALL, Sign.SMALL | Sign.QUOTED])
    assert found.shape == (2, len(SIGNS))
    assert found[:, SIGNS.index(Sign.QUOTED)].tolist() == [0, 1]
    assert shares([]).shape == (0, len(SIGNS))
