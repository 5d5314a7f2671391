"""Weights of the two linear models, from `weights.toml`."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import numpy as np

_TABLE = tomllib.loads((files(__package__) / "weights.toml").read_text(encoding="utf-8"))

PAGE_FEATURES = tuple(_TABLE["pages"])
PAGE_WEIGHTS = np.array(list(_TABLE["pages"].values()), float)
LINK_FEATURES = tuple(_TABLE["links"])
LINK_WEIGHTS = np.array(list(_TABLE["links"].values()), float)
