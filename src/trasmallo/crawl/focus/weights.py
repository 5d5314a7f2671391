"""Weights of the two linear models, from `weights.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files

import numpy as np

from trasmallo.values.arrays import Array

_TABLE = tomllib.loads((files(__package__) / "weights.toml").read_text(encoding="utf-8"))

PAGE_FEATURES = tuple(_TABLE["pages"])
PAGE_WEIGHTS = np.array(list(_TABLE["pages"].values()), float)
FIRST_FEATURES = tuple(_TABLE["first_look"])
FIRST_WEIGHTS = np.array(list(_TABLE["first_look"].values()), float)
LINK_FEATURES = tuple(_TABLE["links"])
LINK_WEIGHTS = np.array(list(_TABLE["links"].values()), float)
MARKED_WEIGHTS = np.array([_TABLE["links_with_marks"][name] for name in LINK_FEATURES], float)
"""Of links once something was marked as off topic."""


def rows_of(features: Mapping[str, Array | float], names: Sequence[str], count: int) -> Array:
    """Features by name as a row for each of `count` things, in the order of the table."""
    return np.stack([np.broadcast_to(features[name], count) for name in names], axis=1)


def weigh(rows: Array, weights: Array) -> Array:
    """The weighted sum of each row, by numpy's own loops.

    The threads of BLAS wait for each other: on a busy machine that took four fifths of the time of a fit.
    """
    return np.asarray(np.einsum("ij,j->i", rows, weights))
