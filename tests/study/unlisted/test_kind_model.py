from __future__ import annotations

import numpy as np
import pytest

from trasmallo.study.morphology.corrections import Meant
from trasmallo.study.unlisted.kind_model import (
    SLOTS,
    KindData,
    KindModel,
    WordFacts,
    letter_slots,
    load,
    probabilities,
    recent_words,
    word_features,
)
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind
from trasmallo.study.unlisted.signs import SIGNS, Sign, shares
from trasmallo.study.unlisted.word_sets import WordSet, pack

NOTHING = WordSet(b"")


def facts(word: str, meant: Meant | None = None) -> WordFacts:
    return WordFacts(word, formed=False, misspelt=False, strange=False, meant=meant, derived=False)


def test_there_are_always_as_many_features() -> None:
    some = [facts("a"), facts("barcoteca"), facts("estava", Meant("estaba", 1.0, 9.0)), facts("xyz" * 9, Meant("x", 9.0, 0.0))]
    some.append(facts("estava", Meant("estaba", 1.0, 9.0))._replace(common=3))
    assert len({len(word_features(one, NOTHING, NOTHING)) for one in some}) == 1
    assert word_features(facts("ana"), WordSet(pack(["ana"])), NOTHING) != word_features(facts("ana"), NOTHING, NOTHING)


def test_two_foreign_words_in_a_row_are_told() -> None:
    abroad = WordSet(pack(["boot", "loader"]))
    assert word_features(facts("bootloader"), NOTHING, abroad) != word_features(facts("bootloader"), NOTHING, NOTHING)
    assert word_features(facts("barcoteca"), NOTHING, abroad) == word_features(facts("barcoteca"), NOTHING, NOTHING)


def test_slots_are_those_of_the_letters() -> None:
    assert letter_slots("sol") == letter_slots("sol")
    assert letter_slots("sol") != letter_slots("los")
    assert all(0 <= slot < SLOTS for slot in letter_slots("ñandú\ud800"))


def test_scores_are_sums_of_weights() -> None:
    features = len(word_features(facts("a"), NOTHING, NOTHING))
    weights = np.zeros((SLOTS, len(TOLD_APART)), np.int8)
    weights[letter_slots("sol"), 1] = 2
    model = KindModel(
        KindData(
            made_from="nothing",
            words=[[1.0 * (row == 0)] * len(TOLD_APART) for row in range(features)],
            signs=[[float(column == 0)] * len(TOLD_APART) for column in range(len(SIGNS))],
            letters=weights.tobytes(),
            scale=0.5,
            names=b"",
            foreign=b"",
            recent=pack(["meme"]),
            current=pack(["kernel"]),
            common=[pack(["casa"])],
        )
    )
    found = model.word_scores([facts("sol"), facts("x")])
    assert found[0, 1] - found[0, 0] == pytest.approx(0.5 * 2 * len(letter_slots("sol")))
    assert found[1].tolist() == [1.0] * len(TOLD_APART)
    assert model.word_scores([]).shape == (0, len(TOLD_APART))
    assert model.sign_scores(shares([Sign.SMALL, Sign.QUOTED]))[:, 0].tolist() == [1.0, 0.0]
    assert "meme" in model.recent


def test_probabilities_sum_up_to_one() -> None:
    found = probabilities(np.array([[1.0, 2.0, 900.0], [0.0, 0.0, 0.0]]))
    assert found.sum(axis=1) == pytest.approx([1, 1])
    assert found[0].argmax() == 2


def test_what_is_shipped() -> None:
    model = load("es")
    assert model is not None
    assert load("fr") is None
    assert "eleuterio" in model.names
    assert "deadline" in model.foreign
    assert all(word in recent_words("es") for word in ("bloguero", "sororidad"))  # meme and emoji are listed
    assert "meme" not in recent_words("fr")
    assert TOLD_APART[int(model.word_scores([facts("breakfast")])[0].argmax())] is Kind.FOREIGN
