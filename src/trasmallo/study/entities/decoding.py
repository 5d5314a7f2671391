"""The best label of each word of many short stretches together, and how sure it is.

Stretches are padded to one length and walked step by step, so that a step costs the same for one as for hundreds (Viterbi for
the best sequence, forward and backward sums for the probabilities).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
IMPOSSIBLE = -1e4  # judgement: far below any sum of weights
_TINY = np.float32(1e-30)


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
    """The probability of each label at each step, in the same shape; sums are scaled at each step, so that none vanishes."""
    steps = scores.shape[1]
    moves = np.exp(transitions)
    local = np.exp(scores - scores.max(axis=2, keepdims=True))
    forward, backward = np.empty_like(scores), np.ones_like(scores)
    forward[:, 0] = local[:, 0]
    for step in range(1, steps):
        reached = (forward[:, step - 1] @ moves) * local[:, step]
        forward[:, step] = reached / (reached.sum(axis=1, keepdims=True) + _TINY)
    for step in range(steps - 2, -1, -1):
        left = (local[:, step + 1] * backward[:, step + 1]) @ moves.T
        scaled = left / (left.sum(axis=1, keepdims=True) + _TINY)
        backward[:, step] = np.where((step + 1 < lengths)[:, None], scaled, np.float32(1))
    both = forward * backward
    found: Floats = both / (both.sum(axis=2, keepdims=True) + _TINY)
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
