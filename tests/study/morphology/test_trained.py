from __future__ import annotations

import numpy as np
import pytest

from trasmallo.study.morphology import trained
from trasmallo.study.morphology.trained import Convention, Model, Weights

KEYS = np.array([5, 1 << 21, 7], np.uint32)
CONVENTION = Convention(np.array([[1, -2], [3, 4], [0, 9]], np.int8).tobytes(), {"casa NOUN": "casa"}, {}, {"casa NOUN": 2}, {})
MODEL = Model("nothing", ("NOUN", "VERB"), 0.5, KEYS.tobytes(), {"la": ("DET",)}, {}, frozenset({"ir"}), {"one": CONVENTION})


def test_a_model_comes_back_from_its_file() -> None:
    assert trained.unpack(trained.pack(MODEL)) == MODEL


def test_weights_are_summed() -> None:
    features, rows, categories = np.array([[5, 1 << 21], [7, 7]], np.uint32), np.array([0, 0, 1]), np.array([0, 1, 1])
    assert Weights.of(MODEL, CONVENTION).sums(features, rows, categories).tolist() == [4, 2, 18]


def test_stretches_are_summed_apart() -> None:
    sums = Weights.of(MODEL, CONVENTION).partial_sums(np.array([[5, 7, 7]], np.uint32), (0, 1))
    assert sums.tolist() == [[[1, -2], [0, 18]]]


def test_any_number_of_words_is_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained, "_AT_ONCE", 2)
    features = np.array([[5, 7], [7, 5], [6, 6], [1 << 21, 7], [7, 7]], np.uint32)
    sums = Weights.of(MODEL, CONVENTION).partial_sums(features, (0, 1))
    assert sums.dtype == np.int16
    assert sums[:, 0].tolist() == [[1, -2], [0, 9], [0, 0], [3, 4], [0, 9]]
    assert sums[:, 1].tolist() == [[0, 9], [1, -2], [0, 0], [0, 9], [0, 9]]


def test_unknown_features_weigh_nothing() -> None:
    same_slot = 5 + (1 << trained.SLOT_BITS)
    features, both = np.array([[same_slot, 0, 6]], np.uint32), np.arange(2)
    assert Weights.of(MODEL, CONVENTION).sums(features, np.zeros(2, np.int64), both).tolist() == [0, 0]


@pytest.mark.parametrize(("code", "conventions"), [("es", ["ancora", "gsd"]), ("en", ["ewt"])])
def test_the_models_in_the_package(code: str, conventions: list[str]) -> None:
    model = trained.load(code)
    assert model is not None
    assert list(model.conventions) == conventions
    assert model.made_from.count("CC BY") == len(conventions)
    keys = np.frombuffer(model.keys, np.uint32)
    assert len(np.unique(trained.slots(keys))) == len(keys)


def test_a_language_without_a_model() -> None:
    assert trained.load("und") is None
