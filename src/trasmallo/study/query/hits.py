"""Hits of a query as columns, and what can be done with them together."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from trasmallo.values.arrays import Integers, Mask, Whole

Keep = Literal["all", "longest", "shortest"]

_ROOM_BITS = 12
"""Bits for the length of a hit, so that its place and length sort as one number: `syntax.LIMITS` are below."""
_ROOM = np.int64(1 << _ROOM_BITS)
"""More than the tokens that a hit can have."""


class QueryHits(NamedTuple):
    """Hits in the order of the corpus: first tokens, lengths, and for each label a row of tokens, -1 where there is none.

    Without labels there are neither rows nor columns of them.
    """

    first: Whole
    length: Whole
    labels: Whole

    def __len__(self) -> int:
        return len(self.first)

    def only(self, chosen: Mask | slice | Integers) -> QueryHits:
        """Some of them."""
        return QueryHits(self.first[chosen], self.length[chosen], self.labels[:, chosen] if len(self.labels) else self.labels)


NO_LABELS = np.zeros((0, 0), dtype=np.int64)
NO_HITS = QueryHits(np.zeros(0, np.int64), np.zeros(0, np.int64), NO_LABELS)


def ordered(hits: QueryHits) -> QueryHits:
    """In the order of the corpus, short ones first, each only once for each choice of labelled tokens."""
    keys = hits.first * _ROOM + hits.length
    if not len(hits.labels):
        keys.sort()
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)]]
        return QueryHits(keys >> _ROOM_BITS, keys & (_ROOM - 1), NO_LABELS)
    order = np.lexsort((*hits.labels[::-1], keys))
    columns = np.stack([keys, *hits.labels])[:, order]
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return hits.only(order[fresh])


def kept(hits: QueryHits, keep: Keep) -> QueryHits:
    """One hit of each range of tokens; of those that begin at the same token all, the longest or the shortest."""
    if not len(hits):
        return hits
    same = hits.first[1:] == hits.first[:-1]
    if keep == "all":
        same &= hits.length[1:] == hits.length[:-1]
    if keep == "longest":
        last = np.append(~same, np.bool_(True))
        lengths = hits.length[last]
        begins = np.flatnonzero(np.insert(~same, 0, True))
        # Of several choices of labelled tokens in the longest hit the first one counts.
        longest = np.repeat(lengths, np.diff(np.append(begins, len(hits))))
        return kept(hits.only(hits.length == longest), "all")
    return hits.only(np.insert(~same, 0, True))


def inside(hits: QueryHits, others: QueryHits) -> Mask:
    """Whether each hit lies in one of the others, which are in order."""
    if not len(others):
        return np.zeros(len(hits), dtype=np.bool_)
    reach = np.maximum.accumulate(others.first + others.length)
    before = np.searchsorted(others.first, hits.first, side="right") - 1
    return (before >= 0) & (reach[np.maximum(before, 0)] >= hits.first + hits.length)


def around(hits: QueryHits, others: QueryHits) -> Mask:
    """Whether each hit contains one of the others, which are in order."""
    if not len(others):
        return np.zeros(len(hits), dtype=np.bool_)
    ends = np.minimum.accumulate((others.first + others.length)[::-1])[::-1]
    after = np.searchsorted(others.first, hits.first)
    there = after < len(others)
    return there & (ends[np.minimum(after, len(others) - 1)] <= hits.first + hits.length)
