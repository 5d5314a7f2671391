"""Viterbi and probabilities against every way through."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from trasmallo.study.entities.decoding import best_sequences, constrained, probabilities


@pytest.mark.parametrize("seed", range(5))
def test_the_best_way_is_the_best_of_all_and_probabilities_are_their_sums(seed: int) -> None:
    draw = np.random.default_rng(seed)
    scores = draw.normal(size=(3, 4, 3)).astype(np.float32)
    moves = draw.normal(size=(3, 3)).astype(np.float32)
    lengths = np.array([4, 2, 3])
    found, sure = best_sequences(scores, lengths, moves), probabilities(scores, lengths, moves)
    for row, size in enumerate(lengths.tolist()):
        ways = list(product(range(3), repeat=size))
        values = np.array([_value(way, scores[row], moves) for way in ways])
        assert tuple(found[row, :size]) == ways[int(values.argmax())]
        weights = np.exp(values - values.max())
        for step in range(size):
            for label in range(3):
                there = sum(weight for way, weight in zip(ways, weights, strict=True) if way[step] == label)
                assert sure[row, step, label] == pytest.approx(there / weights.sum(), abs=1e-4)


def _value(way: tuple[int, ...], scores: np.ndarray, moves: np.ndarray) -> float:
    own = sum(float(scores[step, label]) for step, label in enumerate(way))
    return own + sum(float(moves[one, after]) for one, after in pairwise(way))


def test_a_name_goes_on_with_its_own_kind() -> None:
    found = constrained(np.zeros((3, 3), np.float32), ("B-PER", "I-PER", "O"))
    assert found[2, 1] < -1000 < found[0, 1]
