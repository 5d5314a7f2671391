"""Co-occurrence of categories: which follow which at what distance, and which share their sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.association import Table
from trasmallo.study.bounds import AT_ONCE, Bounds, Whole


def follow(category: NDArray[Any], size: int, bounds: Bounds, reach: int = 1) -> Whole:
    """For each distance from 1 to `reach` a matrix: how often category j stands so far after category i, in one sentence.

    The result is indexed by distance - 1, i, j; `size` is the number of categories.
    """
    joined = bounds.joined()
    counts = np.zeros((reach, size * size), dtype=np.int64)
    for begin in range(0, len(category), AT_ONCE):
        numbers = category[begin : begin + AT_ONCE + reach].astype(np.int64)
        together = np.ones(len(numbers), dtype=np.bool_)
        for distance in range(1, reach + 1):
            size_here = min(AT_ONCE, len(numbers) - distance)
            if size_here <= 0:
                break
            together = together[:size_here] & joined[begin + distance : begin + distance + size_here]
            pairs = numbers[:size_here] * size + numbers[distance : distance + size_here]
            counts[distance - 1] += np.bincount(pairs[together], minlength=size * size)
    return counts.reshape(reach, size, size)


def share_sentences(category: NDArray[Any], size: int, bounds: Bounds) -> Whole:
    """A matrix: how many sentences hold both category i and category j; on the diagonal, how many hold one."""
    sentence = np.cumsum(~bounds.joined()[:-1]) - 1
    number = int(sentence[-1]) + 1 if len(sentence) else 0
    counts = np.zeros((size, size), dtype=np.int64)
    for begin in range(0, number, AT_ONCE):
        low, high = np.searchsorted(sentence, [begin, begin + AT_ONCE])
        holds = np.zeros((min(AT_ONCE, number - begin), size), dtype=np.float32)
        holds[sentence[low:high] - begin, category[low:high]] = 1
        counts += np.rint(holds.T @ holds).astype(np.int64)
    return counts


def as_table(counts: Whole) -> Table:
    """One matrix of `follow` as contingency tables for the measures of `association`: every (i, j) that occurs, row by row."""
    joint = counts.ravel()
    occurs = joint > 0
    firsts = np.broadcast_to(counts.sum(axis=1)[:, None], counts.shape).ravel()
    seconds = np.broadcast_to(counts.sum(axis=0)[None, :], counts.shape).ravel()
    return Table(joint[occurs], firsts[occurs], seconds[occurs], int(joint.sum()))
