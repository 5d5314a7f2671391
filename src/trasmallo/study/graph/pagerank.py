"""PageRank: how probable it is to find a reader on a page who follows links at random (textbook, 4.5.2).

At every step the reader presses the surprise button with probability λ and lands on any page, else follows one of the page's
links, none of them preferred. A link that a page repeats counts once; a page without links leads everywhere, as the button
does. Links to pages that are not there (dangling links) are not in the graph. With a topic (Haveliwala 2002) the button, and
pages without links, lead to the pages of the topic only.

Steps are those of the power method. A step brings any vector nearer to the solution by the factor 1-λ at least (both are
distributions), so the last change bounds what is missing: it ends when that bound is within the tolerance. Two things make
it quick. What is missing is itself a sum over steps, which single precision, with half the memory traffic, finds to some
digits at a time; a step in double precision then says what is still missing. And every fifth step goes on to where the last
three changes would cancel out best (Anderson's mixing, now and then; Pratapa and others 2016), which is taken back where it
does not lead nearer; it saves a third of the steps on sites that are linked loosely.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study.graph.graph import Graph, Numbers, Weights

if TYPE_CHECKING:
    import scipy.sparse as sp

Singles = NDArray[np.float32]
_Precision = TypeVar("_Precision", np.float32, np.float64)

_EVERY = 5
"""Steps between two extrapolations at first. Judgement."""
_DIGITS = 1e-3
"""How much of what is missing single precision may leave."""
_MOST_STEPS = 1_000
"""Steps at most, whatever the tolerance. Judgement: far more than any graph of the tests takes."""


class PageRankOptions(msgspec.Struct, frozen=True):
    """`surprise` is λ, from 0 (no button) up to but not including 1; `tolerance` bounds the L1 distance to the solution.

    Without the button there may be no such bound: then it is the last change that is within the tolerance.
    """

    surprise: float = 0.15
    tolerance: float = 1e-6


class Ranking(msgspec.Struct, frozen=True):
    """The PageRank of each page, adding up to 1, the steps it took, and the bound of its L1 distance to the solution."""

    values: Weights
    steps: int
    distance: float


def pagerank(
    graph: Graph, options: PageRankOptions | None = None, *, topic: Numbers | None = None, start: Weights | None = None
) -> Ranking:
    """The PageRank of every page. `topic` are the pages where the button leads, all without it.

    `start` is a guess, such as an earlier ranking: the nearer, the fewer the steps; what is no probability in it is passed
    over. Raises ValueError for a λ out of range, a topic without pages or a start of another size.
    """
    options = options or PageRankOptions()
    if not 0 <= options.surprise < 1 or math.isnan(options.surprise):
        raise ValueError(f"the probability of the surprise button is {options.surprise}, not from 0 to below 1")
    if not graph.size:
        return Ranking(np.zeros(0), 0, 0.0)
    walk = _Walk(graph, options.surprise, topic)
    return _follow(walk, walk.first(start), options)


class _Walk:
    """Steps of the reader."""

    def __init__(self, graph: Graph, surprise: float, topic: Numbers | None) -> None:
        self.bound = (1 - surprise) / surprise if surprise else 1.0
        self.follows = 1 - surprise
        self._graph = graph
        self._share = self.follows / np.maximum(graph.outlinks, 1)
        self._lands = _evenly(graph.size, topic)
        self._single_matrix = _in_single(graph.by_target)
        self._single_share = self._share.astype(np.float32)
        # New memory costs more than the multiplication it is for.
        self._scaled = {share.dtype.char: np.empty_like(share) for share in (self._share, self._single_share)}

    def step(self, before: Weights) -> Weights:
        """Where the reader is next."""
        after: Weights = self._step(self._graph.by_target, self._share, before, 1.0)
        return after

    def spread(self, change: Singles) -> Singles:
        """What becomes of a change, which adds up to 0, at the next step."""
        after: Singles = self._step(self._single_matrix, self._single_share, change, 0.0)
        return after

    def _step(
        self, matrix: sp.csr_array, share: NDArray[_Precision], before: NDArray[_Precision], total: float
    ) -> NDArray[_Precision]:
        scaled = np.multiply(before, share, out=self._scaled[share.dtype.char])
        after: NDArray[_Precision] = matrix @ scaled
        after += (total - after.sum()) * self._lands
        if self.follows < 1:
            return after
        # Without the button readers may go round in circles for ever; one who stays every second time settles.
        after += before
        after /= 2
        return after

    def first(self, start: Weights | None) -> Weights:
        """The given guess made a distribution, or one by the number of links to a page."""
        if start is None:
            inlinks = self._graph.inlinks
            links = max(int(inlinks.sum()), 1)
            guess = self.follows * inlinks / links + (1 - self.follows) * self._lands
        elif len(start) != self._graph.size:
            raise ValueError(f"a start of {len(start)} pages for {self._graph.size}")
        else:
            guess = np.where((start > 0) & (start <= 1), start, 0.0)
        total = guess.sum()
        return guess / total if total > 0 else np.full(self._graph.size, 1 / self._graph.size)


def _in_single(matrix: sp.csr_array) -> sp.csr_array:
    """A matrix of ones in single precision, beside which the places of the ones are not copied."""
    import scipy.sparse as sp

    ones = np.ones(matrix.nnz, np.float32)
    return sp.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _evenly(size: int, topic: Numbers | None) -> Weights | float:
    if topic is None:
        return 1 / size
    pages = np.unique(topic)
    if not len(pages) or pages[0] < 0 or pages[-1] >= size:
        raise ValueError("a topic needs pages of the graph")
    lands = np.zeros(size)
    lands[pages] = 1 / len(pages)
    return lands


def _follow(walk: _Walk, place: Weights, options: PageRankOptions) -> Ranking:
    steps = 0
    while True:
        after = walk.step(place)
        change = after - place
        size = float(np.abs(change).sum())
        steps += 1
        if size * walk.bound <= options.tolerance or steps >= _MOST_STEPS:
            break
        missing, more = _sum_up(walk, change.astype(np.float32), max(_DIGITS * size, 0.9 * options.tolerance / walk.bound))
        place = place + missing
        steps += more
    np.maximum(after, 0, out=after)
    return Ranking(after / after.sum(), steps, size * walk.bound)


def _sum_up(walk: _Walk, first: Singles, enough: float) -> tuple[Singles, int]:
    """A change and all that follows from it, until the rest is small enough; and the steps it took."""
    place, leap, sizes = first, _Leap(len(first)), np.empty_like(first)
    steps = 0
    while True:
        after = walk.spread(place)
        after += first
        change = np.subtract(after, place, out=leap.next_change())
        size = float(np.abs(change, out=sizes).sum())
        steps += 1
        if size <= enough or steps >= _MOST_STEPS:
            return after, steps
        place = leap.go_on(after, size)


class _Leap:
    """Steps, and every fifth time a leap to where the last three changes would cancel out best, if it leads nearer."""

    def __init__(self, size: int) -> None:
        self._changes = [np.zeros(size, np.float32) for _ in range(3)]
        self._every, self._since = _EVERY, 0
        self._back: tuple[Singles, float] | None = None

    def next_change(self) -> Singles:
        """Where the next change is to be written, in the place of the oldest."""
        self._changes.append(self._changes.pop(0))
        return self._changes[-1]

    def go_on(self, after: Singles, size: float) -> Singles:
        """The next place after a step that changed as much; that before the last leap if this is more than it was there."""
        back, self._back = self._back, None
        self._since += 1
        if back is not None and size > back[1]:
            self._every, self._since = 2 * self._every, 0
            return back[0]
        if self._since < self._every:
            return after
        self._since, self._back = 0, (after, size)
        return self._leap(after)

    def _leap(self, after: Singles) -> Singles:
        """As steps follow each other, differences of changes are what a step makes of a change (Anderson, for two of them)."""
        _, old, last = self._changes
        dots = np.array([[float(one @ other) for other in self._changes] for one in self._changes])
        ways = np.array([[0.0, -1.0, 1.0], [-1.0, 1.0, 0.0]])
        normal, wanted = ways @ dots @ ways.T, ways @ dots[:, 2]
        scale = max(float(np.abs(normal).max()), 1e-300)
        share = np.linalg.lstsq(normal / scale, wanted / scale, rcond=1e-6)[0].astype(np.float32)
        there: Singles = after - share[0] * last - share[1] * old
        return there
