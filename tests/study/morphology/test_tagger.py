from __future__ import annotations

from itertools import accumulate, chain, pairwise

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_lexicon import small
from trasmallo.study.interned_forms import forms_of
from trasmallo.study.morphology import tagger, tagger_features, tagger_model
from trasmallo.study.morphology.analysis_cache import AnalysisCache
from trasmallo.study.morphology.lexical import Lexical, SeenInTraining
from trasmallo.study.morphology.registers import MOST_TOKENS
from trasmallo.study.morphology.tagger import Plain, Tagger, beginnings
from trasmallo.study.morphology.tagger_model import Convention, Model
from trasmallo.study.morphology.tags import Tags

CATEGORIES = ("ADJ", "DET", "NOUN", "PRON", "PROPN", "PUNCT", "SYM", "VERB", "X", "ADV", "NUM", "ADP", "VERB2")


def after(word: str) -> int:
    """The feature that the word before is this one."""
    found = tagger_features.hashed([Lexical(small(), SeenInTraining()).describe(word, False).clues])
    return int(tagger_features.alone(found)[0, tagger_features.BOUNDS[2]])


def model() -> Model:
    """A model that knows two things: after "la" comes a noun, after "me" a verb."""
    keys = np.array([after("la"), after("me")], np.uint32)
    weights = np.zeros((2, len(CATEGORIES)), np.int8)
    weights[0, CATEGORIES.index("NOUN")] = weights[1, CATEGORIES.index("VERB")] = 100
    weights[0, CATEGORIES.index("VERB2")] = 50
    convention = Convention(weights.tobytes(), {}, {}, {}, {})
    return Model("nothing", CATEGORIES, 0.1, keys.tobytes(), {"la": ("DET",)}, {}, frozenset(), {"one": convention})


def made() -> Tagger:
    return Tagger(model(), "one", AnalysisCache(small()), Tags("es"))


def tag_all(tagger: Tagger | Plain, sentences: list[list[str]]) -> list[list[tagger.Tagged]]:
    """Sentences tagged together."""
    ranges = list(pairwise(accumulate(map(len, sentences), initial=0)))
    found = tagger.tag_sentences(forms_of(list(chain.from_iterable(sentences))), ranges).spread()
    return [found[first:last] for first, last in ranges]


def told(found: list[tagger.Tagged]) -> list[tuple[str, str]]:
    return [(one.lemma, one.category) for one in found]


def test_the_word_before_decides() -> None:
    assert told(made().tag(["la", "casa"]))[1] == ("casa", "NOUN")
    assert told(made().tag(["me", "casa"]))[1] == ("casar", "VERB")


def test_everyday_language_has_its_own_weights() -> None:
    everyday = np.zeros((2, len(CATEGORIES)), np.int8)
    everyday[0, CATEGORIES.index("VERB")] = 127
    one = Tagger(msgspec.structs.replace(model(), everyday=everyday.tobytes()), "one", AnalysisCache(small()), Tags("es"))
    longer = ["la", "casa", *["nueva"] * MOST_TOKENS]
    assert one.tag(["la", "casa"])[1].category == "VERB"
    assert one.tag(longer)[1].category == "NOUN"
    several = [["la", "casa"], longer, ["la", "casa"], ["la"]]
    assert tag_all(one, several) == [one.tag(words) for words in several]


def test_a_sentence_does_not_look_into_the_next() -> None:
    one, two = tag_all(made(), [["casa", "la"], ["casa"]])
    assert told(two) == told(made().tag(["casa"]))
    assert len(one) == 2
    assert tag_all(made(), [["la", "casa"], ["me", "casa"]])[1][1].category == "VERB"


def test_no_words() -> None:
    assert made().tag([]) == []
    assert tag_all(made(), []) == []


@pytest.mark.parametrize(
    ("words", "begins"), [(["Casa", "y"], 1), (["«", "Casa"], 2), (["-", "«", "Casa", "x"], 3), (["«"], 1)]
)
def test_signs_do_not_hide_the_first_word(words: list[str], begins: int) -> None:
    assert beginnings(forms_of(words), [(0, len(words))]).tolist() == [place < begins for place in range(len(words))]


@given(
    st.lists(
        st.lists(st.sampled_from(["la", "me", "casa", "Casa", "«", "di", "flumbo", "12", "da"]), min_size=1, max_size=8),
        max_size=5,
    )
)
def test_sentences_together_are_tagged_as_alone(several: list[list[str]]) -> None:
    assert tag_all(made(), several) == [made().tag(words) for words in several]


@given(st.lists(st.text(max_size=6), max_size=8))
def test_any_words_are_tagged(words: list[str]) -> None:
    assert [one.word for one in made().tag(words)] == words


def test_words_are_forgotten_when_they_are_too_many() -> None:
    one = Tagger(model(), "one", AnalysisCache(small()), Tags("es"), most=10)
    for number in range(30):
        assert one.tag(["la", "casa", f"palabra{number}"])[1].lemma == "casa"


def test_many_words_grow_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagger, "_GROWTH", 2)
    assert [one.word for one in made().tag([f"palabra{number}" for number in range(50)])][49] == "palabra49"


def test_words_met_beforehand_change_nothing() -> None:
    met = made()
    primed = met.meet(["la", "casa", "di"], ["La", "Casa"])
    restored = Tagger(model(), "one", AnalysisCache(small()), Tags("es"), primed)
    several = [["La", "casa"], ["me", "casa", "di"], ["Casa", "nueva"], ["la", "di"]]
    assert told(restored.tag(["la", "di"]))[1][1] == "VERB"
    assert told(restored.tag(["la", "di"]))[1] != told(restored.tag(["me", "di"]))[1]
    assert tag_all(restored, several) == tag_all(met, several) == tag_all(made(), several)


def test_without_a_model_the_first_reading_is_taken() -> None:
    assert told(Plain(small()).tag(["casa", "12", ""])) == [("casa", "NOUN"), ("12", "NUM"), ("", "X")]
    assert tag_all(Plain(small()), [["casa"], ["12"]]) == [Plain(small()).tag([word]) for word in ("casa", "12")]


def test_a_model_of_the_package_agrees_with_its_categories() -> None:
    found = tagger_model.load("es")
    assert found is not None
    assert len(np.frombuffer(found.conventions["gsd"].weights, np.int8)) == len(found.keys) // 4 * len(found.categories)
