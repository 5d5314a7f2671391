"""Link scorer: how promising each address is that a page of the window leads to.

Two linear models (`weights.toml`) over what is known before an address is asked for: how many pages lead to it, how much on
topic they are, and whether that is more than chance (with less for pages that lead everywhere, after Adamic and Adar); what
its anchors, the words around them and its address say, against the topic's words and against what tells pages on topic and
their leads from others; what the pages that lead to it led to so far (hubs), and its neighbours among their links. The second
model has also what the first expects of all addresses (`expected_outcomes`). A dull page passes on what its own links say, so
that a good page behind it is reached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from trasmallo.crawl.focus.expected_outcomes import bound_by_outcomes, second_look
from trasmallo.crawl.focus.observed import Columns
from trasmallo.crawl.focus.page_classifier import Judged
from trasmallo.crawl.focus.weights import (
    FIRST_FEATURES,
    FIRST_WEIGHTS,
    LINK_FEATURES,
    LINK_WEIGHTS,
    MARKED_WEIGHTS,
    rows_of,
    weigh,
)
from trasmallo.values.arrays import Array

_LITTLE = 1e-9  # judgement: keeps a division from failing, and changes nothing else
_HUB_DOUBT = 3.0  # judgement: links after which an outcome is believed by half
_NEIGHBOURS = ((1, 1.0), (2, 0.7), (3, 0.5))  # judgement: a link's place among its page's, and how much it counts


class Scored(NamedTuple):
    """Scores of targets, in log-odds, and what makes them; a share of what each page led to (`hubs`); each anchor's part."""

    scores: Array
    features: Array
    weights: Array
    hubs: Array
    anchors: Array


def score_links(columns: Columns, judged: Judged) -> Scored:
    """Score every target that a page of the window leads to."""
    links, targets = _link_features(columns, judged), len(columns.fetched)
    features = _target_features(columns, judged, links, targets)
    weights = MARKED_WEIGHTS if judged.off_topic.any() else LINK_WEIGHTS
    return Scored(
        scores=bound_by_outcomes(columns, judged, weigh(features, weights)),
        features=features,
        weights=weights,
        hubs=links.hubs_of_pages,
        anchors=links.anchor_contrast,
    )


class _Links(NamedTuple):
    topicality: Array
    anchor_words: Array
    anchor_contrast: Array
    anchor_odds: Array
    context_words: Array
    context_contrast: Array
    context_odds: Array
    hubs: Array
    neighbours: Array
    few_links: Array
    less_of_many: Array
    lead_contrast: Array
    lead_odds: Array
    hubs_of_pages: Array


def _link_features(columns: Columns, judged: Judged) -> _Links:
    count = len(columns.sources)
    followed, outcome, base = _outcomes(columns, judged)
    anchors = _Texts(columns.anchor_words, columns.anchor_of, count, judged.rarity)
    contexts = _Texts(columns.context_words, columns.context_of, count, judged.rarity)
    hubs = _hubs(columns, followed, outcome, base, len(judged.topicality))
    fan = np.maximum(np.bincount(columns.sources, minlength=len(judged.topicality)), 1)
    return _Links(
        topicality=judged.topicality[columns.sources],
        anchor_words=anchors.cosine(judged.word_weights),
        anchor_contrast=anchors.cosine(judged.contrast),
        anchor_odds=anchors.mean(judged.odds),
        context_words=contexts.cosine(judged.word_weights),
        context_contrast=contexts.cosine(judged.contrast),
        context_odds=contexts.mean(judged.odds),
        hubs=hubs[columns.sources],
        neighbours=_neighbours(columns, followed, outcome - base),
        few_links=(1 / np.sqrt(fan))[columns.sources],
        less_of_many=(1 / np.log(2 + fan))[columns.sources],
        lead_contrast=anchors.cosine(judged.lead_contrast, judged.lead_rarity),
        lead_odds=anchors.mean(judged.lead_odds),
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

    def cosine(self, vector: Array, rarity: Array | None = None) -> Array:
        rare = (self._rarity if rarity is None else rarity)[self._words]
        norms = np.sqrt(np.bincount(self._links, rare**2, self._count)) + _LITTLE
        return np.asarray(np.bincount(self._links, rare * vector[self._words], self._count) / norms)

    def mean(self, weights: Array) -> Array:
        return np.asarray(np.bincount(self._links, weights[self._words], self._count) / np.maximum(self._lengths, 1))


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
    """A row for each target."""
    targets = columns.targets
    degree = np.bincount(targets, minlength=count).astype(float)

    def mean(values: Array) -> Array:
        return np.asarray(np.bincount(targets, values, count) / np.maximum(degree, 1))

    def most(values: Array) -> Array:
        highest = np.full(count, -9.0)
        np.maximum.at(highest, targets, values)
        return highest

    features = _of_pages(columns, judged, links, degree) | _of_texts(columns, links, mean, most)
    first = weigh(rows_of(features, FIRST_FEATURES, count), FIRST_WEIGHTS)
    return rows_of(features | second_look(columns, judged, first, mean, most), LINK_FEATURES, count)


def _of_texts(
    columns: Columns, links: _Links, mean: Callable[[Array], Array], most: Callable[[Array], Array]
) -> dict[str, Array | float]:
    """What anchors, the words around them and the links beside them say."""
    best_words = most(links.anchor_words)
    return {
        "anchor_words": mean(links.anchor_words),
        "anchor_contrast": mean(links.anchor_contrast),
        "anchor_odds": mean(links.anchor_odds),
        "context_words": mean(links.context_words),
        "context_contrast": mean(links.context_contrast),
        "context_odds": mean(links.context_odds),
        "hubs": mean(links.hubs),
        "best_hub": most(links.hubs),
        "neighbours": mean(links.neighbours),
        "best_neighbours": most(links.neighbours),
        "digits": mean(columns.digits),
        "place": mean(columns.places),
        "few_links": mean(links.few_links * links.topicality),
        "best_few_links": most(links.few_links * links.topicality),
        "best_page": most(links.topicality),
        "best_anchor_contrast": most(links.anchor_contrast),
        "best_anchor_words": best_words,
        "has_words": (best_words > 0).astype(float),
        "best_context_contrast": most(links.context_contrast),
        "lead_contrast": mean(links.lead_contrast),
        "best_lead_contrast": most(links.lead_contrast),
        "lead_odds": mean(links.lead_odds),
    }


def _of_pages(columns: Columns, judged: Judged, links: _Links, degree: Array) -> dict[str, Array | float]:
    """How many pages lead to each target, and what they are."""
    base, count = float(judged.topicality.mean()), len(degree)

    def total(values: Array) -> Array:
        return np.bincount(columns.targets, values, count)

    mass, known = total(links.topicality), total(judged.on_topic[columns.sources])
    return {
        "bias": 1.0,
        "mass": np.log1p(mass),
        "degree": np.log1p(degree),
        "share": (mass + base) / (degree + 1) - base,
        "base": base,
        "mass_base": np.log1p(mass) * base,
        "share_degree": mass / (degree + 0.5) * np.log1p(degree),
        "adamic_adar": np.log1p(total(links.topicality * links.less_of_many)),
        "hub_mass": total(links.hubs * links.less_of_many),
        "lift": np.log((mass + 0.5 * base + _LITTLE) / (degree * base + 0.5 * base + _LITTLE)),
        "known_on_topic": np.log1p(known),
        "known_off_topic": np.log1p(total(judged.off_topic[columns.sources])),
        "known_share": known / (degree + 1),
        "pages": float(np.log1p(columns.pages)),
        "marked": float(judged.off_topic.any()),
    }
