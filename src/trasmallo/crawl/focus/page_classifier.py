"""Page classifier: how probable it is that each page of the window is on topic, learned from few examples on the way.

Pages are vectors of hashed words, log(1 + count) times the inverse document frequency in the window. A page's features say how
near it is to the topic's words, to the examples, to what is taken for on topic minus what is not (Rocchio's centroids, the page
itself left out), and whether it leads to what pages on topic lead to, and stands where they stand. A logistic model weighs them
(`weights.toml`), so the result is a probability; with it the centroids are made anew, and so on for a few rounds, always from
the same start: the outcome depends on the window and the marks alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from trasmallo.crawl.focus.observed import Columns
from trasmallo.crawl.focus.weights import PAGE_WEIGHTS
from trasmallo.crawl.focus.words import SPACE
from trasmallo.values.arrays import Array

_ROUNDS = 4  # judgement: probabilities hardly change after the third
_UNKNOWN = 0.3  # judgement: what a page is taken for before the first round
_NOTHING_KNOWN = 0.02  # judgement: of a page when no page is known to be on topic and none has a word of it
_LITTLE = 1e-9  # judgement: keeps a division from failing, and changes nothing else


class Judged(NamedTuple):
    """What is known of the pages of a window, and the topic as it is understood now.

    `topicality` has a probability for each page; `word_weights` are the given words, `contrast` what tells pages on topic from
    others, `rarity` the inverse document frequency, `odds` the logarithm of how much likelier a word is on topic.
    """

    topicality: Array
    word_weights: Array
    contrast: Array
    rarity: Array
    odds: Array


def classify(columns: Columns, words: Sequence[int], known: Mapping[int, float]) -> Judged:
    """Judge the pages of a window; `words` are the topic's, `known` pages are on topic (1) or not (0), as somebody said."""
    count = columns.pages
    vectors = _vectors(columns, count)
    topic = _topic_vector(words, vectors.rarity)
    examples = _centroid(columns, vectors.values, _weights_of(known, count))
    fixed = np.array(sorted(known), np.int64), np.array([known[page] for page in sorted(known)])
    topicality = np.full(count, _UNKNOWN)
    topicality[fixed[0]] = fixed[1]
    contrast = examples
    for _ in range(_ROUNDS if count > len(known) else 1):
        contrast, own = _contrast(columns, vectors.values, topicality, fixed)
        features = _features(columns, vectors.values, topicality, (topic, examples, contrast), own)
        topicality = 1 / (1 + np.exp(-np.clip(features @ PAGE_WEIGHTS, -30, 30)))
        topicality[fixed[0]] = fixed[1]
    if not examples.any() and not topic[columns.page_words].any():
        topicality = np.minimum(topicality, _NOTHING_KNOWN)
    return Judged(topicality, topic, contrast, vectors.rarity, _odds(columns, vectors, topicality))


class _Vectors(NamedTuple):
    values: Array
    rarity: Array
    pages_with: Array


def _vectors(columns: Columns, count: int) -> _Vectors:
    pages_with = np.bincount(columns.page_words, minlength=SPACE).astype(float)
    rarity = np.log((count + 1.5) / (pages_with + 0.5)).clip(0.05)
    values = columns.page_values * rarity[columns.page_words]
    lengths = np.sqrt(np.bincount(columns.page_of, values * values, count)) + _LITTLE
    return _Vectors(values / lengths[columns.page_of], rarity, pages_with)


def _topic_vector(words: Sequence[int], rarity: Array) -> Array:
    vector = np.zeros(SPACE)
    if len(words):
        vector[list(words)] = rarity[list(words)]
    return _unit(vector)


def _weights_of(known: Mapping[int, float], count: int) -> Array:
    weights = np.zeros(count)
    for page, value in known.items():
        weights[page] = value
    return weights


def _unit(vector: Array) -> Array:
    unit: Array = vector / (np.linalg.norm(vector) + _LITTLE)
    return unit


def _centroid(columns: Columns, values: Array, weights: Array) -> Array:
    return _unit(np.bincount(columns.page_words, values * weights[columns.page_of], SPACE))


def _contrast(columns: Columns, values: Array, topicality: Array, fixed: tuple[Array, Array]) -> tuple[Array, Array]:
    """The centroid of pages on topic minus that of others, and how much of it each page itself has brought."""
    on_topic = topicality**2
    off_topic = (1 - topicality) ** 2
    off_topic[fixed[0][fixed[1] == 1]] = 0
    share = min(1.0, 2 * (1 - float(topicality.mean())))
    weights = on_topic / (on_topic.sum() + _LITTLE) - share * off_topic / (off_topic.sum() + _LITTLE)
    difference = np.bincount(columns.page_words, values * weights[columns.page_of], SPACE)
    length = float(np.linalg.norm(difference)) + _LITTLE
    return difference / length, weights / length


def _features(columns: Columns, values: Array, topicality: Array, topic: tuple[Array, Array, Array], own: Array) -> Array:
    """A row for each page, in the order of `weights.toml`."""
    count = len(topicality)
    likeness = [np.bincount(columns.page_of, values * vector[columns.page_words], count) for vector in topic]
    words, examples, contrast = likeness[0], likeness[1], likeness[2] - own
    base = float(topicality.mean())
    coupling, inlinks = _by_links(columns, topicality, base)
    return np.stack(
        [
            np.ones(count),
            words,
            examples,
            contrast,
            coupling - base,
            inlinks - base,
            np.full(count, base),
            (words > 0).astype(float),
            np.log1p(10 * words),
            examples - np.median(examples),
            contrast - np.median(contrast),
        ],
        axis=1,
    )


def _by_links(columns: Columns, topicality: Array, base: float) -> tuple[Array, Array]:
    """For each page how much on topic others are that lead to the same targets, and those that lead to itself."""
    count, sources, targets = len(topicality), columns.sources, columns.targets
    degree = np.bincount(targets, minlength=len(columns.fetched)).astype(float)
    mass = np.bincount(targets, topicality[sources], len(columns.fetched))
    shares = (mass[targets] - topicality[sources] + 0.5 * base) / (degree[targets] - 0.5)
    telling = 1 / np.log(2 + degree[targets])
    coupling = np.bincount(sources, shares * telling, count) / (np.bincount(sources, telling, count) + _LITTLE)
    inlinks = np.full(count, base)
    reached = columns.fetched >= 0
    inlinks[columns.fetched[reached]] = ((mass + base) / (degree + 1))[reached]
    return coupling, inlinks


def _odds(columns: Columns, vectors: _Vectors, topicality: Array) -> Array:
    """How much likelier each word is on a page on topic, as a logarithm; 0 for words that no page has."""
    on_topic, off_topic = topicality.sum(), (1 - topicality).sum()
    with_word = np.bincount(columns.page_words, topicality[columns.page_of], SPACE)
    expected = 0.09 * (vectors.pages_with + 1) / (len(topicality) + 1)
    above = with_word + expected * on_topic + 0.05
    below = vectors.pages_with - with_word + expected * off_topic + 0.05
    odds = np.log(above / below) - np.log((on_topic + 0.3) / (off_topic + 0.3))
    odds[vectors.pages_with == 0] = 0
    return np.asarray(odds)
