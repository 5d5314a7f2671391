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


def worth(shares: Array, ages: Array) -> Array:
    """The index of each page from its distribution of rates and the expected age of its copy, in days times days."""
    usual = shares @ _AGES
    place = np.clip((usual < ages[:, None]).sum(axis=1), 1, len(_TIMES) - 1)
    rows = np.arange(len(ages))
    low, high = np.log(usual[rows, place - 1]), np.log(usual[rows, place])
    part = (np.log(np.maximum(ages, _LEAST)) - low) / (high - low)
    below, above = (np.log((shares * _VALUES.T[at]).sum(axis=1)) for at in (place - 1, place))
    worths: Array = np.exp(below + part * (above - below))
    return worths
