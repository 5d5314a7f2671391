"""Windows of classes: their scores are the sums of what the templates say of them."""

from __future__ import annotations

import random

import numpy as np

from trasmallo.study.entities.class_windows import ClassWindows, Floats
from trasmallo.study.entities.word_features import REACH, combined
from trasmallo.values.arrays import Whole

CLASSES = [("Aa", "g"), ("a", "VERB"), ("lde", "ADP"), ("s,", ""), ("Aa^", "gs")]


def test_a_place_scores_what_its_templates_say_whether_or_not_its_window_was_met() -> None:
    chance = random.Random(3)
    line = [chance.choice(CLASSES) for _ in range(200)]
    padded = [("<>", "<>")] * REACH + line + [("<>", "<>")] * REACH
    texts = [combined(padded, place + REACH) for place in range(len(line))]
    known = chance.sample(sorted({text for some in texts for text in some}), 60)
    weights = np.random.default_rng(3).integers(-9, 9, (len(known) + 1, 2)).astype(np.float32)
    weights[-1] = 0
    rows = dict(zip(known, range(len(known)), strict=True))

    def sums(asked: Whole, bounds: Whole) -> Floats:
        found: Floats = np.add.reduceat(weights[asked], bounds, axis=0)
        return found

    windows = ClassWindows(lambda text: rows.get(text, -1), sums, 2)
    inner = np.array([windows.class_of(*one) for one in padded])
    outer = np.array([windows.class_of("", meaning) for _, meaning in padded])
    expected = [weights[[rows.get(text, -1) for text in some]].sum(axis=0).tolist() for some in texts]
    for _ in range(2):
        assert windows.scores(inner, outer, np.arange(len(line)) + REACH).tolist() == expected
    assert 0 < len(windows) <= len(line)
    windows.forget()
    assert len(windows) == 0
    assert windows.scores(inner, outer, np.arange(len(line)) + REACH).tolist() == expected


def test_a_class_keeps_its_number() -> None:
    windows = ClassWindows(lambda _: -1, lambda rows, _: np.zeros((len(rows), 1), np.float32), 1)
    assert [windows.class_of(*one) for one in [*CLASSES, *CLASSES]] == [*range(5), *range(5)]
