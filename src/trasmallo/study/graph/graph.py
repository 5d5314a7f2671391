"""Pages 0, 1, 2... and the links between them, each pair once however often a page repeats a link.

Memory: 12 bytes a link by target and, once somebody asks for them, 12 more by source; making it takes 28 for a moment.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import scipy.sparse as sp

Numbers = NDArray[np.int32]
Weights = NDArray[np.float64]

MOST_PAGES = 2**31 - 1
"""Pages of a graph at most: their numbers have 32 bits and a sign."""


class Graph:
    """Links among `size` pages. `sources` and `targets` are the two ends of each; raises ValueError when one is no page."""

    def __init__(self, sources: ArrayLike, targets: ArrayLike, size: int) -> None:
        import scipy.sparse as sp

        tails, heads = np.asarray(sources), np.asarray(targets)
        if tails.shape != heads.shape or tails.ndim != 1:
            raise ValueError(f"{tails.shape} sources for {heads.shape} targets")
        if not 0 <= size <= MOST_PAGES:
            raise ValueError(f"{size} pages are more than {MOST_PAGES}")
        for ends in (tails, heads) if len(tails) else ():
            if ends.min() < 0 or ends.max() >= size:
                raise ValueError(f"a link has an end that is none of the pages 0 to {size - 1}")
        places = (heads.astype(np.int32, copy=False), tails.astype(np.int32, copy=False))
        self.by_target = _pattern(sp.coo_array((np.ones(len(tails), np.int8), places), shape=(size, size)))

    @classmethod
    def of_matrix(cls, matrix: sp.csr_array) -> Graph:
        """The graph of a sparse matrix whose row i has entries where page i links to."""
        import scipy.sparse as sp

        graph = cls.__new__(cls)
        graph.by_target = _pattern(sp.csr_array(matrix).T)
        return graph

    @property
    def size(self) -> int:
        """How many pages there are."""
        return int(self.by_target.shape[0])

    @property
    def links(self) -> int:
        """How many different links there are."""
        return int(self.by_target.nnz)

    @cached_property
    def by_source(self) -> sp.csr_array:
        """Row i has a 1 for each page that page i links to."""
        return self.by_target.T.tocsr()

    @property
    def inlinks(self) -> NDArray[np.int64]:
        """How many pages link to each page."""
        counts: NDArray[np.int64] = np.diff(self.by_target.indptr).astype(np.int64)
        return counts

    @cached_property
    def outlinks(self) -> NDArray[np.int64]:
        """How many pages each page links to."""
        return np.bincount(self.by_target.indices, minlength=self.size)

    def ends(self) -> tuple[Numbers, Numbers]:
        """Sources and targets of all links, by target."""
        return self.by_target.indices, np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.by_target.indptr))

    def part(self, pages: Numbers) -> Graph:
        """The links among some pages, which are numbered in the given order."""
        return Graph.of_matrix(self.by_source[pages][:, pages])


def _pattern(matrix: sp.csr_array) -> sp.csr_array:
    """A matrix as compressed rows in order with a 1 where there is anything."""
    import scipy.sparse as sp

    rows = matrix.tocsr()
    rows.sum_duplicates()
    narrow = np.int32 if rows.nnz <= MOST_PAGES else np.int64
    places = (np.ones(rows.nnz), rows.indices.astype(np.int32, copy=False), rows.indptr.astype(narrow, copy=False))
    return sp.csr_array(places, shape=rows.shape)
