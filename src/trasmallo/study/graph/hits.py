"""Hubs and authorities: a good hub links to good authorities, and good hubs link to a good authority (Kleinberg 1999).

Authorities are the first eigenvector of AᵀA, where A has a 1 for each link, and hubs what A makes of them; both add up to 1.
They are found in the space that repeated multiplication of equal authorities spans (Lanczos), so where several groups of
pages are equally strong each gets the share that Kleinberg's own iteration would give it. Memory: 12 vectors of 8 bytes a
page.

A query sees its neighbourhood: its pages, all they link to, and some of those that link to them.
"""

from __future__ import annotations

import msgspec
import numpy as np

from trasmallo.study.graph.graph import Graph, Numbers, Weights

_SPAN = 12
"""Vectors of a basis before it is begun anew from its best one. Judgement: memory of twelve columns."""
_MOST_SPANS = 40
"""Bases at most; what has not settled by then is given as it is. Judgement."""
# The last correction of a unit vector; entries add up to more than its length, which the benchmark and tests measure.
_TOLERANCE = 1e-9


class HubsAuthorities(msgspec.Struct, frozen=True):
    """Hub and authority of each page, and how often all links were followed forth and back. Without links all are 0."""

    hubs: Weights
    authorities: Weights
    steps: int


class Bounds(msgspec.Struct, frozen=True):
    """How large a neighbourhood may become (Kleinberg's values): `roots` pages of the query, `inward` pages to each of them.

    `pages` is the bound of all of them together, so that one root with a million links is not the whole answer.
    """

    roots: int = 200
    inward: int = 50
    pages: int = 20_000


def hits(graph: Graph) -> HubsAuthorities:
    """Hubs and authorities of all pages of a graph."""
    size = graph.size
    if not graph.links:
        return HubsAuthorities(np.zeros(size), np.zeros(size), 0)
    vector, steps = np.full(size, size**-0.5), 0
    for _ in range(_MOST_SPANS):
        vector, more, correction = _improve(graph, vector)
        steps += more
        if correction <= _TOLERANCE:
            break
    vector[graph.inlinks == 0] = 0  # rounding leaves crumbs there
    hubs = graph.by_source @ vector
    return HubsAuthorities(hubs / hubs.sum(), vector / vector.sum(), steps)


def neighbourhood(graph: Graph, roots: Numbers, bounds: Bounds | None = None) -> Numbers:
    """The pages around some, the best of which come first: themselves, what links to them, what they link to."""
    bounds = bounds or Bounds()
    chosen = roots[: bounds.roots]
    inward = [_row(graph.by_target, root)[: bounds.inward] for root in chosen.tolist()]
    outward = [_row(graph.by_source, root) for root in chosen.tolist()]
    pages = np.concatenate([chosen.astype(np.int32), *inward, *outward])
    first = np.sort(np.unique(pages, return_index=True)[1])[: bounds.pages]
    return pages[first]


def _row(matrix: object, number: int) -> Numbers:
    """The columns of a row, without copying the matrix."""
    bounds, columns = matrix.indptr, matrix.indices  # type: ignore[attr-defined]
    found: Numbers = columns[bounds[number] : bounds[number + 1]]
    return found


def _improve(graph: Graph, vector: Weights) -> tuple[Weights, int, float]:
    """A better first eigenvector, the multiplications it took, and about how far it is off."""
    basis, diagonal = [vector], list[float]()
    beside = list[float]()
    while True:
        image = graph.by_target @ (graph.by_source @ basis[-1])
        diagonal.append(float(image @ basis[-1]))
        for known in basis:  # against all of them: rounding would bring the first ones back
            image -= (image @ known) * known
        length = float(np.linalg.norm(image))
        share, correction = _first(diagonal, beside, length)
        if correction <= _TOLERANCE or len(basis) == _SPAN:
            break
        beside.append(length)
        basis.append(image / length)
    best = np.abs(sum(part * known for part, known in zip(share, basis, strict=True)))
    return best / np.linalg.norm(best), len(basis), correction


def _first(diagonal: list[float], beside: list[float], length: float) -> tuple[Weights, float]:
    """The first eigenvector of a small tridiagonal matrix, and the share of it that the next direction would take."""
    from scipy.linalg import eigh_tridiagonal

    values, vectors = eigh_tridiagonal(diagonal, beside)
    first: Weights = vectors[:, -1]
    if length <= 1e-12 * values[-1]:
        return first, 0.0
    gap = values[-1] - values[-2] if len(values) > 1 else values[-1]
    return first, abs(float(first[-1])) * length / max(float(gap), 1e-300)
