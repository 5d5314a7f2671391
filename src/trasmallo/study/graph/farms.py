"""Groups whose links look arranged: made for pages, meant for sites, since the pages of one site link to each other anyway.

mutual   each links to most of the others and is linked back: an exchange, a ring, the sites of one owner.
alike    nearly the same links elsewhere: many sites made to push the same few.
cycle    two pages of different sites that link to each other: a post and its trackback (textbook, 4.5.3).

Two that link to each other belong together when a good part of their partners is the same; such pairs make groups, and a
group is told when it is dense and each member has three partners in it. Sets of links are compared by 64 minima of hashes
(MinHash; Broder 1997), so that the time grows with the links and not with their squares. Targets that a tenth of all link to
(the social networks in every footer) make nobody alike. Shapes are reported, not judged: the newspapers of one house look the
same.

Thresholds were set on made webs of 2,000 sites with planted farms (`benchmarks/graph.py` measures them again).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from trasmallo.study.graph.graph import Graph, Numbers
from trasmallo.values.arrays import Integers

_HASHES = 64
"""Numbers in a signature of a page's links. Judgement: the share that agrees tells that of the links with an error of 1/16."""
_BAND = 4
"""Numbers that must agree for two pages to be compared. Judgement: with 16 bands pages half alike are found with 64 %."""
_PAIRS_AT_ONCE = 1 << 18
"""Pairs compared together. Judgement: some megabytes."""
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)

Signatures = NDArray[np.uint32]


class FarmOptions(msgspec.Struct, frozen=True):
    """What makes a farm. `members` is the smallest; `overlap` the share of partners that two mutual ones have in common.

    `density` is the share of a group's pairs that are mutual, `links` the fewest links that can be alike, `alike` the share of
    links of two that are the same, and `common` the share of all from which on a target is everybody's.
    """

    members: int = 4
    overlap: float = 0.3
    density: float = 0.4
    links: int = 5
    alike: float = 0.6
    common: float = 0.1


class Farm(msgspec.Struct, frozen=True):
    """A group: `density` is the share of its pairs that link both ways, `inside` the share of its links that stay in it.

    `links` are those inside a mutual group, and those that most of an alike one have.
    """

    kind: str
    members: Numbers
    links: int
    density: float
    inside: float


def find_farms(graph: Graph, options: FarmOptions | None = None) -> list[Farm]:
    """All groups that look like farms, the largest first."""
    options = options or FarmOptions()
    mutual = graph.by_source.multiply(graph.by_target).tocsr()
    mutual.setdiag(0)
    mutual.eliminate_zeros()
    farms = [*_mutual(graph, mutual, options), *_alike(graph, mutual, options)]
    return sorted(farms, key=lambda farm: (-len(farm.members), farm.kind, farm.members[0]))


def find_cycles(graph: Graph) -> list[tuple[int, int]]:
    """Pairs of pages that link to each other, each once."""
    pairs = sp.triu(graph.by_source.multiply(graph.by_target), 1).tocoo()
    return sorted(zip(pairs.row.tolist(), pairs.col.tolist(), strict=True))


def _mutual(graph: Graph, mutual: sp.csr_array, options: FarmOptions) -> Iterator[Farm]:
    wide = np.diff(mutual.indptr) >= options.members - 1
    places = np.cumsum(wide) - 1
    circles = (mutual + sp.eye_array(graph.size, format="csr"))[np.flatnonzero(wide)].tocsr()
    pairs = sp.triu(mutual, 1).tocoo()
    both = wide[pairs.row] & wide[pairs.col]
    one, other = places[pairs.row[both]], places[pairs.col[both]]
    close = _similarity(_sign(circles), one, other) >= options.overlap
    members = np.flatnonzero(wide).astype(np.int32)
    for group in _groups(one[close], other[close], len(members), options.members):
        core = _core(members[group], mutual, options.members - 1)
        if len(core) and (farm := _describe("mutual", core, graph, mutual)).density >= options.density:
            yield farm


def _core(members: Numbers, mutual: sp.csr_array, least: int) -> Numbers:
    """Those of a group that have so many partners in it when the others are gone: a star of four is no exchange."""
    while True:
        partners = np.diff(mutual[members][:, members].indptr)
        if (partners >= least).all():
            return members
        members = members[partners >= least]


def _alike(graph: Graph, mutual: sp.csr_array, options: FarmOptions) -> Iterator[Farm]:
    telling = graph.inlinks <= max(options.common * graph.size, 2 * options.members)
    links = graph.by_source @ sp.diags_array(telling.astype(np.float64), format="csr")
    links.eliminate_zeros()
    rows = np.flatnonzero(np.diff(links.indptr) >= options.links).astype(np.int32)
    links = links[rows]
    signatures = _sign(links)
    one, other = _candidates(signatures)
    close = _similarity(signatures, one, other) >= options.alike
    for group in _groups(one[close], other[close], len(rows), options.members):
        farm = _describe("alike", rows[group], graph, mutual)
        if farm.density < options.density:  # else they are told already
            shared = int((links[group].sum(axis=0) >= options.alike * len(group)).sum())
            yield msgspec.structs.replace(farm, links=shared)


def _describe(kind: str, members: Numbers, graph: Graph, mutual: sp.csr_array) -> Farm:
    pairs = mutual[members][:, members].nnz
    inside = graph.by_source[members][:, members].nnz
    density = pairs / (len(members) * (len(members) - 1))
    return Farm(kind, members, inside, density, inside / max(int(graph.outlinks[members].sum()), 1))


def _sign(sets: sp.csr_array) -> Signatures:
    """The smallest of each of 64 hashes over the columns of each row; no row may be empty."""
    signatures = np.empty((sets.shape[0], _HASHES), np.uint32)
    if not sets.nnz:
        return signatures
    columns = sets.indices.astype(np.uint64)
    for number in range(_HASHES):
        mixed = (columns + np.uint64(number * 0x1F123BB5 + 1)) * _PRIME
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        signatures[:, number] = np.minimum.reduceat((mixed >> _HALF).astype(np.uint32), sets.indptr[:-1])
    return signatures


def _similarity(signatures: Signatures, one: Integers, other: Integers) -> NDArray[np.float64]:
    """About the share of columns that pairs of rows have in common (Jaccard), within 0.06 at half."""
    found = np.empty(len(one))
    for start in range(0, len(one), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        found[part] = (signatures[one[part]] == signatures[other[part]]).mean(axis=1)
    return found


def _candidates(signatures: Signatures) -> tuple[Integers, Integers]:
    """Pairs of rows that agree in one of the bands: each row with the first one that has the same band."""
    ones, others = [], []
    for start in range(0, _HASHES, _BAND):
        band = np.ascontiguousarray(signatures[:, start : start + _BAND]).view(f"V{4 * _BAND}").ravel()
        _, first, group = np.unique(band, return_index=True, return_inverse=True)
        rows = np.arange(len(band))
        behind = first[group] != rows
        ones.append(first[group][behind])
        others.append(rows[behind])
    return np.concatenate(ones), np.concatenate(others)


def _groups(one: Integers, other: Integers, size: int, least: int) -> Iterator[NDArray[np.intp]]:
    """Rows that pairs hold together, groups of at least so many."""
    if not len(one):
        return
    pairs = sp.coo_array((np.ones(len(one), np.int8), (one, other)), shape=(size, size))
    _, labels = connected_components(pairs, directed=False)
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order], append=-1)) + 1
    for start, end in zip(np.r_[0, ends[:-1]].tolist(), ends.tolist(), strict=True):
        if end - start >= least:
            yield order[start:end]
