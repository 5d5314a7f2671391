"""Link scorer: how promising each address is that a page of the window leads to.

One linear model (`weights.toml`) over what is known before an address is asked for: how many pages lead to it and how much on
topic they are; what its anchors, the words around them and its address say, against the topic's words, against what tells pages
on topic from others, and against what links with the same words turned out to lead to (the apprentice); what the pages that
lead to it led to so far (hubs), and its neighbours among their links. A dull page passes on what its own
links say, so that a good page behind it is reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trasmallo.crawl.focus.observed import Columns
from trasmallo.crawl.focus.page_classifier import Judged
from trasmallo.crawl.focus.weights import LINK_WEIGHTS
from trasmallo.crawl.focus.words import SPACE
from trasmallo.values.arrays import Array

_LITTLE = 1e-9  # judgement: keeps a division from failing, and changes nothing else
_ANCHOR_DOUBT, _CONTEXT_DOUBT, _HUB_DOUBT = 2.0, 4.0, 3.0  # judgement: links after which an outcome is believed by half
_NEIGHBOURS = ((1, 1.0), (2, 0.7), (3, 0.5))  # judgement: a link's place among its page's, and how much it counts


class Scored(NamedTuple):
    """Scores of targets, in log-odds, and of each link what its page led to so far (`hubs`, a share) and the anchors' part."""

    scores: Array
    features: Array
    hubs: Array
    anchors: Array


def score_links(columns: Columns, judged: Judged) -> Scored:
    """Score every target that a page of the window leads to."""
    links, targets = _link_features(columns, judged), len(columns.fetched)
    features = _target_features(columns, judged, links, targets)
    return Scored(features @ LINK_WEIGHTS, features, links.hubs_of_pages, links.anchor_contrast)


class _Links(NamedTuple):
    topicality: Array
    anchor_words: Array
    anchor_contrast: Array
    anchor_odds: Array
    anchor_outcomes: Array
    context_words: Array
    context_contrast: Array
    context_odds: Array
    context_outcomes: Array
    hubs: Array
    neighbours: Array
    few_links: Array
    hubs_of_pages: Array


def _link_features(columns: Columns, judged: Judged) -> _Links:
    count = len(columns.sources)
    followed, outcome, base = _outcomes(columns, judged)
    anchors = _Texts(columns.anchor_words, columns.anchor_of, count, judged.rarity)
    contexts = _Texts(columns.context_words, columns.context_of, count, judged.rarity)
    hubs = _hubs(columns, followed, outcome, base, len(judged.topicality))
    fan = np.bincount(columns.sources, minlength=len(judged.topicality))
    return _Links(
        topicality=judged.topicality[columns.sources],
        anchor_words=anchors.cosine(judged.word_weights),
        anchor_contrast=anchors.cosine(judged.contrast),
        anchor_odds=anchors.mean(judged.odds),
        anchor_outcomes=anchors.learned(followed, outcome, base, _ANCHOR_DOUBT),
        context_words=contexts.cosine(judged.word_weights),
        context_contrast=contexts.cosine(judged.contrast),
        context_odds=contexts.mean(judged.odds),
        context_outcomes=contexts.learned(followed, outcome, base, _CONTEXT_DOUBT),
        hubs=hubs[columns.sources],
        neighbours=_neighbours(columns, followed, outcome - base),
        few_links=1 / np.sqrt(np.maximum(fan, 1))[columns.sources],
        hubs_of_pages=hubs + base,
    )


def _outcomes(columns: Columns, judged: Judged) -> tuple[Array, Array, float]:
    """Which links were followed, what they led to, and what links led to on average."""
    pages = columns.fetched[columns.targets]
    followed = pages >= 0
    outcome = np.where(followed, judged.topicality[pages], 0.0)
    base = float(outcome[followed].mean()) if followed.any() else float(judged.topicality.mean())
    return followed, outcome, base


