"""The best label of each word of many short stretches together, and how sure it is.

Stretches are padded to one length and walked step by step, so that a step costs the same for one as for hundreds (Viterbi for
the best sequence, forward and backward sums for the probabilities).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
IMPOSSIBLE = -1e4


def best_sequences(scores: Floats, lengths: NDArray[np.int64], transitions: Floats) -> NDArray[np.int64]:
    """The best labels; `scores` are stretches x steps x labels. Steps past the length of a stretch are not meaningful."""
    count, steps, _ = scores.shape
    back = np.zeros(scores.shape, np.int64)
    value = scores[:, 0].copy()
    for step in range(1, steps):
        ways = value[:, :, None] + transitions
        back[:, step] = ways.argmax(axis=1)
        moved = ways.max(axis=1) + scores[:, step]
        value = np.where((step < lengths)[:, None], moved, value)
    found = np.zeros((count, steps), np.int64)
    at = value.argmax(axis=1)
    rows = np.arange(count)
    for step in range(steps - 1, -1, -1):
        found[:, step] = at
        before = back[rows, step, at] if step else at
        at = np.where(step < lengths, before, at)
    return found


def probabilities(scores: Floats, lengths: NDArray[np.int64], transitions: Floats) -> Floats:
    """The probability of each label at each step, in the same shape."""
    steps = scores.shape[1]
    forward, backward = np.zeros_like(scores), np.zeros_like(scores)
    forward[:, 0] = scores[:, 0]
    for step in range(1, steps):
        forward[:, step] = _summed(forward[:, step - 1, :, None] + transitions, 1) + scores[:, step]
    for step in range(steps - 2, -1, -1):
        after = (scores[:, step + 1] + backward[:, step + 1])[:, None, :] + transitions
        backward[:, step] = np.where((step + 1 < lengths)[:, None], _summed(after, 2), np.float32(0))
    both = forward + backward
    return np.exp(both - _summed(both, 2)[:, :, None])


def _summed(values: Floats, axis: int) -> Floats:
    """The logarithm of the sum of what the values are logarithms of."""
    top = values.max(axis=axis, keepdims=True)
    found: Floats = np.log(np.exp(values - top).sum(axis=axis)) + top.squeeze(axis)
    return found


def constrained(transitions: Floats, labels: tuple[str, ...]) -> Floats:
    """The same where a name is continued only by its own kind."""
    found = transitions.copy()
    for after, label in enumerate(labels):
        if label[0] == "I":
            for before, other in enumerate(labels):
                if other[1:] != label[1:]:
                    found[before, after] = IMPOSSIBLE
    return found
