"""What a visit is worth: the price at which a page whose copy is so old by now would be visited.

Let g be the lowest mean cost of a page, age and a price for each visit, under its ordinary rates. The page is visited when its
expected age reaches g, whatever made it old: mere time, a burst of its site, or what a sitemap says (the monotone case of
optimal stopping). So the index of a page is the price for which g is its age now: the time t is sought after which an ordinary
copy is that old, and `age.visit_value` at t is the price. With nothing but time this is Whittle's index itself.
"""

from __future__ import annotations

import numpy as np

from trasmallo.crawl.revisit.age import expected_age, visit_value
from trasmallo.crawl.revisit.rates import RATES
from trasmallo.values.arrays import Array

_TIMES = np.geomspace(0.02, 4_000.0, 28)  # days: half an hour to 11 years; between two of them logarithms are interpolated
_AGES = expected_age(RATES[:, None], _TIMES).astype(np.float32)
_VALUES = visit_value(RATES[:, None], _TIMES).astype(np.float32)
_LEAST = 1e-20  # keeps logarithms finite


_ROWS = 512
"""Rows of a product at a time: OpenBLAS makes one of 262,144 multiplications or fewer in a single thread. Larger ones by two
threads took 2.4 times the CPU of all that a choice takes: they wait for each other by spinning."""


def worth(shares: Array, ages: Array) -> Array:
    """The index of each page from its distribution of rates and the expected age of its copy, in days times days."""
    usual, worths = _product(shares, _AGES), _product(shares, _VALUES)
    sought = np.maximum(ages, _LEAST).astype(np.float32)
    place = np.clip((usual < sought[:, None]).sum(axis=1, dtype=np.int8), 1, len(_TIMES) - 1).astype(np.int64)
    rows = np.arange(len(ages))
    low, high, below, above = (np.log(table[rows, at]) for table in (usual, worths) for at in (place - 1, place))
    found: Array = np.exp(below + (np.log(sought) - low) / (high - low) * (above - below))
    return found


def _product(shares: Array, table: Array) -> Array:
    product = np.empty((len(shares), table.shape[1]), np.float32)
    for begin in range(0, len(shares), _ROWS):
        np.matmul(shares[begin : begin + _ROWS], table, out=product[begin : begin + _ROWS])
    return product
