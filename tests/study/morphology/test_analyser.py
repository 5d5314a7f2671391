from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_lexicon import listed, small
from trasmallo.study.morphology.analyser import analyser, prepare
from trasmallo.values.model import Analysis

FORMS = sorted(form for form in listed() if form.islower())
MADE = ["dándoselo", "vámonos", "ultramoderno", "altísimo", "cancion", "tenés", "rápidamente"]


def told(word: str) -> list[tuple[str, str, str]]:
    return [(found.lemma, found.category, found.by) for found in small().analyse(word)]


def test_a_listed_word_has_all_its_readings() -> None:
    assert told("casa") == [("casa", "NOUN", "lexicon"), ("casar", "VERB", "lexicon")]


@pytest.mark.parametrize("word", ["la", "LA", ",", "casa", "flumbo"])
def test_what_is_given_may_be_changed(word: str) -> None:
    found = small().analyse(word)
    kept = found.copy()
    found.clear()
    assert small().analyse(word) == kept != []


def test_function_words_are_read_as_any_others() -> None:
    assert told("La") == told("la") == [("el", "DET", "lexicon"), ("él", "PRON", "lexicon")]
    # One that this lexicon lacks.
    assert (told("nosotras"), told("Nosotras")) == ([("nosotra", "NOUN", "guess")], [("Nosotras", "PROPN", "guess")])


@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("dB", ("decibelio", "NOUN", "lexicon")),
        ("XIV", ("xiv", "NUM", "rule")),
        ("1.234,5", ("1234.5", "NUM", "rule")),
        ("1.23,5", ("1.23,5", "NUM", "rule")),
        ("2026", ("2026", "NUM", "rule")),
        ("1990-95", ("1990-95", "NUM", "rule")),
        ("%", ("%", "SYM", "rule")),
        ("...", ("...", "PUNCT", "rule")),
        ("a1b2", ("a1b2", "X", "guess")),
        ("http://a.es/", ("http://a.es/", "X", "guess")),
        ("Trasmallo", ("Trasmallo", "PROPN", "guess")),
        ("flumbaciones", ("flumbación", "NOUN", "guess")),
        ("flumbeando", ("flumbear", "VERB", "guess")),
        ("w", ("w", "X", "guess")),
    ],
)
def test_one_reading(word: str, reading: tuple[str, str, str]) -> None:
    assert told(word) == [reading]


def test_a_word_in_capitals_may_be_a_number_too() -> None:
    assert ("di", "NUM", "rule") in told("DI")
    assert ("di", "NUM", "rule") not in told("di")


def test_nothing_has_no_reading() -> None:
    assert small().analyse("") == small().analyse("\u00ad") == []


@given(
    st.sampled_from(FORMS + MADE),
    st.sampled_from(["lower", "upper", "title"]),
    st.sampled_from(["NFC", "NFD"]),
    st.integers(0, 5),
)
def test_a_word_is_the_same_however_it_is_written(word: str, case: str, form: str, at: int) -> None:
    written = unicodedata.normalize(form, getattr(word, case)())
    written = written[:at] + "\u00ad" + written[at:]
    assert [found for found in told(written) if found[1:] != ("NUM", "rule")] == told(word)


@given(st.text(max_size=30))
def test_any_text_is_analysed(word: str) -> None:
    assert all(isinstance(found, Analysis) and found.by in ("lexicon", "rule", "guess") for found in small().analyse(word))


def test_a_word_of_a_megabyte() -> None:
    assert small().analyse("a" * 1_000_000)[0].by == "guess"


def test_guesses_of_a_category() -> None:
    guess = small().guess
    assert guess("flumbosas", "ADJ") == Analysis("flumboso", "ADJ", "Gender=Fem|Number=Plur", by="guess")
    assert guess("flumbó", "VERB") is not None
    assert guess("flumbó", "DET") is None


def test_the_real_lexicon() -> None:
    prepare("es", None)
    (found,) = analyser("es").analyse("dándoselo")
    assert found == Analysis("dar", "VERB", "VerbForm=Ger", "", ("se", "lo"), "rule", "VMG0000")
    assert {one.lemma for one in analyser("es").analyse("fue")} == {"ser", "ir"}
    assert analyser("en").analyse("children")[0].lemma == "child"
