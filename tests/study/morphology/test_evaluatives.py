from __future__ import annotations

import pytest

from support.small_lexicon import tables
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.compilation import entries
from trasmallo.study.morphology.evaluatives import Evaluatives
from trasmallo.study.morphology.tables import LexiconTables, pack

SPANISH = Evaluatives(rules.load("es"), tables().find)


@pytest.mark.parametrize(
    ("word", "lemma", "features"),
    [
        ("piececito", "pie", "Degree=Dim|Gender=Masc|Number=Sing"),
        ("pececillos", "pez", "Degree=Dim|Gender=Masc|Number=Plur"),
        ("florecilla", "flor", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("puertecita", "puerta", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("lapicitos", "lápiz", "Degree=Dim|Gender=Masc|Number=Plur"),
        ("manita", "mano", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("fortísimas", "fuerte", "Degree=Abs|Gender=Fem|Number=Plur"),
        ("fidelísimo", "fiel", "Degree=Abs|Gender=Masc|Number=Sing"),
        ("celebérrima", "célebre", "Degree=Abs|Gender=Fem|Number=Sing"),
        ("jovencísimo", "joven", "Degree=Abs|Gender=Masc|Number=Sing"),
        ("chicazo", "chico", "Degree=Aug|Gender=Masc|Number=Sing"),
        ("portazo", "puerta", "Degree=Aug|Gender=Masc|Number=Sing"),
        ("tiarrón", "tío", "Degree=Aug|Gender=Masc|Number=Sing"),
    ],
)
def test_the_plain_word_and_its_degree(word: str, lemma: str, features: str) -> None:
    assert (lemma, features) in [(found.lemma, found.features) for found in SPANISH.analyse(word)]


def test_of_two_plain_words_that_with_the_same_vowel_is_meant() -> None:
    assert {found.lemma for found in SPANISH.analyse("librucho")} == {"libro"}


@pytest.mark.parametrize("word", ["robita", "chicecito", "secillo", "clubcito", "ito", ""])
def test_a_stem_that_the_ending_does_not_go_with(word: str) -> None:
    assert SPANISH.analyse(word) == []


def test_of_a_listed_word_only_the_surest_endings_are_told() -> None:
    assert [found.lemma for found in SPANISH.listed("florecilla", {("florecilla", "NOUN")})] == ["flor"]
    assert SPANISH.listed("casona", {("casona", "NOUN")}) == []
    assert SPANISH.listed("altísimo", {("altísimo", "ADJ"), ("alto", "ADJ")}) == []


ROWS = {
    "igual": [("igual", "AQ0CS00")],
    "papá": [("papá", "NCMS000")],
    "palacio": [("palacio", "NCMS000")],
    "piedra": [("piedra", "NCFS000")],
    "pared": [("pared", "NCFS000")],
    "uña": [("uña", "NCFS000")],
    "mujer": [("mujer", "NCFS000")],
    "mujerío": [("mujerío", "NCMS000")],
    "bas": [("ba", "NCFP000")],
    "nuevo": [("nuevo", "AQ0MS00")],
    "viejo": [("viejo", "AQ0MS00"), ("viejo", "NCMS000")],
    "libro": [("libro", "NCMS000")],
    "libre": [("libre", "NCMS000")],
}
OTHERS = Evaluatives(rules.load("es"), LexiconTables(b"".join(pack(entries("es", ROWS)))).find)


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("igualita", "igual"),
        ("papito", "papá"),
        ("papaíto", "papá"),
        ("palacete", "palacio"),
        ("pedrezuela", "piedra"),
        ("paredcita", "pared"),
        ("uñita", "uña"),
        ("mujerón", "mujer"),
        ("novísimos", "nuevo"),
    ],
)
def test_words_by_the_shape_of_their_ends(word: str, lemma: str) -> None:
    assert lemma in {found.lemma for found in OTHERS.analyse(word)}


def test_no_plural_and_no_lost_accent_is_a_plain_word() -> None:
    assert "mujerío" not in {found.lemma for found in OTHERS.analyse("mujerón")}
    assert OTHERS.analyse("basecita") == []


def test_a_superlative_that_is_listed_as_a_noun_is_an_adjective_too() -> None:
    assert [(found.lemma, found.category) for found in OTHERS.listed("novísimo", {("novísimo", "NOUN")})] == [("nuevo", "ADJ")]


def test_what_is_made_from_a_noun_that_is_an_adjective_too_is_both() -> None:
    found = OTHERS.listed("viejecito", {("viejecito", "NOUN")})
    assert {(one.lemma, one.category) for one in found} == {("viejo", "NOUN"), ("viejo", "ADJ")}


def test_the_base_with_the_ending_s_own_vowel_comes_first() -> None:
    assert {one.lemma for one in OTHERS.analyse("librazo")} == {"libro"}


LISTED = {
    "perro": [("perro", "NCMS000")],
    "perra": [("perro", "NCFS000"), ("perra", "NCFS000")],
    "puerta": [("puerta", "NCFS000")],
    "puerto": [("puerto", "NCMS000")],
    "panza": [("panza", "NCFS000")],
    "amaro": [("amaro", "NCMS000")],
    "mesa": [("mesa", "NCFS000")],
    "chaqueta": [("chaqueta", "NCFS000")],
    "chaco": [("chaco", "NCMS000")],
    "cap": [("capítulo", "NCMS000")],
    "callando": [("callar", "VMG0000")],
    "médico": [("médico", "NCMS000")],
    "valido": [("valido", "NCMS000"), ("valido", "AQ0MS00")],
    "válido": [("válido", "AQ0MS00")],
    "malo": [("malo", "AQ0MS00")],
    "mal": [("mal", "AQ0MS00")],
    "optimista": [("optimista", "AQ0CS00")],
    "comentario": [("comentario", "NCMS000")],
    "jardín": [("jardín", "NCMS000")],
    "teoría": [("teoría", "NCFS000")],
    "parque": [("parque", "NCMS000")],
    "arco": [("arco", "NCMS000")],
    "arce": [("arce", "NCMS000")],
    "feo": [("feo", "AQ0MS00")],
    "bocado": [("bocado", "NCMS000")],
    "bocadillo": [("bocadillo", "NCMS000")],
}
MORE = Evaluatives(rules.load("es"), LexiconTables(b"".join(pack(entries("es", LISTED)))).find)


@pytest.mark.parametrize(
    ("word", "category", "lemmas"),
    [
        ("mesilla", "NOUN", ["mesa"]),
        ("chaquetón", "NOUN", ["chaqueta"]),
        ("medicucho", "NOUN", ["médico"]),
        ("panzón", "ADJ", ["panza"]),
        ("amarillo", "NOUN", []),
        ("capón", "NOUN", []),
    ],
)
def test_listed_words_have_the_plain_word_that_they_are_made_from(word: str, category: str, lemmas: list[str]) -> None:
    assert [found.lemma for found in MORE.listed(word, {(word, category)})] == lemmas


def test_a_masculine_augmentative_may_be_of_a_feminine_noun_but_not_of_a_living_being() -> None:
    assert [found.lemma for found in MORE.analyse("puertazo")] == ["puerto", "puerta"]
    assert [found.lemma for found in MORE.analyse("perrazo")] == ["perro"]


@pytest.mark.parametrize(
    ("word", "lemmas"),
    [
        ("optimistísimo", {"optimista"}),
        ("comentarillo", {"comentario"}),
        ("jardincete", {"jardín"}),
        ("teoriíta", {"teoría"}),
        ("parquito", {"parque"}),
        ("feota", {"feo"}),
        ("arquito", {"arco"}),
        ("malísimo", {"malo"}),
        ("validísimo", {"valido", "válido"}),
        ("bocadillito", {"bocadillo"}),
    ],
)
def test_the_plain_words_of_a_degree_and_no_others(word: str, lemmas: set[str]) -> None:
    assert {found.lemma for found in MORE.analyse(word) if found.lemma[:-1] != word[:-1]} == lemmas


def test_learned_words_may_have_several_plain_ones_and_native_ones_come_first() -> None:
    rows = {"frío": [("frío", "AQ0MS00")], "frígido": [("frígido", "AQ0MS00")], "gente": [("gente", "NCFS000")]}
    rows |= {"macho": [("macho", "NCMS000")], "mach": [("mach", "NCMS000")], "fácil": [("fácil", "AQ0CS00")]}
    some = Evaluatives(rules.load("es"), LexiconTables(b"".join(pack(entries("es", rows)))).find)
    assert [found.lemma for found in some.analyse("frigidísima")] == ["frigidísimo", "frío", "frígido"]
    assert [found.lemma for found in some.analyse("machote")] == ["macho"]
    assert [found.lemma for found in some.listed("gentuza", {("gentuza", "NOUN")})] == ["gente"]
    assert "fácil" in [found.lemma for found in some.analyse("facílimo")]


def test_a_gerund_has_no_gender() -> None:
    assert MORE.analyse("callandita") == []


def test_a_gerund_may_be_small() -> None:
    (found,) = MORE.analyse("callandito")
    assert (found.lemma, found.category, found.features) == ("callar", "VERB", "Degree=Dim|VerbForm=Ger")
