"""Fits the weights: multinomial logistic regression over the categories that each word may have, with a ridge.

Every weight is the sum of one shared by all treebanks and one of each treebank's own, so that they teach each other what they
agree on.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sparse  # type: ignore[import-untyped]
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from trasmallo.study.morphology.trained import slots

Floats = NDArray[np.float32]
RIDGE = 2.5
"""Calibrated by cross-validation of the Spanish treebanks, between 0.6 and 4."""
STEPS = 60
_NEVER = np.float32(-1e9)


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
    """Weights by treebank, feature and category.

    `features` has a row a word; `allowed` says which categories it may have; `bank` is the number of its treebank.
    """
    parts = [
        _Part(features[bank == number], keys, allowed[bank == number], gold[bank == number])
        for number in range(int(bank.max()) + 1)
    ]
    shape = (len(parts) + 1, len(keys), allowed.shape[1])

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        value, slope = 0.5 * RIDGE * float(flat @ flat), RIDGE * weights
        for number, part in enumerate(parts, 1):
            its_value, its_slope = part.loss((weights[0] + weights[number]).astype(np.float32))
            value += its_value
            slope[0] += its_slope
            slope[number] += its_slope
        return value, slope.ravel()

    options = {"maxiter": STEPS, "maxcor": 6}
    found = minimize(loss, np.zeros(np.prod(shape)), jac=True, method="L-BFGS-B", options=options).x.reshape(shape)
    summed: Floats = (found[:1] + found[1:]).astype(np.float32)
    return summed


class _Part:
    """The words of one treebank."""

    def __init__(
        self, features: NDArray[np.uint32], keys: NDArray[np.uint32], allowed: NDArray[np.bool_], gold: NDArray[np.int64]
    ) -> None:
        self._matrix = _matrix(features, keys)
        self._turned = self._matrix.T.tocsr()
        self._mask = np.where(allowed, np.float32(0), _NEVER)
        self._rows = np.arange(len(gold))
        self._gold = gold

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """How surprised the weights are by the gold categories, and the slope of that."""
        scores = self._matrix @ weights + self._mask
        scores -= scores.max(axis=1, keepdims=True)
        raised = np.exp(scores)
        totals = raised.sum(axis=1, keepdims=True)
        value = float(np.log(totals).sum() - scores[self._rows, self._gold].sum())
        raised /= totals
        raised[self._rows, self._gold] -= 1
        return value, self._turned @ raised


def _matrix(features: NDArray[np.uint32], keys: NDArray[np.uint32]) -> sparse.csr_matrix:
    columns = np.searchsorted(keys, features)
    columns[columns == len(keys)] = 0
    known = keys[columns] == features
    bounds = np.concatenate([[0], known.sum(axis=1).cumsum()])
    return sparse.csr_matrix((np.ones(bounds[-1], np.float32), columns[known], bounds), shape=(len(features), len(keys)))
