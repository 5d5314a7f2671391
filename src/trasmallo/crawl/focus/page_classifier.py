"""Page classifier: how probable it is that each page of the window is on topic, learned from few examples on the way.

Pages are vectors of hashed words, log(1 + count) times the inverse document frequency in the window; their leads (title and
first sentences, which say what kind of thing a page is about) are vectors of their own. A page's features say how near both
are to the topic's words, to the examples, to what is taken for on topic minus what is not (Rocchio's centroids, the page
itself left out), and whether it leads to what pages on topic lead to, and stands where they stand; with marks also how near
it is to what was marked. A logistic model weighs them (`weights.toml`), so the result is a probability; with it the centroids
are made anew, and so on for a few rounds, always from the same start: the outcome depends on the window and the marks alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from trasmallo.crawl.focus.observed import Columns
from trasmallo.crawl.focus.page_vectors import LITTLE, PageVectors, topic_vector, unit
from trasmallo.crawl.focus.weights import PAGE_FEATURES, PAGE_WEIGHTS, rows_of, weigh
from trasmallo.values.arrays import Array

_ROUNDS = 4  # judgement: probabilities hardly change after the third
_UNKNOWN = 0.3  # judgement: what a page is taken for before the first round
_NOTHING_KNOWN = 0.02  # judgement: of a page when no page is known to be on topic and none has a word of it
_OFF_TOPIC_SHARE = 0.8  # judgement: how much what was marked as off topic counts against what is on topic
_COMPARED = 40  # judgement: the last known pages that each page is compared with one by one
_NEARNESS = 12.0  # judgement: a page counts e times as much as one whose cosine is a twelfth less


class Judged(NamedTuple):
    """What is known of the pages of a window, and the topic as it is understood now.

    `topicality` has a probability for each page; `word_weights` are the given words, `contrast` what tells pages on topic
    from others, `rarity` the inverse document frequency, `odds` the logarithm of how much likelier a word is on topic,
    and the same of leads. `on_topic` and `off_topic` are 1 for pages of which somebody said so.
    """

    topicality: Array
    word_weights: Array
    contrast: Array
    rarity: Array
    odds: Array
    lead_contrast: Array
    lead_rarity: Array
    lead_odds: Array
    on_topic: Array
    off_topic: Array


class _Known(NamedTuple):
    """Pages that somebody spoke of, what was said, and both as a number for each page."""

    pages: Array
    values: Array
    on_topic: Array
    off_topic: Array


def classify(columns: Columns, words: Sequence[int], known: Mapping[int, float]) -> Judged:
    """Judge the pages of a window; `words` are the topic's, `known` pages are on topic (1) or not (0), as somebody said."""
    count = columns.pages
    texts = PageVectors(columns.page_words, columns.page_of, columns.page_values, count)
    leads = PageVectors(columns.lead_words, columns.lead_of, np.ones(len(columns.lead_words)), count)
    said, topic = _said(known, count), topic_vector(words, texts.rarity)
    examples = texts.centroid(said.on_topic)
    steady = _steady(columns, texts, leads, said, topic)
    topicality = np.full(count, _UNKNOWN)
    topicality[said.pages] = said.values
    contrast = lead_contrast = examples
    for _ in range(_ROUNDS if count > len(known) else 1):
        weights = _balance(topicality, said)
        contrast, lead_contrast, features = _changing(columns, texts, leads, topicality, weights)
        rows = rows_of(steady | features, PAGE_FEATURES, count)
        topicality = 1 / (1 + np.exp(-np.clip(weigh(rows, PAGE_WEIGHTS), -30, 30)))
        topicality[said.pages] = said.values
    if not examples.any() and not topic[columns.page_words].any():
        topicality = np.minimum(topicality, _NOTHING_KNOWN)
    odds, lead_odds = texts.odds(topicality), leads.odds(topicality)
    return Judged(
        topicality=topicality,
        word_weights=topic,
        contrast=contrast,
        rarity=texts.rarity,
        odds=odds,
        lead_contrast=lead_contrast,
        lead_rarity=leads.rarity,
        lead_odds=lead_odds,
        on_topic=said.on_topic,
        off_topic=said.off_topic,
    )


def _said(known: Mapping[int, float], count: int) -> _Known:
    pages = np.array(sorted(known), np.int64)
    values = np.array([known[page] for page in pages.tolist()])
    on_topic, off_topic = np.zeros(count), np.zeros(count)
    on_topic[pages[values == 1]] = 1
    off_topic[pages[values == 0]] = 1
    return _Known(pages, values, on_topic, off_topic)


def _steady(columns: Columns, texts: PageVectors, leads: PageVectors, said: _Known, topic: Array) -> dict[str, Array | float]:
    """Features that are the same in every round."""
    count = columns.pages
    words, examples = texts.likeness(topic), texts.likeness(texts.centroid(said.on_topic))
    given = topic > 0
    titled = np.bincount(columns.title_of, given[columns.title_words], count) > 0
    return {
        "bias": 1.0,
        "words": words,
        "examples": examples,
        "has_words": (words > 0).astype(float),
        "log_words": np.log1p(10 * words),
        "examples_above_median": examples - np.median(examples),
        "lead_examples": leads.likeness(leads.centroid(said.on_topic)),
        "lead_words": np.minimum(np.bincount(columns.lead_of, given[columns.lead_words], count), 3),
        "title_words": titled.astype(float),
        "anchor_words": _of_anchors(columns, topic, texts.rarity),
        "pages": float(np.log1p(count)),
        **_linked_with_known(columns, said),
        **_like_marked(texts, leads, said),
    }


