"""The main text by tag ratios (CETR): lines with many characters for each tag.

After T. Weninger, W. H. Hsu and J. Han, "CETR: content extraction via tag ratios" (2010). A line is a block of text with the
tags since the block before it, so that the way a page is written does not change its ratios. Ratios are smoothed with a
Gaussian; then lines are clustered by k-means in two dimensions (the smoothed ratio, and how fast it changes), where the cluster
that stays at the origin is not content, or in one (the ratio alone), where the lowest cluster is not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.content.registry import Method
from trasmallo.clean.content.stream import stream_of
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout

Series = NDArray[np.float64]

# A Gaussian with a deviation of 1, cut after one place on each side; written out, since every library's exponential has its
# own last digit, and blocks on a border would fall to one side here and to the other in a browser.
_MIDDLE, _SIDE = 0.45186276187760605, 0.274068619061197
_AHEAD = 3
"""Blocks that the change of the ratio looks ahead, as in the paper."""
_CLUSTERS = 3
"""Clusters of k-means, as in the paper."""
_MOST_ROUNDS = 50
"""Rounds of k-means. Judgement: a bound on time."""


def tag_ratios(page: FlatPage, layout: Layout) -> Series:
    """For each block its characters without white space per tag."""
    if not len(layout):  # a page may have texts of which nothing shows, such as a soft hyphen
        return np.zeros(0)
    stream = stream_of(page, layout)
    characters, tags = np.zeros(len(layout)), np.zeros(len(layout))
    number = 0
    for node, count in zip(stream.node, stream.tags, strict=True):
        while number < len(layout) - 1 and layout.last[number] < node:
            number += 1
        characters[number] += len("".join(page.text[node].split()))
        tags[number] += count
    return characters / np.maximum(tags, 1)


def smooth(series: Series) -> Series:
    """The series with each value spread over its neighbours by a Gaussian; the ends are held."""
    if not len(series):
        return series
    padded = np.pad(series, 1, mode="edge")
    smoothed: Series = _SIDE * padded[:-2] + _MIDDLE * padded[1:-1] + _SIDE * padded[2:]
    return smoothed


def changes(smoothed: Series) -> Series:
    """How far the next few values lie from each one, smoothed, without sign."""
    if not len(smoothed):
        return smoothed
    padded = np.pad(smoothed, (0, _AHEAD), mode="edge")
    ahead = sum(padded[step : step + len(smoothed)] for step in range(1, _AHEAD + 1)) / _AHEAD
    return np.abs(smooth(ahead - smoothed))


def cluster(points: Series, centres: Series, *, first_fixed: bool) -> Series:
    """The centres that k-means reaches from these; a centre without points stays where it is."""
    for _ in range(_MOST_ROUNDS):
        moved = _means(points, distances(points, centres).argmin(axis=1), centres)
        if first_fixed:
            moved[0] = centres[0]
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres


def _means(points: Series, nearest: NDArray[np.intp], centres: Series) -> Series:
    """The middle of the points nearest to each centre, summed up one after the other."""
    counts = np.bincount(nearest, minlength=len(centres))
    sums = np.column_stack([np.bincount(nearest, values, len(centres)) for values in points.T])
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)


def distances(points: Series, centres: Series) -> Series:
    """How far each point (a row) lies from each centre (a column)."""
    apart: Series = np.sqrt(((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2))
    return apart


def choose(points: Series, *, first_fixed: bool, favour: float) -> list[bool]:
    """Whether each point is nearer to a centre of content than to the first, which is where there is none.

    `favour` moves the border: at 0 content must be four times as near, at 1 a quarter is enough.
    """
    if not len(points):
        return []
    top = points.max(axis=0)
    start = np.array([top * k / (_CLUSTERS - 1) for k in range(_CLUSTERS)])
    apart = distances(points, cluster(points, start, first_fixed=first_fixed))
    main = apart[:, 1:].min(axis=1) * 16.0 ** (0.5 - favour) < apart[:, 0]
    return list(map(bool, main)) if main.any() else [True] * len(points)


def find_main(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether each block is content, by two dimensions."""
    ratios = smooth(tag_ratios(page, layout))
    return choose(np.column_stack((ratios, changes(ratios))), first_fixed=True, favour=favour)


def find_by_ratio(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether each block is content, by one dimension."""
    return choose(smooth(tag_ratios(page, layout))[:, None], first_fixed=False, favour=favour)


CETR = Method(
    find=find_main,
    says={
        "en": "blocks with many characters per tag, clustered by the ratio and its change",
        "es": "bloques con muchos caracteres por etiqueta, agrupados por la proporción y su cambio",
    },
)
CETR_1D = Method(
    find=find_by_ratio,
    says={
        "en": "blocks with many characters per tag, clustered by the ratio alone",
        "es": "bloques con muchos caracteres por etiqueta, agrupados solo por la proporción",
    },
)
