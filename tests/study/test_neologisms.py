from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.neologisms import Kind, Occurrence, rank, unrecognised

DAY = 86_400.0


def kinds(text: str, language: str = "es") -> dict[str, Kind]:
    return {one.word: one.kind for one in unrecognised(text, language)}


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("Ayer vino Flumberto a casa.", "Flumberto", Kind.NAME),
        ("Ayer vino Gatín a casa.", "Gatín", Kind.NAME),
        ("Eleuterio vino a casa.", "Eleuterio", Kind.NAME),
        ("Turistización es lo que sufre el puerto.", "Turistización", Kind.FORMED),
        ("Estava lloviendo ayer.", "Estava", Kind.MISTAKE),
        ("Una barcoteca vino. Barcoteca es un nombre raro.", "Barcoteca", Kind.CANDIDATE),
        ("La PFLU votó en contra.", "PFLU", Kind.ABBREVIATION),
        ("Está en /flumb y ya.", "flumb", Kind.SEQUENCE),
        ("Flumbear es bueno y flumbear cansa.", "Flumbear", Kind.CANDIDATE),
        ("La barcoteca llega al puerto.", "barcoteca", Kind.CANDIDATE),
        ("Escribe a a@b.es si quieres.", "a@b.es", Kind.SEQUENCE),
        ("Es un h4x0r terrible.", "h4x0r", Kind.SEQUENCE),
        ("Un gobierno ultramoderno.", "ultramoderno", Kind.FORMED),
        ("La cancion suena.", "cancion", Kind.MISTAKE),
        ("Los goviernos caen.", "goviernos", Kind.MISTAKE),
        ("El whistleblower duele.", "whistleblower", Kind.FOREIGN),
        ("Dijo flumbe dranto sin más.", "flumbe", Kind.FOREIGN),
    ],
)
def test_the_kind_of_a_word(text: str, word: str, kind: Kind) -> None:
    assert kinds(text)[word] == kind


@pytest.mark.parametrize(
    "text",
    [
        "El pequeñín y la pequeñina, unos pillines.",
        "Ahorita voy, un poquito más.",
        "Vámonos, dándoselo rápidamente.",
        "La casita altísima de 1.234 metros, ¿no?",
        "Siglo XIV.",
        "",
        "¡...!",
    ],
)
def test_what_is_recognised_is_not_told(text: str) -> None:
    assert kinds(text) == {}


def test_a_mistake_names_the_word_that_was_meant() -> None:
    found = {one.word: one.nearest for one in unrecognised("La cancion de los goviernos europoes.")}
    assert found == {"cancion": "canción", "goviernos": "gobiernos", "europoes": "europeos"}


def test_an_occurrence_has_its_place_and_context() -> None:
    text = (
        "Palabra tras palabra, todo el mundo sabe lo que es. " * 3
        + "La barcoteca llega al puerto. "
        + "Y así sigue el cuento. " * 9
    )
    (found,) = unrecognised(text)
    assert text[found.start : found.end] == found.word == "barcoteca"
    assert "La barcoteca llega al puerto." in found.context
    assert len(found.context) <= 80
    assert f" {found.context} " in text, "no word is cut"


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("La barcoteca", "La barcoteca"),
        ("." * 50 + "barcoteca", "." * 35 + "barcoteca"),
        ("«barcoteca», dijo", "«barcoteca», dijo"),
    ],
)
def test_a_context_is_whole_at_the_ends_of_the_text_and_cut_where_there_is_no_blank(text: str, context: str) -> None:
    assert [one.context for one in unrecognised(text) if one.word == "barcoteca"] == [context]


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    assert all(text[one.start : one.end] for one in unrecognised(text))


def occurrence(word: str, url: str, site: str, at: float) -> Occurrence:
    return Occurrence(word, Kind.CANDIDATE, url, site, at)


def test_words_spread_over_sites_and_days_come_first() -> None:
    local = [occurrence("local", "http://a/1", "a", DAY)] * 9
    spread = [occurrence("spread", f"http://{site}/1", site, day * DAY) for day, site in enumerate("abc", 1)]
    listed = [occurrence("listed", one.url, one.site, one.at) for one in spread]
    found = rank([*local, *listed, *spread], {"listed": 40.0})
    assert [one.word for one in found] == ["spread", "local", "listed"]
    assert (found[0].frequency, found[0].documents, found[0].sites, found[0].days) == (3, 3, 3, 3)
    assert (found[0].first_url, found[0].first_at) == ("http://a/1", DAY)
    assert rank([]) == []


def test_english_contractions_are_no_new_words() -> None:
    assert [one.word for one in unrecognised("It's late and they don't sleep, but flumbing’s fun.", "en")] == ["flumbing’s"]
