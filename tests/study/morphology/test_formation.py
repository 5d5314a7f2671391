from __future__ import annotations

import pytest

from support.small_lexicon import formation
from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.morphology.formation import RulesByEnding
from trasmallo.values.model import Analysis


def test_what_may_be_an_adjective_is_no_verb_behind_a_hyphen() -> None:
    assert {(found.lemma, found.category) for found in formation().analyse("político-seria")} == {("político-serio", "ADJ")}


def test_two_adjectives_behind_a_hyphen_are_one_beside_two_nouns() -> None:
    assert {found[:2] for found in told("chico-chica")} >= {("chico-chico", "ADJ"), ("chico-chico", "NOUN")}
    assert {found[1] for found in told("niño-militar")} == {"ADJ"}
    assert "ADJ" not in {found[1] for found in told("ciudad-estado")}


def test_what_sorts_of_things_are_is_not_said_of_finite_verbs() -> None:
    assert {found[1:] for found in told("macrocasa")} == {("NOUN", "macro")}
    assert "VERB" in {found[1] for found in told("supercasa")}


def told(word: str) -> list[tuple[str, str, str]]:
    return [(found.lemma, found.category, found.prefix) for found in formation().analyse(word)]


@pytest.mark.parametrize(
    ("word", "lemma", "category", "features"),
    [
        ("rápidamente", "rápidamente", "ADV", ""),
        ("altísimamente", "altísimamente", "ADV", "Degree=Abs"),
        ("altísimamente", "altamente", "ADV", "Degree=Abs"),
        ("casita", "casa", "NOUN", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("chiquín", "chico", "NOUN", "Degree=Dim|Gender=Masc|Number=Sing"),
        ("casinas", "casa", "NOUN", "Degree=Dim|Gender=Fem|Number=Plur"),
        ("chiquitos", "chico", "NOUN", "Degree=Dim|Gender=Masc|Number=Plur"),
        ("lapicito", "lápiz", "NOUN", "Degree=Dim|Gender=Masc|Number=Sing"),
        ("altísima", "alto", "ADJ", "Degree=Abs|Gender=Fem|Number=Sing"),
        ("amabilísimo", "amable", "ADJ", "Degree=Abs|Gender=Masc|Number=Sing"),
        ("altisimas", "alto", "ADJ", "Degree=Abs|Gender=Fem|Number=Plur|Typo=Yes"),
        ("chiquetes", "chico", "NOUN", "Degree=Dim|Gender=Masc|Number=Plur"),
        ("casona", "casa", "NOUN", "Degree=Aug|Gender=Fem|Number=Sing"),
        ("clubs", "club", "NOUN", "Gender=Masc|Number=Plur"),
        ("gais", "gay", "NOUN", "Number=Plur"),
        ("cásas", "casa", "NOUN", "Gender=Fem|Number=Plur|Typo=Yes"),
        ("tenés", "tener", "VERB", "Mood=Ind|Number=Sing|Person=2|Tense=Pres|VerbForm=Fin"),
        ("viví", "vivir", "VERB", "Mood=Imp|Number=Sing|Person=2|VerbForm=Fin"),
        ("decime", "decir", "VERB", "Mood=Imp|Number=Sing|Person=2|VerbForm=Fin"),
        ("peatonalización", "peatonalización", "NOUN", "Gender=Fem|Number=Sing"),
        ("peatonalizado", "peatonalizar", "VERB", "Gender=Masc|Number=Sing|Tense=Past|VerbForm=Part"),
        ("enviable", "enviable", "ADJ", "Number=Sing"),
        ("treintaidós", "treintaidós", "NUM", "NumForm=Word|NumType=Card"),
        ("cása", "casa", "NOUN", "Gender=Fem|Number=Sing|Typo=Yes"),
    ],
)
def test_a_word_made_from_a_known_one(word: str, lemma: str, category: str, features: str) -> None:
    found = formation().analyse(word)
    assert (lemma, category, features) in [(one.lemma, one.category, one.features) for one in found]
    assert {one.by for one in found} == {"rule"}


@pytest.mark.parametrize(
    ("word", "lemma", "prefix"),
    [
        ("ultramoderno", "ultramoderno", "ultra"),
        ("deimprimir", "deimprimir", "de"),
        ("superultramoderno", "superultramoderno", "superultra"),
        ("antirrobo", "antirrobo", "anti"),
        ("anti-robo", "anti-robo", "anti-"),
        ("reenviar", "reenviar", "re"),
        ("inútil", "inútil", "in"),
        ("improbable", "improbable", "im"),
        ("reenviármelo", "reenviar", "re"),
        ("político-militar", "político-militar", "político-"),
    ],
)
def test_prefixes_are_split_off(word: str, lemma: str, prefix: str) -> None:
    assert (lemma, prefix) in [(found[0], found[2]) for found in told(word)]


def test_an_adverb_of_one_syllable_takes_an_accent_behind_a_prefix() -> None:
    found = analyser("es").analyse("superbién")
    assert ("superbién", "ADV", "super") in [(one.lemma, one.category, one.prefix) for one in found]
    assert analyser("es").analyse("supermal")[0].category == "ADV"


@pytest.mark.parametrize("word", ["", "xyz", "relápiz", "incasa", "qwmente", "itos", "ás", "a-b", "-", "s" * 500, "dabdalo"])
def test_what_no_rule_makes(word: str) -> None:
    assert told(word) == []


def test_a_large_thing_is_likelier_than_old_pronouns() -> None:
    assert [(found.lemma, found.clitics) for found in formation().analyse("librote")] == [("libro", ())]
    assert formation().analyse("librole")[0].clitics == ("le",)


def test_a_superlative_is_its_own_lemma_too() -> None:
    assert [found.lemma for found in formation().evaluative("altísimos")] == ["altísimo", "alto"]


def test_a_plural_of_a_word_of_ours_is_no_form_without_gender() -> None:
    assert [(one.lemma, one.features) for one in formation().analyse("memes")] == [("meme", "Gender=Masc|Number=Plur")]


def test_a_form_without_gender_is_no_diminutive() -> None:
    assert {(one.lemma, "Degree" in one.features) for one in analyser("es").analyse("vecines")} == {("vecino", False)}


def test_pronouns_keep_the_prefix_in_front() -> None:
    (found,) = formation().analyse("reenviármelo")
    assert (found.prefix, found.clitics) == ("re", ("me", "lo"))


def test_what_is_against_something_is_an_adjective_too() -> None:
    assert told("antirrobo") == [("antirrobo", "NOUN", "anti"), ("antirrobo", "ADJ", "anti")]
    assert told("antilápices") == []
    assert ("anticiudades", "NOUN", "anti") in told("anticiudades")


def test_rules_are_tried_where_their_words_end_so() -> None:
    several = [[Analysis(str(number), "X")] for number in range(4)]
    first, second, third, any_word = (lambda _, found=found: found for found in several)
    rules = RulesByEnding([(first, ("mente", "ito")), (any_word, None), (second, ("s", "")), (third, ("os",))])
    tried = {word: rules.for_ending_of(word) for word in ("rito", "gente", "casitos", "tras", "s", "sol", "")}
    assert tried["rito"] == tried["gente"] == (first, any_word)
    assert tried["casitos"] == (any_word, second, third)
    assert tried["tras"] == tried["s"] == (any_word, second)
    assert tried["sol"] == tried[""] == (any_word,)
