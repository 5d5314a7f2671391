from __future__ import annotations

import pytest

from support.small_lexicon import small
from trasmallo.study.morphology.lexical import SECOND_VERB
from trasmallo.study.morphology.reading_choice import ReadingChoice, second_verb
from trasmallo.study.morphology.tagger_model import Convention
from trasmallo.study.morphology.tags import Tags
from trasmallo.values.model import Analysis

IMPERATIVE = "Mood=Imp|Number=Sing|Person=2|VerbForm=Fin"


def choice(**known: dict[str, object]) -> ReadingChoice:
    empty: dict[str, dict[str, object]] = {"lemmas": {}, "features": {}, "frequencies": {}, "bundles": {}}
    return ReadingChoice(Convention(b"", **(empty | known)), small(), Tags("es"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "category", "lemma"),
    [
        ("casas", "NOUN", "casa"),
        ("casas", "VERB", "casar"),
        ("da", "AUX", "dar"),
        ("Casas", "PROPN", "Casas"),
        ("flumbos", "NOUN", "flumbo"),
        ("flumbas", "ADJ", "flumbo"),
        ("casas", "ADV", "casa"),
        ("...", "PUNCT", "..."),
    ],
)
def test_the_lemma_in_a_category(word: str, category: str, lemma: str) -> None:
    found = choice().choose(word, category)
    assert (found.word, found.lemma, found.category) == (word, lemma, category)


def test_what_training_saw_comes_first() -> None:
    chosen = choice(lemmas={"casas NOUN": "casas"}, features={"casas NOUN": "Number=Plur"}).choose("Casas", "NOUN")
    assert (chosen.lemma, chosen.features) == ("casas", "Number=Plur")


def test_the_most_frequent_lemma_is_chosen() -> None:
    assert choice(frequencies={"dar VERB": 5, "decir VERB": 3}).choose("di", "VERB").lemma == "dar"
    assert choice(frequencies={"dar VERB": 2, "decir VERB": 3}).choose("di", "VERB").lemma == "decir"


def test_the_second_verb_is_the_other_one() -> None:
    one = choice(frequencies={"dar VERB": 5, "decir VERB": 3})
    found = one.choose("di", SECOND_VERB)
    assert (found.lemma, found.category) == ("decir", "VERB")
    assert choice(frequencies={"decir VERB": 3}).choose("di", SECOND_VERB).lemma == "dar"
    assert one.choose("casas", SECOND_VERB).lemma == "casar"


def test_which_verb_is_the_second() -> None:
    readings = small().analyse("di")
    assert second_verb(readings, "di", {"dar": 2, "decir": 1}) == "decir"
    assert second_verb(readings, "di", {"decir": 1}) == "dar"
    assert second_verb(small().analyse("casas"), "casas", {}) == ""


def test_of_unseen_lemmas_that_which_the_form_continues() -> None:
    assert choice().choose("alumna", "NOUN").lemma == "alumna"
    assert choice(frequencies={"alumno NOUN": 1}).choose("alumna", "NOUN").lemma == "alumno"


def test_the_most_frequent_features_are_chosen() -> None:
    assert choice(bundles={f"VERB {IMPERATIVE}": 9}).choose("casa", "VERB").features == IMPERATIVE
    assert "Mood=Ind" in choice().choose("casa", "VERB").features


def test_clitics_are_kept() -> None:
    assert choice().choose("dándoselo", "VERB").clitics == ("se", "lo")


def test_a_listed_diminutive_keeps_its_own_lemma_in_a_text() -> None:
    own = Analysis("casilla", "NOUN", by="lexicon")
    plain = Analysis("casa", "NOUN", "Degree=Dim", by="rule")

    class Both:
        def analyse(self, _word: str) -> list[Analysis]:
            return [own, plain]

        def guess(self, _form: str, _category: str = "") -> Analysis | None:
            return None

    known = Convention(b"", lemmas={}, features={}, frequencies={"casa NOUN": 9}, bundles={})
    assert ReadingChoice(known, Both(), Tags("es")).choose("casilla", "NOUN").lemma == "casilla"  # type: ignore[arg-type]
