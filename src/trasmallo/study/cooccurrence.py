"""Co-occurrence of categories: which follow which at what distance, and which share their sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trasmallo.study.association import ContingencyTable
from trasmallo.study.sequence_bounds import AT_ONCE, Bounds
from trasmallo.values.arrays import Mask, Numbers, Whole


def follow(category: Numbers, size: int, bounds: Bounds, reach: int = 1) -> Whole:
    """For each distance from 1 to `reach` a matrix: how often category j stands so far after category i, in one sentence.

    The result is indexed by distance - 1, i, j; `size` is the number of categories.
    """
    counts = np.zeros((reach, size * size), dtype=np.int64)
    for begin in range(0, len(category), AT_ONCE):
        numbers = category[begin : begin + AT_ONCE + reach].astype(np.int64)
        joined, together = bounds.joined(begin, begin + len(numbers)), np.ones(len(numbers), dtype=np.bool_)
        for distance in range(1, reach + 1):
            size_here = min(AT_ONCE, len(numbers) - distance)
            if size_here <= 0:
                break
            together = together[:size_here] & joined[distance : distance + size_here]
            pairs = numbers[:size_here] * size + numbers[distance : distance + size_here]
            counts[distance - 1] += np.bincount(pairs[together], minlength=size * size)
    return counts.reshape(reach, size, size)


def share_sentences(category: Numbers, size: int, bounds: Bounds) -> Whole:
    """A matrix: how many sentences hold both category i and category j; on the diagonal, how many hold one."""
    counts = np.zeros((size, size), dtype=np.int64)
    for begin, joined in _sentences(bounds, len(category)):
        sentence = np.cumsum(~joined) - 1
        holds = np.zeros((int(sentence[-1]) + 1, size), dtype=np.float32)
        holds[sentence, category[begin : begin + len(joined)]] = 1
        counts += np.rint(holds.T @ holds).astype(np.int64)
    return counts


def _sentences(bounds: Bounds, size: int) -> Iterator[tuple[int, Mask]]:
    """Whole sentences of about `AT_ONCE` tokens, or one that has more: where they begin, and which tokens are joined."""
    begin, reach = 0, AT_ONCE
    while begin < size:
        joined = bounds.joined(begin, min(begin + reach, size) + 1)
        ends = np.flatnonzero(~joined[1:]) + 1
        if not len(ends):
            reach *= 2
            continue
        yield begin, joined[: ends[-1]]
        begin, reach = begin + int(ends[-1]), AT_ONCE


def as_table(counts: Whole) -> ContingencyTable:
    """One matrix of `follow` as contingency tables for the measures of `association`: every (i, j) that occurs, row by row."""
    joint = counts.ravel()
    occurs = joint > 0
    firsts = np.broadcast_to(counts.sum(axis=1)[:, None], counts.shape).ravel()
    seconds = np.broadcast_to(counts.sum(axis=0)[None, :], counts.shape).ravel()
    return ContingencyTable(joint[occurs], firsts[occurs], seconds[occurs], int(joint.sum()))
