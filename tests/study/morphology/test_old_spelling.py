from __future__ import annotations

import pytest

from trasmallo.study.morphology.old_spelling import OldSpelling
from trasmallo.values.model import Analysis

WORDS = {
    "ahora": [Analysis("ahora", "ADV")],
    "viniereis": [Analysis("venir", "VERB", "Number=Plur|Person=2")],
    "decirle": [Analysis("decir", "VERB", clitics=("le",), by="rule")],
    "hacer": [Analysis("hacer", "VERB", "VerbForm=Inf")],
    "habeis": [Analysis("haber", "AUX", "Person=2|Typo=Yes", by="rule")],
    "amabais": [Analysis("amar", "VERB", "Number=Plur|Person=2")],
    "hízose": [Analysis("hacer", "VERB", clitics=("se",), by="rule")],
    "volver": [Analysis("volver", "VERB", "VerbForm=Inf")],
    "gente": [Analysis("gente", "NOUN")],
    "nacer": [Analysis("nacer", "VERB", "VerbForm=Inf")],
    "vio": [Analysis("ver", "VERB")],
    "cajon": [Analysis("cajón", "NOUN", "Typo=Yes", by="rule")],
    "dijo": [Analysis("decir", "VERB"), Analysis("dije", "NOUN", by="guess")],
}
SPANISH = OldSpelling("es", lambda word: WORDS.get(word, []))


@pytest.mark.parametrize(
    ("word", "lemma", "clitics"),
    [
        ("agora", "ahora", ()),
        ("desta", "de", ("esta",)),
        ("viniéredes", "venir", ()),
        ("decille", "decir", ("le",)),
        ("fazer", "hacer", ()),
        ("dixo", "decir", ()),
        ("haveis", "haber", ()),
        ("amávades", "amar", ()),
        ("vinieredes", "venir", ()),
        ("fízose", "hacer", ("se",)),
        ("bolver", "volver", ()),
        ("jente", "gente", ()),
        ("nascer", "nacer", ()),
        ("dezille", "decir", ("le",)),
        ("vídosele", "ver", ("se", "le")),
        ("caxon", "cajón", ()),
    ],
)
def test_a_word_as_it_was_written_once(word: str, lemma: str, clitics: tuple[str, ...]) -> None:
    (found,) = SPANISH.analyse(word)
    assert (found.lemma, found.clitics, found.by) == (lemma, clitics, "rule")
    assert "Style=Arch" in found.features


@pytest.mark.parametrize("word", ["", "ahora", "xyz", "desto" * 20, "ss"])
def test_what_is_no_old_word(word: str) -> None:
    assert SPANISH.analyse(word) == []


def test_words_of_the_list_are_old_whatever_they_are_today() -> None:
    assert SPANISH.names("fijo")
    assert not SPANISH.names("dixo")


def test_a_language_without_an_older_stage() -> None:
    assert OldSpelling("en", lambda _: []).analyse("ye") == []
