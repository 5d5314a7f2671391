"""Fits the weights: multinomial logistic regression over the categories that each word may have, with a ridge.

Every weight is the sum of one shared by all treebanks and one of each treebank's own, so that they teach each other what they
agree on. Words are met one by one, each time without some of their features by chance, so that no feature is relied on alone
(Srivastava et al. 2014, dropout); a weight's steps shrink with those it has made (Duchi et al. 2011, AdaGrad). That is
done several times, and the mean depends less on chance. The constants are calibrated by cross-validation of the Spanish
treebanks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.morphology.tagger_model import slots
from trasmallo.values.arrays import Whole

Floats = NDArray[np.float32]
EPOCHS = 12
FITS = 3
_RIDGE_SHARED = np.float32(0.5)
_RIDGE_OWN = np.float32(3)
_LEFT_OUT = 0.4
_FIRST_RATE, _LAST_RATE = 0.1, 0.02
# What every weight's steps amount to before the first, which would be too long otherwise.
_TRAVELLED = 0.01


def kept_features(features: NDArray[np.uint32], least: int) -> NDArray[np.uint32]:
    """Hashes seen at least so often, sorted; of those that fall into one slot of the model the most frequent."""
    keys, counts = np.unique(features, return_counts=True)
    keys, counts = keys[counts >= least], counts[counts >= least]
    keys = keys[np.argsort(-counts, kind="stable")]
    _, firsts = np.unique(slots(keys), return_index=True)
    kept: NDArray[np.uint32] = np.sort(keys[firsts])
    return kept


def fit(
    features: NDArray[np.uint32],
    keys: NDArray[np.uint32],
    allowed: NDArray[np.bool_],
    gold: NDArray[np.int64],
    bank: NDArray[np.int64],
) -> Floats:
    """Weights by treebank, feature and category; the same ones whenever the same words come in the same order.

    `features` has a row a word; `allowed` says which categories it may have; `bank` is the number of its treebank.
    """
    words = _words(features, keys, allowed, gold, bank)
    fits = [_fit_once(words, int(bank.max()) + 1, len(keys) * allowed.shape[1], seed) for seed in range(FITS)]
    mean: Floats = np.mean(fits, axis=0).reshape(-1, len(keys), allowed.shape[1])
    return mean


def _fit_once(words: list[_Word], banks: int, size: int, seed: int) -> Floats:
    learner = _Learner(words, banks, size)
    chance = np.random.default_rng(seed)
    for rate in np.linspace(_FIRST_RATE, _LAST_RATE, EPOCHS, dtype=np.float32):
        for number in chance.permutation(len(words)).tolist():
            learner.meet(words[number], chance, rate)
    return learner.found()


class _Word(NamedTuple):
    """A word to learn from: the places of its weights, a row a feature, a column a category; the right column; its treebank."""

    places: Whole
    right: int
    bank: int


def _words(
    features: NDArray[np.uint32],
    keys: NDArray[np.uint32],
    allowed: NDArray[np.bool_],
    gold: NDArray[np.int64],
    bank: NDArray[np.int64],
) -> list[_Word]:
    rows = np.searchsorted(keys, features)
    rows[rows == len(keys)] = 0
    known = keys[rows] == features
    words = []
    for number, may in enumerate(allowed):
        categories = np.flatnonzero(may)
        places = rows[number, known[number], None] * len(may) + categories
        words.append(_Word(places, int(categories.searchsorted(gold[number])), int(bank[number])))
    return words


class _Learner:
    """Weights that are all shared ones, then all of the first treebank's own and so on; each with its ridge and its steps."""

    def __init__(self, words: list[_Word], banks: int, size: int) -> None:
        counts = np.zeros((1 + banks, size), np.float32)
        for bank in range(banks):
            met = np.concatenate([word.places.reshape(-1) for word in words if word.bank == bank])
            counts[1 + bank] = np.bincount(met, minlength=size)
        counts[0] = counts[1:].sum(axis=0)
        ridges = np.array([_RIDGE_SHARED, *[_RIDGE_OWN] * banks])[:, None]
        self._ridge = (ridges / np.maximum(counts, 1)).reshape(-1)
        self._weights = np.zeros(counts.size, np.float32)
        self._travelled = np.full(counts.size, _TRAVELLED, np.float32)
        self._shared_and_own = [np.array([0, (1 + bank) * size])[:, None, None] for bank in range(banks)]
        self._shape = counts.shape

    def meet(self, word: _Word, chance: np.random.Generator, rate: np.float32) -> None:
        """Take a step that makes the right category of a word likelier; the ridge is spread over the words with a feature."""
        places = word.places[chance.random(len(word.places)) >= _LEFT_OUT] + self._shared_and_own[word.bank]
        weights = self._weights.take(places)
        scores = weights.sum(axis=(0, 1))
        raised = np.exp(scores - scores.max())
        surprise = raised / raised.sum()
        surprise[word.right] -= 1
        slope = surprise + self._ridge.take(places) * weights
        travelled = self._travelled.take(places) + slope * slope
        self._travelled[places] = travelled
        self._weights[places] = weights - rate * slope / np.sqrt(travelled)

    def found(self) -> Floats:
        """For each treebank its weights, the shared ones included."""
        weights = self._weights.reshape(self._shape)
        return weights[:1] + weights[1:]
