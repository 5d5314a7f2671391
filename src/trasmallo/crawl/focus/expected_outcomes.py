"""What links can be expected to lead to: features of the second look at each address, once all have a first score.

An address that waits counts with the probability of its first score, one that was fetched with what it turned out to be. So a
page is a good hub when what it leads to looks good, and a link gains from those beside it in a list, before any of them was
followed. Words of anchors and around them count by what links with them led to so far; and a walk from pages on topic, forth
and back over links, is compared with one from all pages: it reaches what stands near the topic by two steps or more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from trasmallo.crawl.focus.observed import Columns
from trasmallo.crawl.focus.page_classifier import Judged
from trasmallo.crawl.focus.page_vectors import LITTLE
from trasmallo.crawl.focus.words import SPACE
from trasmallo.values.arrays import Array

_DOUBT = 2.0  # judgement: links after which what stands beside them is believed by half
_BELIEVED = 10.0
"""Links that a promise outweighs; calibrated on a replay of 30 topics: h@R .370 with and without the bound."""

_STEPS = 3  # judgement: forth and back, beyond which a walk forgets where it began
_KEPT = 0.5  # judgement: share of a walk that begins anew at each step
_BESIDE = ((1, 1.0), (2, 0.7), (3, 0.5))  # judgement: a link's place among its page's, and how much it counts


def second_look(
    columns: Columns, judged: Judged, first: Array, mean: Callable[[Array], Array], most: Callable[[Array], Array]
) -> dict[str, Array | float]:
    """Features of each target; `first` are scores in log-odds, `mean` and `most` gather what links have by targets."""
    expected = np.where(columns.fetched >= 0, judged.topicality[columns.fetched], _probability(first))
    of_links = expected[columns.targets]
    base = float(of_links.mean()) if len(of_links) else 0.0
    hubs, beside = _others(columns, of_links, base), _beside(columns, of_links - base)
    anchors = _by_outcome(columns, judged, columns.anchor_words, columns.anchor_of)
    contexts = _by_outcome(columns, judged, columns.context_words, columns.context_of)
    return {
        "expected_hub": mean(hubs),
        "best_expected_hub": most(hubs),
        "expected_beside": mean(beside),
        "best_expected_beside": most(beside),
        "anchor_outcomes": mean(anchors),
        "best_anchor_outcomes": most(anchors),
        "context_outcomes": mean(contexts),
        "best_context_outcomes": most(contexts),
        "walk": _walk_lift(columns, judged),
    }


def bound_by_outcomes(columns: Columns, judged: Judged, scores: Array) -> Array:
    """Scores, in log-odds, of which none promises more than the best of the pages that lead there has kept so far.

    What the links of a page led to counts against what is promised of its next one as so many links of their own: an endless
    list with the topic's words falls behind, whatever its anchors say. In replays over real pages it changed nothing.
    """
    pages = columns.fetched[columns.targets]
    followed = pages >= 0
    number = np.bincount(columns.sources[followed], minlength=columns.pages)
    good = np.bincount(columns.sources[followed], judged.topicality[pages[followed]], columns.pages)
    promised = _probability(scores)
    kept = (good[columns.sources] + _BELIEVED * promised[columns.targets]) / (number[columns.sources] + _BELIEVED)
    best = np.zeros(len(scores))
    np.maximum.at(best, columns.targets, kept)
    linked = np.bincount(columns.targets, minlength=len(scores)) > 0
    bounded = np.clip(np.where(linked, np.minimum(promised, best), promised), LITTLE, 1 - LITTLE)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _others(columns: Columns, expected: Array, base: float) -> Array:
    """For each link what the others of its page are expected to lead to, above the average."""
    total, fan = np.bincount(columns.sources, expected), np.bincount(columns.sources)
    others = total[columns.sources] - expected + _DOUBT * base
    return np.asarray(others / (fan[columns.sources] - 1 + _DOUBT) - base)


def _beside(columns: Columns, above: Array) -> Array:
    """For each link what those next to it on its page are expected to lead to, above the average."""
    total, weight = np.zeros(len(above)), np.zeros(len(above))
    for step, worth in _BESIDE:
        same = worth * (columns.sources[step:] == columns.sources[:-step])
        total[step:] += same * above[:-step]
        weight[step:] += same
        total[:-step] += same * above[step:]
        weight[:-step] += same
    return np.asarray(total / (weight + 1))


def _by_outcome(columns: Columns, judged: Judged, words: Array, of: Array) -> Array:
    """For each link what links with its words led to so far: log-odds above the average, the mean of its words."""
    pages = columns.fetched[columns.targets]
    followed = pages >= 0
    outcome = np.where(followed, judged.topicality[pages], 0.0)
    base = (outcome.sum() + 1) / (followed.sum() + 4)
    seen = np.bincount(words, followed[of], SPACE)
    good = np.bincount(words, outcome[of], SPACE)
    odds = np.log((good + _DOUBT * base) / (seen - good + _DOUBT * (1 - base))) - np.log(base / (1 - base))
    links = len(columns.sources)
    lengths = np.maximum(np.bincount(of, minlength=links), 1)
    return np.asarray(np.bincount(of, odds[words], links) / lengths)


def _walk_lift(columns: Columns, judged: Judged) -> Array:
    """How much likelier a walk from pages on topic comes to each target than one from all pages, as a logarithm."""
    topical = judged.topicality / (judged.topicality.sum() + LITTLE)
    anywhere = np.full(len(topical), 1 / max(len(topical), 1))
    floor = 0.01 / max(len(columns.fetched), 1)
    return np.asarray(np.log((_walk(columns, topical) + floor) / (_walk(columns, anywhere) + floor)))


def _walk(columns: Columns, start: Array) -> Array:
    """The share of a walk that comes to each target, forth over links and back, beginning anew now and then."""
    sources, targets = columns.sources, columns.targets
    fan = np.maximum(np.bincount(sources, minlength=len(start)), 1)[sources]
    degree = np.bincount(targets, minlength=len(columns.fetched))[targets]
    pages: Array = start
    reached: Array = np.zeros(len(columns.fetched))
    for _ in range(_STEPS):
        reached = np.bincount(targets, pages[sources] / fan, len(columns.fetched))
        back = np.bincount(sources, reached[targets] / degree, len(start))
        pages = _KEPT * start + (1 - _KEPT) * back
    return reached


def _probability(scores: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))))
