"""The best method: a classifier of blocks in two stages.

1. The first stage scores each block by its text, its markup and what is around it.
2. The second sees the same and the scores of the first: those of the neighbours, of the containers and of the blocks that are
   marked up alike.
3. The blocks above a threshold are main content. It is a share of the best scores of the page, so a page of which the model is
   unsure gets a lower one, and no page with text comes out empty. `favour` moves it, up until only a sentence is left.

The model is data, made by `training/blocks.py`; its first line says from what.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib import resources

import msgspec
import numpy as np

from trasmallo.clean.content import rules
from trasmallo.clean.content.features import Blocks, FeatureTables, Floats, describe, describe_again
from trasmallo.clean.content.outline import Names
from trasmallo.clean.content.registry import Method
from trasmallo.clean.content.texts import Phrases, as_one_sigma
from trasmallo.clean.content.trees import Arrays, Trees, unpack
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout
from trasmallo.values.arrays import Array

MODEL = "best.model"
MOST_BLOCKS = 50_000
"""A page of more blocks is read by the plain method: each block takes 5 KB and 20 microseconds here."""

_SHARE = 0.58
"""Share of the mean of the best blocks from which on a block is main. Calibrated by site on the open half of the five public
benchmarks, see docs/guides/main-content.md, as the next two."""
_FEW = 5
"""Blocks whose scores make that mean."""
_FLOOR = 0.3
"""Score below which no block is main but the best one."""
_UP, _DOWN = 3.4, 2.5
"""By how much the threshold moves to all precision and to all recall, as log odds. Calibrated on the sites of one half of the
public sets, checked on the other: precision at 0 and recall at 1 are .97 or more on each (docs/guides/main-content.md)."""
_SENTENCE = 100
"""Characters that are left however much precision is favoured: one word that the model is unsure of is right or wrong by
accident. From 70 to 100 precision is the same on either half of the sites, and on each set no less than without."""


class Model(msgspec.Struct, frozen=True):
    """What was learned: values of words, and the trees of the two stages."""

    tables: FeatureTables
    first: Trees
    second: Trees


def _table(arrays: Arrays, name: str) -> dict[str, float]:
    words = as_one_sigma(arrays[f"{name}_words"].tobytes().decode("utf-8")).split("\n")
    values = arrays[f"{name}_values"].astype(np.float64) / 32
    return dict(zip(words, values.tolist(), strict=True))


def _trees(arrays: Arrays, stage: str) -> Trees:
    parts: list[Array] = [arrays[f"{stage}_{part}"] for part in ("feature", "threshold", "leaf", "bias")]
    return Trees(parts[0], parts[1], parts[2], float(parts[3][0]))


def model_from(content: bytes) -> Model:
    """The model that a file holds."""
    _, arrays = unpack(content)
    tables = FeatureTables(Names(_table(arrays, "name").get), Phrases(_table(arrays, "phrase").get))
    return Model(tables, _trees(arrays, "first"), _trees(arrays, "second"))


@cache
def load() -> Model:
    """The model of the package, read once a process."""
    return model_from(resources.files(__package__).joinpath(MODEL).read_bytes())


def score(page: FlatPage, layout: Layout, model: Model) -> Floats:
    """For each block the probability that it is main content; the layout must have a block."""
    blocks = Blocks(page, layout, model.tables)
    rows = describe(blocks)
    # Last digits go, which differ between libraries, so that a browser finds the same.
    first = model.first(rows).astype(np.float32).astype(np.float64)
    return model.second(describe_again(blocks, rows, first))


def threshold(scores: Floats, weights: Sequence[int], favour: float) -> float:
    """The score from which on a block is main; never above the greatest, so that something is.

    Where precision is favoured it rises above the usual one only as long as a sentence of that page is left.
    """
    best = np.partition(scores, -_FEW)[-_FEW:] if len(scores) > _FEW else scores
    share = max(_SHARE * float(best.mean()), _FLOOR)
    usual = math.log(share / (1 - share))
    least = _probability(usual + (_UP if favour < 0.5 else _DOWN) * (1 - 2 * favour))
    if favour < 0.5:
        least = min(least, max(_probability(usual), _score_of_sentence(scores, weights)))
    return min(least, float(scores.max()))


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _score_of_sentence(scores: Floats, weights: Sequence[int]) -> float:
    """The score that the best blocks reach which have a sentence together; the least one where the page has no more."""
    order = np.argsort(-scores)
    blocks = int(np.searchsorted(np.cumsum(np.asarray(weights)[order]), _SENTENCE))
    return float(scores[order[min(blocks, len(order) - 1)]])


def find_best(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether each block of the layout is main content; at least one is, when there are any."""
    if not len(layout):
        return []
    if len(layout) > MOST_BLOCKS:
        return rules.find_main(page, layout, favour=favour)
    scores = score(page, layout, load())
    main: list[bool] = (scores >= threshold(scores, layout.weight, favour)).tolist()
    return main


BEST = Method(
    find=find_best,
    says={
        "en": "the best that is known: blocks judged by a model that learnt from pages with known main content",
        "es": "el mejor que se conoce: bloques juzgados por un modelo que aprendió de páginas cuyo contenido se conoce",
    },
)
