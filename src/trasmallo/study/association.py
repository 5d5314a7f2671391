"""How strongly two things attract each other, from counts of pairs. Exact formulas, whole arrays at once.

With O11 the pairs (x, y), R1 those with x first, C1 those with y second and N all pairs: O12 = R1 - O11, O21 = C1 - O11,
O22 = N - R1 - C1 + O11, and E11 = R1 C1 / N is what chance would give (Evert, The Statistics of Word Cooccurrences, 2005).
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.values.arrays import Whole

Values = NDArray[np.float64]

_FOURTEEN = 14.0
"""Rychlý's constant: what two words score that never occur without each other."""


class ContingencyTable(msgspec.Struct, frozen=True):
    """Contingency tables of pairs: `joint` is O11, `first` R1, `second` C1, arrays of the same length; `total` is N.

    No pair may be without an occurrence.
    """

    joint: Whole
    first: Whole
    second: Whole
    total: int

    @property
    def expected(self) -> Values:
        """E11: pairs that chance would give."""
        return self.first / self.total * self.second


class Measures(NamedTuple):
    """All measures of some pairs; see the functions of the same names."""

    log_likelihood: Values
    mi: Values
    mi3: Values
    t: Values
    log_dice: Values
    delta_p: Values
    delta_p_back: Values


def measure(table: ContingencyTable) -> Measures:
    """All measures of these pairs."""
    return Measures(
        log_likelihood=log_likelihood(table),
        mi=mi(table),
        mi3=mi3(table),
        t=t_score(table),
        log_dice=log_dice(table),
        delta_p=delta_p(table),
        delta_p_back=delta_p_back(table),
    )


def log_likelihood(table: ContingencyTable) -> Values:
    """G2 = 2 sum of O ln(O / E) over the four cells (Dunning 1993): evidence against chance, for either direction."""
    joint, first, second = table.joint, table.first, table.second
    rest, others = table.total - first, table.total - second
    cells = [(joint, first, second), (first - joint, first, others), (second - joint, rest, second)]
    cells.append((rest - second + joint, rest, others))
    terms = np.stack([_term(cell, row / table.total * column) for cell, row, column in cells])
    values: Values = np.maximum(2 * terms.sum(axis=0), 0.0)
    return values


def mi(table: ContingencyTable) -> Values:
    """log2(O11 / E11), bits of pointwise mutual information (Church and Hanks 1990); high for rare pairs."""
    return np.log2(table.joint / table.expected)


def mi3(table: ContingencyTable) -> Values:
    """log2(O11**3 / E11) (Daille 1994): the same, but frequent pairs weigh more."""
    values: Values = mi(table) + 2 * np.log2(table.joint)
    return values


def t_score(table: ContingencyTable) -> Values:
    """(O11 - E11) / sqrt(O11) (Church, Gale, Hanks and Hindle 1991); high for frequent pairs."""
    return (table.joint - table.expected) / np.sqrt(table.joint)


def log_dice(table: ContingencyTable) -> Values:
    """14 + log2(2 O11 / (R1 + C1)) (Rychlý 2008): at most 14, and independent of the corpus's size."""
    return _FOURTEEN + np.log2(2 * table.joint / (table.first + table.second))


def delta_p(table: ContingencyTable) -> Values:
    """P(y | x) - P(y | not x) (Gries 2013): how far the first calls for the second, from -1 to 1."""
    return _difference(table.joint, table.first, table.second, table.total)


def delta_p_back(table: ContingencyTable) -> Values:
    """P(x | y) - P(x | not y): how far the second calls for the first."""
    return _difference(table.joint, table.second, table.first, table.total)


def _difference(joint: Whole, given: Whole, asked: Whole, total: int) -> Values:
    """When everything is given, nothing can be told from what happens without it: that share counts as 0."""
    without = total - given
    otherwise: Values = np.divide(asked - joint, without, out=np.zeros(len(joint)), where=without > 0)
    return joint / given - otherwise


def _term(observed: Whole, expected: Values) -> Values:
    """O ln(O / E), which is 0 where nothing was observed."""
    ratio: Values = np.divide(observed, expected, out=np.ones(len(observed)), where=observed > 0)
    return np.asarray(observed * np.log(ratio), dtype=np.float64)
