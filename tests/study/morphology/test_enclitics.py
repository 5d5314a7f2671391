from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_lexicon import tables
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.compilation import entries
from trasmallo.study.morphology.enclitics import Enclitics
from trasmallo.study.morphology.tables import LexiconTables, pack
from trasmallo.study.morphology.tags import Tags

SPANISH = Enclitics(rules.load("es"), Tags("es"), tables().find)
PRONOUNS = ["me", "te", "se", "nos", "os", "lo", "la", "los", "las", "le", "les"]


@pytest.mark.parametrize(
    ("word", "lemma", "clitics"),
    [
        ("dándoselo", "dar", ("se", "lo")),
        ("dámela", "dar", ("me", "la")),
        ("deme", "dar", ("me",)),
        ("dímelo", "decir", ("me", "lo")),
        ("vámonos", "ir", ("nos",)),
        ("sentémonos", "sentar", ("nos",)),
        ("sentaos", "sentar", ("os",)),
        ("estate", "estar", ("te",)),
        ("decírselo", "decir", ("se", "lo")),
        ("enviármelas", "enviar", ("me", "las")),
        ("sentársenos", "sentar", ("se", "nos")),
    ],
)
def test_the_verb_and_its_pronouns(word: str, lemma: str, clitics: tuple[str, ...]) -> None:
    sure, unsure = SPANISH.analyse(word)
    assert [(found.lemma, found.clitics, found.by) for found in sure] == [(lemma, clitics, "rule")]
    assert unsure == []


def test_a_forgotten_accent_is_marked() -> None:
    sure, (found,) = SPANISH.analyse("dandole")
    assert sure == []
    assert (found.lemma, found.features) == ("dar", "Typo=Yes|VerbForm=Ger")


@pytest.mark.parametrize("word", ["casas", "me", "lo", "", "casale", "cantadolo", "ndole"])
def test_what_is_no_verb_with_pronouns(word: str) -> None:
    assert SPANISH.analyse(word)[0] == []


@pytest.mark.parametrize(
    ("word", "lemma", "clitics"),
    [
        ("díjole", "decir", ("le",)),
        ("quedose", "quedar", ("se",)),
        ("quedóse", "quedar", ("se",)),
        ("decíamoslo", "decir", ("lo",)),
        ("direlo", "decir", ("lo",)),
        ("dirase", "decir", ("se",)),
    ],
)
def test_pronouns_where_they_stood_once(word: str, lemma: str, clitics: tuple[str, ...]) -> None:
    (found,), _ = SPANISH.analyse(word)
    assert (found.lemma, found.clitics) == (lemma, clitics)
    assert "Style=Arch" in found.features


def test_an_old_reading_hides_none_that_lacks_its_accent() -> None:
    rows = {"hallar": [("hallar", "VMN0000")], "hallé": [("hallar", "VMIS1S0")], "halle": [("hallar", "VMM03S0")]}
    find = LexiconTables(b"".join(pack(entries("es", rows)))).find
    sure, unsure = Enclitics(rules.load("es"), Tags("es"), find).analyse("halleme")
    assert [("Style=Arch" in one.features, "Typo=Yes" in one.features) for one in (*sure, *unsure)] == [
        (True, False),
        (False, True),
    ]


def test_pronouns_stood_behind_the_subjunctive_too() -> None:
    found, _ = SPANISH.analyse("dijérale")
    assert found
    assert all(one.clitics == ("le",) and "Mood=Sub" in one.features and "Style=Arch" in one.features for one in found)
    assert SPANISH.analyse("dijerale")[0] == []


@pytest.mark.parametrize("word", ["tense", "dados", "tenos", "sentadte", "sentados"])
def test_pronouns_that_the_form_does_not_take(word: str) -> None:
    assert SPANISH.analyse(word)[0] == []


def test_an_accent_too_much_is_a_mistake() -> None:
    sure, (found,) = SPANISH.analyse("estáte")
    assert (sure, found.lemma, found.features) == ([], "estar", "Mood=Imp|Number=Sing|Person=2|Typo=Yes|VerbForm=Fin")


def test_words_worth_a_look() -> None:
    forms = {form: tables().find(form) for form in ("dar", "casa", "da")}
    assert SPANISH.worth_analysing(["darte", "casas", "dale", "mesa"], forms) == ["darte", "dale"]


def test_in_a_listed_word_only_the_surest_hosts_count() -> None:
    assert SPANISH.analyse("díjole", listed=True)[0][0].lemma == "decir"
    assert SPANISH.analyse("casale", listed=True)[0] == []
    assert [found.clitics for found in SPANISH.analyse("hacerte", listed=True)[0]] == [("te",)]


@given(st.sampled_from(["dar", "decir", "sentar", "hacer", "vivir"]), st.sampled_from(PRONOUNS))
def test_an_infinitive_with_a_pronoun_comes_back(verb: str, pronoun: str) -> None:
    assert (verb, (pronoun,)) in {(found.lemma, found.clitics) for found in SPANISH.analyse(verb + pronoun)[0]}


@given(
    st.sampled_from(["dár", "decír", "sentár", "hacér"]),
    st.sampled_from(["me", "te", "se"]),
    st.sampled_from(["lo", "la", "los", "las"]),
)
def test_an_infinitive_with_two_pronouns_comes_back(accented: str, first: str, second: str) -> None:
    plain = accented.translate(str.maketrans("áéí", "aei"))
    assert (plain, (first, second)) in {(found.lemma, found.clitics) for found in SPANISH.analyse(accented + first + second)[0]}
