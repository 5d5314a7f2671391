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
LINK_FEATURES = tuple(_TABLE["links"])
LINK_WEIGHTS = np.array(list(_TABLE["links"].values()), float)


def rows_of(features: Mapping[str, Array | float], names: Sequence[str], count: int) -> Array:
    """Features by name as a row for each of `count` things, in the order of the table."""
    return np.stack([np.broadcast_to(features[name], count) for name in names], axis=1)
