from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.morphology import tagger_features, tagger_model
from trasmallo.study.morphology.tagger_model import Convention, Model, Weights

KEYS = np.array([5, 1 << 21, 7], np.uint32)
CONVENTION = Convention(np.array([[1, -2], [3, 4], [0, 9]], np.int8).tobytes(), {"casa NOUN": "casa"}, {}, {"casa NOUN": 2}, {})
MODEL = Model("nothing", ("NOUN", "VERB"), 0.5, KEYS.tobytes(), {"la": ("DET",)}, {}, frozenset({"ir"}), {"one": CONVENTION})


def test_a_model_comes_back_from_its_file() -> None:
    assert tagger_model.unpack(tagger_model.pack(MODEL)) == MODEL


def raised(scores: tagger_model.Scores, features: int) -> list[list[int]]:
    """The sums of so many weights, each of which is raised by 128."""
    return (tagger_model.unpacked(scores)[..., :2].astype(int) - 128 * features).tolist()


def test_weights_are_summed() -> None:
    features = np.array([[5, 7], [1 << 21, 7]], np.uint32)
    assert raised(Weights.of(MODEL, CONVENTION).sums(features), 2) == [[4, 2], [0, 18]]


def test_stretches_are_summed_apart() -> None:
    sums = Weights.of(MODEL, CONVENTION).partial_sums(np.array([[5, 7, 7]], np.uint32), (0, 1))
    assert raised(sums[:, 0], 1) == [[1, -2]]
    assert raised(sums[:, 1], 2) == [[0, 18]]


def test_everyday_language_adds_to_the_weights() -> None:
    added = np.array([[10, 0], [0, 0], [0, -9]], np.int8)
    weights = Weights.of(msgspec.structs.replace(MODEL, everyday=added.tobytes()), CONVENTION)
    features = np.array([[5, 5], [7, 7]], np.uint32)
    assert raised(weights.sums(features, weights.further([False, True])), 2) == [[1, 7], [11, -2]]
    sums = weights.partial_sums(features, (0,), weights.further([True, False]))
    assert raised(sums[:, 0], 2) == [[22, -4], [0, 18]]


def test_verbs_are_counted_in_all_conventions() -> None:
    convention = Convention(b"", {}, {}, {"dar VERB": 2, "dar AUX": 5, "a lo NOUN": 1}, {})
    assert tagger_model.verb_frequencies([convention, convention]) == {"dar": 4}


def test_any_number_of_words_is_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagger_model, "_AT_ONCE", 2)
    features = np.array([[5, 7], [7, 5], [6, 6], [1 << 21, 7], [7, 7]], np.uint32)
    sums = Weights.of(MODEL, CONVENTION).partial_sums(features, (0, 1))
    assert raised(sums[:, 0], 1) == [[1, -2], [0, 9], [0, 0], [3, 4], [0, 9]]
    assert raised(sums[:, 1], 1) == [[0, 9], [1, -2], [0, 0], [0, 9], [0, 9]]


def test_unknown_features_weigh_nothing() -> None:
    same_slot = 5 + (1 << tagger_model.SLOT_BITS)
    features = np.array([[same_slot], [0], [6]], np.uint32)
    assert raised(Weights.of(MODEL, CONVENTION).sums(features), 3) == [[0, 0]]


def test_no_sum_runs_over_into_the_next_category() -> None:
    worst = np.array([[127, -128, 127, -128, 127]] * 2, np.int8)
    features = np.full((tagger_features.BOUNDS[-1] + len(tagger_features.TEMPLATES), 1), 5, np.uint32)
    sums = tagger_model.unpacked(Weights(KEYS[:2], worst).sums(features)).tolist()
    assert sums == [[255 * len(features), 0, 255 * len(features), 0, 255 * len(features), 0, 0, 0]]


@given(st.lists(st.lists(st.integers(0, 0xFFFF), min_size=5, max_size=5)))
def test_packed_numbers_come_back(rows: list[list[int]]) -> None:
    numbers = np.array(rows, np.uint16).reshape(-1, 5)
    assert tagger_model.unpacked(tagger_model.packed(numbers))[:, :5].tolist() == rows


@pytest.mark.parametrize(("code", "conventions"), [("es", ["ancora", "gsd"]), ("en", ["ewt"])])
def test_the_models_in_the_package(code: str, conventions: list[str]) -> None:
    model = tagger_model.load(code)
    assert model is not None
    assert list(model.conventions) == conventions
    assert model.made_from.count("CC BY") >= len(conventions)
    assert len(tagger_model.pack(model)) < 1_000_000
    keys = np.frombuffer(model.keys, np.uint32)
    assert len(np.unique(tagger_model.slots(keys))) == len(keys)


def test_a_language_without_a_model() -> None:
    assert tagger_model.load("und") is None
