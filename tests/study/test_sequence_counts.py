"""Counts of given sequences, against counting one by one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.sequence_bounds import Bounds
from trasmallo.study.sequence_counts import GivenSequences, count_sequences, hashed, sequences_of

DOCUMENTS = st.lists(st.lists(st.integers(0, 3), max_size=9), max_size=6)
ALLOWED = np.array([True, True, True, False])


def plainly(documents: list[list[int]], sentences: list[int], length: int) -> list[tuple[tuple[int, ...], int]]:
    """Every sequence and its document: none with a 3, none across a sentence."""
    found, begin = [], 0
    for number, words in enumerate(documents):
        for place in range(len(words) - length + 1):
            here = tuple(words[place : place + length])
            inside = range(begin + place + 1, begin + place + length)
            if 3 not in here and not set(inside) & set(sentences):
                found.append((here, number))
        begin += len(words)
    return found


@given(DOCUMENTS, st.lists(st.integers(0, 40), max_size=5), st.integers(1, 20))
def test_as_one_by_one(documents: list[list[int]], sentences: list[int], at_once: int) -> None:
    column = np.array([word for words in documents for word in words], np.uint32)
    sentences = sorted({place for place in sentences if place < len(column)})
    bounds = Bounds(np.cumsum([0, *map(len, documents)]), np.array(sentences, np.int64))
    given_ones = []
    for length in (2, 3):
        placed = sequences_of(column, bounds, length, ALLOWED)
        rows = list(zip(map(tuple, placed.content.tolist()), placed.documents.tolist(), strict=True))
        assert rows == plainly(documents, sentences, length)
        assert (hashed(placed.content) == placed.hashes).all()
        asked = sorted({row for row, _ in rows} | {(0,) * length, (9,) * length})
        content = np.array(asked, np.uint32)
        order = np.argsort(hashed(content))
        given_ones.append(GivenSequences(hashed(content)[order], content[order], np.full(len(order), 100)))
    for one, counts in zip(given_ones, count_sequences(column, bounds, given_ones, ALLOWED, at_once), strict=True):
        rows = plainly(documents, sentences, one.content.shape[1])
        pairs = Counter(rows)
        names = list(map(tuple, one.content.tolist()))
        assert dict(zip(names, counts.counts.tolist(), strict=True)) == {
            name: sum(row == name for row, _ in rows) for name in names
        }
        assert counts.documents.tolist() == [sum(name == row for row, _ in pairs) for name in names]
        assert {(names[which], document): number for which, document, number in counts.few.tolist()} == dict(pairs)


def test_occurrences_are_told_apart_of_few_alone() -> None:
    column = np.tile(np.array([1, 2], np.uint32), 50)
    bounds = Bounds(np.arange(0, 101, 10))
    content = np.array([[1, 2]], np.uint32)
    (found,) = count_sequences(column, bounds, [GivenSequences(hashed(content), content, np.array([7]))], at_once=10)
    assert (found.counts.tolist(), found.documents.tolist()) == ([50], [10])
    assert found.few.tolist() == [[0, 0, 5], [0, 1, 5]]
    assert all(low < high for low, high in pairwise(found.few[:, 1].tolist()))
