"""Expected age and freshness of a copy whose page changes at some rate (the textbook's 3.2.3, figure 3.7).

A page changes λ times a day, independently of the past (Poisson). Its copy was current t days ago. The copy's age is the time
since the first change that it lacks, 0 while it lacks none; it is fresh while it lacks none:

    age(λ, t)   = t − (1 − e^−λt) / λ          fresh(λ, t) = e^−λt

Age grows ever faster with t, so waiting costs more and more and every page is worth a visit at some time; freshness does not,
and a plan for freshness gives up the pages that change most. Times are days, rates are changes a day; arrays are taken member
by member.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from trasmallo.values.arrays import Array

_SERIES_BELOW = 0.02  # of λt: five terms are exact to 12 digits there, where the closed forms have lost four of 16
_AGE = (0.0, 1 / 2, -1 / 6, 1 / 24, -1 / 120, 1 / 720)  # terms of its series in λt, from the power 0 on
_MEAN_AGE = (0.0, 1 / 6, -1 / 24, 1 / 120, -1 / 720, 1 / 5040)  # terms of its series in λt, from the power 0 on
_MEAN_FRESHNESS = (1.0, -1 / 2, 1 / 6, -1 / 24, 1 / 120, -1 / 720)  # terms of its series in λt, from the power 0 on
_VALUE = (0.0, 1 / 3, -1 / 8, 1 / 30, -1 / 144, 1 / 840)  # terms of its series in λt, from the power 0 on
_LONGEST, _SHORTEST = 1e6, 1e-6  # days: bounds within which the best periods are looked for
_HALVINGS = 60  # of an interval of 12 powers of ten: to the last digit


def expected_age(rate: ArrayLike, days: ArrayLike) -> Array:
    """Expected age of a copy so many days after the visit that made it, in days."""
    rates, times = _pair(rate, days)
    return times * _blend(rates * times, _AGE, lambda x: 1 + np.expm1(-x) / x)


def expected_freshness(rate: ArrayLike, days: ArrayLike) -> Array:
    """Chance that a copy is still current so many days after the visit that made it."""
    rates, times = _pair(rate, days)
    fresh: Array = np.exp(-rates * times)
    return fresh


def mean_age(rate: ArrayLike, period: ArrayLike) -> Array:
    """Age of a copy on the average over the time between two visits, one every `period` days."""
    rates, times = _pair(rate, period)
    return times * _blend(rates * times, _MEAN_AGE, lambda x: 0.5 - 1 / x - np.expm1(-x) / x**2)


def mean_freshness(rate: ArrayLike, period: ArrayLike) -> Array:
    """Share of the time between two visits in which the copy is current."""
    rates, times = _pair(rate, period)
    return _blend(rates * times, _MEAN_FRESHNESS, lambda x: -np.expm1(-x) / x)


def visit_value(rate: ArrayLike, days: ArrayLike) -> Array:
    """What a visit now is worth, in days of age times days: t·age(t) − ∫age, the index by which pages compete for visits.

    Visiting each page when this reaches one and the same price gives the lowest mean age for the number of visits (Whittle's
    index of a restless bandit; the same condition as Lagrange's in Cho and Garcia-Molina, 2003, with age for freshness).
    """
    rates, times = _pair(rate, days)
    return times**2 * _blend(rates * times, _VALUE, lambda x: 0.5 + np.exp(-x) / x + np.expm1(-x) / x**2)


def collection_age(rates: ArrayLike, periods: ArrayLike) -> float:
    """Mean age of a collection whose pages change at these rates and are visited every so many days, each or all."""
    ages = mean_age(rates, periods)
    return float(ages.mean()) if ages.size else 0.0


def collection_freshness(rates: ArrayLike, periods: ArrayLike) -> float:
    """Mean share of current copies of a collection under such a plan; 1 for an empty one."""
    shares = mean_freshness(rates, periods)
    return float(shares.mean()) if shares.size else 1.0


def best_periods(rates: ArrayLike, visits_a_day: float) -> Array:
    """Days between visits of each page that give the collection the lowest mean age for so many visits a day.

    The value of a visit is the same for all pages under the best plan; that price is found by halving. No page is given up:
    the longest period is that of the page that changes least, and finite.
    """
    wanted = np.atleast_1d(np.asarray(rates, float))
    low, high = -40.0, 40.0  # natural logarithms of prices that no collection reaches
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / _periods_at(wanted, np.exp(middle))).sum() > visits_a_day else (low, middle)
    return _periods_at(wanted, np.exp(high))


def _periods_at(rates: Array, price: float) -> Array:
    """When the value of a visit reaches the price, for each rate."""
    low, high = np.full(len(rates), np.log(_SHORTEST)), np.full(len(rates), np.log(_LONGEST))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        worth = visit_value(rates, np.exp(middle)) > price
        low, high = np.where(worth, low, middle), np.where(worth, middle, high)
    periods: Array = np.exp(high)
    return periods


def _pair(rate: ArrayLike, days: ArrayLike) -> tuple[Array, Array]:
    rates, times = np.broadcast_arrays(np.asarray(rate, float), np.asarray(days, float))
    return rates, times


def _blend(x: Array, series: tuple[float, ...], closed: Callable[[Array], Array]) -> Array:
    """A function of λt: by its series near 0, where the closed form would subtract nearly equal numbers."""
    far = np.maximum(x, _SERIES_BELOW)
    return np.where(x < _SERIES_BELOW, np.polynomial.polynomial.polyval(x, series), closed(far))