def _like_marked(texts: PageVectors, leads: PageVectors, said: _Known) -> dict[str, Array | float]:
    """How near each page is to what was marked; nothing while nothing is known to be off topic."""
    if not said.off_topic.any():
        return {"known_contrast": 0.0, "lead_known_contrast": 0.0, "like_known": 0.0, "marked": 0.0}
    near = np.exp(_NEARNESS * texts.likeness_to_pages(said.pages[-_COMPARED:]))
    good = (near * said.values[-_COMPARED:, None]).sum(axis=0)
    return {
        "known_contrast": texts.likeness(_difference(texts, said)),
        "lead_known_contrast": leads.likeness(_difference(leads, said)),
        "like_known": (good + _UNKNOWN) / (near.sum(axis=0) + 1) - _UNKNOWN,
        "marked": 1.0,
    }


def _difference(vectors: PageVectors, said: _Known) -> Array:
    return unit(vectors.centroid(said.on_topic) - _OFF_TOPIC_SHARE * vectors.centroid(said.off_topic))


def _linked_with_known(columns: Columns, said: _Known) -> dict[str, Array]:
    """Links from and to pages that are known to be on topic, and either with those that are known to be off."""
    count, pages = columns.pages, columns.fetched[columns.targets]
    led = pages >= 0
    sources, targets = columns.sources[led], pages[led]
    off_topic = np.bincount(targets, said.off_topic[sources], count) + np.bincount(sources, said.off_topic[targets], count)
    return {
        "from_known": np.log1p(np.bincount(targets, said.on_topic[sources], count)),
        "to_known": np.log1p(np.bincount(sources, said.on_topic[targets], count)),
        "known_off_topic": np.log1p(off_topic),
    }


def _balance(topicality: Array, said: _Known) -> Array:
    """How much each page counts for the topic, or against it."""
    on_topic, off_topic = topicality**2, (1 - topicality) ** 2
    off_topic[said.on_topic == 1] = 0
    share = min(1.0, 2 * (1 - float(topicality.mean())))
    balance: Array = on_topic / (on_topic.sum() + LITTLE) - share * off_topic / (off_topic.sum() + LITTLE)
    return balance


def _changing(
    columns: Columns, texts: PageVectors, leads: PageVectors, topicality: Array, weights: Array
) -> tuple[Array, Array, dict[str, Array | float]]:
    """What tells pages on topic from others, in texts and in leads, and the features that follow from it."""
    contrast, own = texts.contrast(weights)
    lead_contrast, lead_own = leads.contrast(weights)
    likeness, base = texts.likeness(contrast) - own, float(topicality.mean())
    coupling, inlinks, outlinks = _by_links(columns, topicality, base)
    return (
        contrast,
        lead_contrast,
        {
            "contrast": likeness,
            "contrast_above_median": likeness - np.median(likeness),
            "lead_contrast": leads.likeness(lead_contrast) - lead_own,
            "coupling": coupling - base,
            "inlinks": inlinks - base,
            "outlinks": outlinks - base,
            "base": base,
            "anchor_contrast": _of_anchors(columns, contrast, texts.rarity),
        },
    )


def _of_anchors(columns: Columns, vector: Array, rarity: Array) -> Array:
    """How near the anchors of links to each page are to a vector, on average."""
    links, count, pages = len(columns.sources), columns.pages, columns.fetched[columns.targets]
    rare = rarity[columns.anchor_words]
    norms = np.sqrt(np.bincount(columns.anchor_of, rare**2, links)) + LITTLE
    near = np.bincount(columns.anchor_of, rare * vector[columns.anchor_words], links) / norms
    led = pages >= 0
    return np.asarray(np.bincount(pages[led], near[led], count) / (np.bincount(pages[led], minlength=count) + LITTLE))


def _by_links(columns: Columns, topicality: Array, base: float) -> tuple[Array, Array, Array]:
    """For each page how much on topic others are that lead to the same targets, that lead to itself, that it leads to."""
    count, sources, targets = len(topicality), columns.sources, columns.targets
    degree = np.bincount(targets, minlength=len(columns.fetched)).astype(float)
    mass = np.bincount(targets, topicality[sources], len(columns.fetched))
    shares = (mass[targets] - topicality[sources] + 0.5 * base) / (degree[targets] - 0.5)
    telling = 1 / np.log(2 + degree[targets])
    coupling = np.bincount(sources, shares * telling, count) / (np.bincount(sources, telling, count) + LITTLE)
    inlinks = np.full(count, base)
    reached = columns.fetched >= 0
    inlinks[columns.fetched[reached]] = ((mass + base) / (degree + 1))[reached]
    led = reached[targets]
    good = np.bincount(sources[led], topicality[columns.fetched[targets[led]]], count)
    outlinks = (good + base) / (np.bincount(sources[led], minlength=count) + 1)
    return coupling, inlinks, outlinks
