from __future__ import annotations

import pytest

from support.small_lexicon import tables
from trasmallo.study.morphology.compilation import entries


def told(form: str) -> list[tuple[str, str, str]]:
    return [(form[: len(form) - one.cut] + one.add, one.category, one.features) for one in tables().find(form)]


@pytest.mark.parametrize(("form", "lemma"), [("guion", "guion"), ("guiones", "guion"), ("hui", "huir"), ("adecua", "adecuar")])
def test_spellings_without_an_accent_that_are_right(form: str, lemma: str) -> None:
    assert lemma in [its for its, _, features in told(form) if "Typo" not in features]


def test_words_that_are_others_without_their_accent_keep_it() -> None:
    assert told("tú")[0][0] == "tú"
    assert ("tú", "PRON", "Case=Nom|Number=Sing|Person=2|PronType=Prs|Typo=Yes") in told("tu")


def test_an_accent_forgotten_stands_behind_what_is_right() -> None:
    assert told("seria") == [
        ("serio", "ADJ", "Gender=Fem|Number=Sing"),
        ("ser", "AUX", "Mood=Cnd|Number=Sing|Person=1,3|Typo=Yes|VerbForm=Fin"),
    ]


def test_the_second_person_where_another_form_is_written_so() -> None:
    (found,) = told("reí")
    assert found == ("reír", "VERB", "Mood=Imp,Ind|Number=Sing|Person=1,2|Tense=Past|VerbForm=Fin")


def test_an_imperative_of_the_americas_beside_the_past_of_another_verb() -> None:
    rows = {"vender": [("vender", "VMN0000")], "vendé": [("vendar", "VMIS1S0")], "empecer": [("empecer", "VMN0000")]}
    forms = entries("es", rows | {"empecé": [("empezar", "VMIS1S0")]})
    assert [one.tag for one in forms["vendé"]] == ["VMIS1S0", "VMM02S0"]
    assert [one.tag for one in forms["empecé"]] == ["VMIS1S0"]


def test_imperatives_that_the_lexicon_writes_without_their_accent() -> None:
    rows = {"venir": [("venir", "VMN0000")], "ven": [("venir", "VMM02S0")], "preven": [("prevenir", "VMM02S0")]}
    forms = entries("es", rows)
    assert [(one.tag, one.features.count("Typo")) for one in forms["prevén"]] == [("VMM02S0", 0)]
    assert [one.features.count("Typo") for one in forms["preven"]] == [1]
    assert [one.tag for one in forms["ven"]] == ["VMM02S0"]


def test_persons_without_gender_where_a_verb_is_written_so() -> None:
    rows = {"amigo": [("amigo", "NCMS000")], "amigos": [("amigo", "NCMP000")], "amiga": [("amigo", "NCFS000")]}
    rows |= {"amigas": [("amigo", "NCFP000")], "amigues": [("amigar", "VMSP2S0")]}
    assert [(one.category, "Gender=Incl" in one.features) for one in entries("es", rows)["amigues"]] == [
        ("VERB", False),
        ("NOUN", True),
    ]


def test_pronouns_in_a_listed_word() -> None:
    assert [(one.category, one.clitics) for one in tables().find("hacerte")] == [("NOUN", ()), ("VERB", ("te",))]


def test_the_plain_word_of_a_listed_superlative() -> None:
    assert ("alto", "ADJ", "Degree=Abs|Gender=Masc|Number=Sing") in told("altísimo")


def test_a_verb_with_two_participles_has_the_regular_one_where_it_is_listed_as_an_adjective() -> None:
    rows = {"maldecir": [("maldecir", "VMN0000")], "maldecido": [("maldecido", "AQ0MS00")]}
    assert [(one.add, one.category) for one in entries("es", rows)["maldecido"]] == [("", "ADJ"), ("r", "VERB")]


def test_participles_as_they_are_written_elsewhere() -> None:
    assert ("describir", "VERB", "Gender=Masc|Number=Sing|Tense=Past|VerbForm=Part") in told("descripto")