class _Texts:
    """The anchors of all links, or what stands around them."""

    def __init__(self, words: Array, links: Array, count: int, rarity: Array) -> None:
        self._words, self._links, self._count, self._rarity = words, links, count, rarity
        self._lengths = np.bincount(links, minlength=count).astype(float)

    def cosine(self, vector: Array) -> Array:
        rare = self._rarity[self._words]
        norms = np.sqrt(np.bincount(self._links, rare**2, self._count)) + _LITTLE
        return np.asarray(np.bincount(self._links, rare * vector[self._words], self._count) / norms)

    def mean(self, weights: Array) -> Array:
        return np.asarray(np.bincount(self._links, weights[self._words], self._count) / np.maximum(self._lengths, 1))

    def learned(self, followed: Array, outcome: Array, base: float, doubt: float) -> Array:
        """What links with the same words led to, as log-odds above the average."""
        taught = followed[self._links]
        words = self._words[taught]
        good = np.bincount(words, outcome[self._links[taught]], SPACE)
        all_ = np.bincount(words, minlength=SPACE)
        odds = np.log((good + doubt * base + 1e-6) / (all_ - good + doubt * (1 - base) + 1e-6))
        odds -= np.log((base + 1e-3) / (1 - base + 1e-3))
        return np.asarray(np.bincount(self._links, odds[self._words], self._count) / np.sqrt(np.maximum(self._lengths, 1)))


def _hubs(columns: Columns, followed: Array, outcome: Array, base: float, pages: int) -> Array:
    """How much more than the average each page led to what is on topic."""
    good = np.bincount(columns.sources[followed], outcome[followed], pages)
    number = np.bincount(columns.sources[followed], minlength=pages)
    return np.asarray((good + _HUB_DOUBT * base) / (number + _HUB_DOUBT) - base)


def _neighbours(columns: Columns, followed: Array, above: Array) -> Array:
    """What the links next to each on its page led to, above the average."""
    total, weight = np.zeros(len(followed)), np.zeros(len(followed))
    told = np.where(followed, above, 0.0)
    for step, worth in _NEIGHBOURS:
        same = columns.sources[step:] == columns.sources[:-step]
        earlier, later = same & followed[:-step], same & followed[step:]
        total[step:] += worth * np.where(earlier, told[:-step], 0)
        weight[step:] += worth * earlier
        total[:-step] += worth * np.where(later, told[step:], 0)
        weight[:-step] += worth * later
    return np.asarray(total / (weight + 1))


def _target_features(columns: Columns, judged: Judged, links: _Links, count: int) -> Array:
    """A row for each target, in the order of `weights.toml`."""
    targets, base = columns.targets, float(judged.topicality.mean())
    degree = np.bincount(targets, minlength=count).astype(float)
    mass = np.bincount(targets, links.topicality, count)

    def mean(values: Array) -> Array:
        return np.asarray(np.bincount(targets, values, count) / np.maximum(degree, 1))

    def most(values: Array) -> Array:
        highest = np.full(count, -9.0)
        np.maximum.at(highest, targets, values)
        return highest

    return np.stack(
        [
            np.ones(count),
            np.log1p(mass),
            np.log1p(degree),
            (mass + base) / (degree + 1) - base,
            most(links.topicality),
            mean(links.anchor_words),
            mean(links.anchor_contrast),
            mean(links.anchor_odds),
            mean(links.anchor_outcomes),
            mean(links.context_words),
            mean(links.context_contrast),
            mean(links.context_odds),
            mean(links.context_outcomes),
            mean(links.hubs),
            most(links.hubs),
            mean(links.neighbours),
            most(links.neighbours),
            mean(columns.digits),
            mean(columns.places),
            mean(links.few_links * links.topicality),
            most(links.anchor_contrast),
            most(links.anchor_words),
            most(links.context_contrast),
            np.full(count, base),
            np.log1p(mass) * base,
            mass / (degree + 0.5) * np.log1p(degree),
        ],
        axis=1,
    )
