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
_AGES = expected_age(RATES, _TIMES[:, None]).astype(np.float32)
_VALUES = visit_value(RATES, _TIMES[:, None]).astype(np.float32)
_LEAST = 1e-20  # keeps logarithms finite


def worth(shares: Array, ages: Array) -> Array:
    """The index of each page from its distribution of rates and the expected age of its copy, in days times days."""
    sought = np.maximum(ages, _LEAST).astype(np.float32)
    place = _place(shares, sought)
    low, high = (np.log(_mean(shares, _AGES, at)) for at in (place - 1, place))
    below, above = (np.log(_mean(shares, _VALUES, at)) for at in (place - 1, place))
    found: Array = np.exp(below + (np.log(sought) - low) / (high - low) * (above - below))
    return found


def _place(shares: Array, ages: Array) -> Array:
    """The first time, but 0, at which an ordinary copy of each page is so old, or the last time: found by halving."""
    first, last = np.ones(len(ages), np.int64), np.full(len(ages), len(_TIMES) - 1)
    for _ in range(len(_TIMES).bit_length()):
        middle = (first + last) // 2
        younger = (first < last) & (_mean(shares, _AGES, middle) < ages)
        first, last = np.where(younger, middle + 1, first), np.where(younger, last, middle)
    return first


def _mean(shares: Array, table: Array, at: Array) -> Array:
    """The mean of a page's rates of what stands in the table at a time of its own.

    Not a product of matrices: its last bits depend on the processor and on a page's place among the others, so that pages of
    which the same is known would not be equals.
    """
    mean: Array = np.einsum("ij,ij->i", shares, table[at])
    return mean
