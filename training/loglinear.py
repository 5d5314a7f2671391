"""Fits the weights: multinomial logistic regression over the labels that each word may have, with a ridge.

Every weight is a sum of blocks: one shared by all words, one of each treebank's own, one of everyday language, so that they
teach each other what they agree on (Daumé 2007). Words are met one by one, each time without some of their features by chance,
so that no feature is relied on alone (Srivastava et al. 2014, dropout); a weight's steps shrink with those it has made (Duchi
et al. 2011, AdaGrad). That is done several times, and the mean depends less on chance. The constants are calibrated by
cross-validation of the Spanish treebanks. With numba (the extra `training`) it takes a minute, without it hours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.morphology.tagger_model import slots

_Loop = TypeVar("_Loop", bound=Callable[..., Any])
try:
    from numba import njit
except ImportError:

    def njit(loop: _Loop) -> _Loop:
        """Leave a loop as it is."""
        return loop


Floats = NDArray[np.float32]
EPOCHS = 12
FITS = 2
_LEFT_OUT = 0.4
_FIRST_RATE, _LAST_RATE = 0.1, 0.02
# What every weight's steps amount to before the first, which would be too long otherwise.
_TRAVELLED = 0.01
_NONE = -1


class Words(NamedTuple):
    """Words to learn from, a row each: features, the labels it may have, the right one, its blocks and how much it counts.

    A block of -1 is none.
    """

    features: NDArray[np.uint32]
    allowed: NDArray[np.bool_]
    gold: NDArray[np.int64]
    blocks: NDArray[np.int64]
    counts: Floats


def kept_features(features: NDArray[np.uint32], least: int) -> NDArray[np.uint32]:
    """Hashes seen at least so often, sorted; of those that fall into one slot of the model the most frequent."""
    keys, counts = np.unique(features, return_counts=True)
    keys, counts = keys[counts >= least], counts[counts >= least]
    keys = keys[np.argsort(-counts, kind="stable")]
    _, firsts = np.unique(slots(keys), return_index=True)
    kept: NDArray[np.uint32] = np.sort(keys[firsts])
    return kept


def fit(words: Words, keys: NDArray[np.uint32], ridges: list[float], fits: int = FITS) -> Floats:
    """Weights by block, feature and label; the same ones whenever the same words come in the same order.

    `ridges` has one number a block.
    """
    rows = _rows(words.features, keys)
    pulls = _pulls(words, rows, len(keys), ridges)
    mean: Floats = np.mean([_fit_once(words, rows, pulls, seed) for seed in range(fits)], axis=0)
    return mean


def _rows(features: NDArray[np.uint32], keys: NDArray[np.uint32]) -> NDArray[np.int32]:
    """The places of features among the keys, -1 for those that are not there."""
    rows = np.searchsorted(keys, features)
    rows[rows == len(keys)] = 0
    return np.where(keys[rows] == features, rows, _NONE).astype(np.int32)


def _pulls(words: Words, rows: NDArray[np.int32], features: int, ridges: list[float]) -> Floats:
    """How strongly each weight is drawn to 0 whenever it is met: a block's ridge is spread over the words with a feature."""
    pulls = np.zeros((features, len(ridges), words.allowed.shape[1]), np.float32)
    for block, ridge in enumerate(ridges):
        its = (words.blocks == block).any(axis=1)
        for column in rows[its].T:
            known = column != _NONE
            np.add.at(pulls, (column[known], block), words.allowed[its][known])
        pulls[:, block] = ridge / np.maximum(pulls[:, block], 1)
    return pulls


def _fit_once(words: Words, rows: NDArray[np.int32], pulls: Floats, seed: int) -> Floats:
    # Side by side, because most of the time goes into fetching them from memory.
    weights = np.stack([np.zeros_like(pulls), np.full_like(pulls, _TRAVELLED), pulls], axis=-1)
    chance = np.random.default_rng(seed)
    for rate in np.linspace(_FIRST_RATE, _LAST_RATE, EPOCHS, dtype=np.float32):
        order = chance.permutation(len(rows))
        met = np.where(chance.random(rows.shape, np.float32) >= _LEFT_OUT, rows, np.int32(_NONE))
        _meet(order, met, words.allowed, words.gold, words.blocks, words.counts, weights, rate)
    return weights[..., 0].swapaxes(0, 1)


@njit  # type: ignore[untyped-decorator]
def _meet(order, rows, allowed, gold, blocks, counts, weights, rate) -> None:  # type: ignore[no-untyped-def]
    """Take a step for each word that makes its right label likelier; `weights` holds them, their steps and their pulls."""
    surprise = np.zeros(allowed.shape[1], np.float32)
    for word in order:
        labels, its_blocks = np.flatnonzero(allowed[word]), blocks[word][blocks[word] >= 0]
        its_rows = rows[word][rows[word] >= 0]
        surprise[:] = 0
        for row in its_rows:
            for block in its_blocks:
                for label in labels:
                    surprise[label] += weights[row, block, label, 0]
        _compare(surprise, labels, gold[word], counts[word])
        for row in its_rows:
            for block in its_blocks:
                for label in labels:
                    weight = weights[row, block, label]
                    slope = surprise[label] + weight[2] * weight[0]
                    weight[1] += slope * slope
                    weight[0] -= rate * slope / np.sqrt(weight[1])


@njit  # type: ignore[untyped-decorator]
def _compare(scores, labels, right, counts) -> None:  # type: ignore[no-untyped-def]
    """Turn scores into probabilities less those that would be right, times what the word counts."""
    highest = scores[labels[0]]
    for label in labels:
        highest = max(highest, scores[label])
    total = np.float32(0)
    for label in labels:
        scores[label] = np.exp(scores[label] - highest)
        total += scores[label]
    for label in labels:
        scores[label] = counts * (scores[label] / total - (label == right))
