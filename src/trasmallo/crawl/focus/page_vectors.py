"""Pages of a window as vectors of hashed words, and what can be reckoned with them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from trasmallo.crawl.focus.words import SPACE
from trasmallo.values.arrays import Array

LITTLE = 1e-9
"""Keeps a division from failing, and changes nothing else. Judgement."""


class PageVectors:
    """Unit vectors of pages: `words` with `values`, each of the page that `of` says, weighted by inverse document frequency."""

    def __init__(self, words: Array, of: Array, values: Array, count: int) -> None:
        self._words, self._of, self._count = words, of, count
        self._pages_with = np.bincount(words, minlength=SPACE).astype(float)
        self.rarity: Array = np.log((count + 1.5) / (self._pages_with + 0.5)).clip(0.05)
        weighted = values * self.rarity[words]
        lengths = np.sqrt(np.bincount(of, weighted * weighted, count)) + LITTLE
        self._values = weighted / lengths[of]

    def likeness(self, vector: Array) -> Array:
        """The cosine of each page with a unit vector."""
        return np.bincount(self._of, self._values * vector[self._words], self._count)

    def likeness_to_pages(self, pages: Array) -> Array:
        """For each of some pages the cosine of all pages with it, 0 with itself."""
        rows = np.zeros((len(pages), self._count))
        for row, page in enumerate(pages.tolist()):
            weights = np.zeros(self._count)
            weights[page] = 1
            rows[row] = self.likeness(self.centroid(weights))
            rows[row, page] = 0
        return rows

    def centroid(self, weights: Array) -> Array:
        """The unit vector of pages by weight."""
        return unit(self._sum(weights))

    def contrast(self, weights: Array) -> tuple[Array, Array]:
        """The unit vector of a weighted sum with a sign, and how much of it each page itself has brought."""
        total = self._sum(weights)
        length = _length(total) + LITTLE
        return total / length, weights / length

    def odds(self, topicality: Array) -> Array:
        """How much likelier each word is on a page on topic, as a logarithm; 0 for words that no page has."""
        on_topic, off_topic = topicality.sum(), (1 - topicality).sum()
        with_word = np.bincount(self._words, topicality[self._of], SPACE)
        expected = 0.09 * (self._pages_with + 1) / (len(topicality) + 1)
        above = with_word + expected * on_topic + 0.05
        below = self._pages_with - with_word + expected * off_topic + 0.05
        odds = np.log(above / below) - np.log((on_topic + 0.3) / (off_topic + 0.3))
        odds[self._pages_with == 0] = 0
        return np.asarray(odds)

    def _sum(self, weights: Array) -> Array:
        return np.bincount(self._words, self._values * weights[self._of], SPACE)


def topic_vector(words: Sequence[int], rarity: Array) -> Array:
    """The unit vector of the words of a topic."""
    vector = np.zeros(SPACE)
    if len(words):
        vector[list(words)] = rarity[list(words)]
    return unit(vector)


def unit(vector: Array) -> Array:
    """A vector of length 1, or 0 where there is none."""
    scaled: Array = vector / (_length(vector) + LITTLE)
    return scaled


def _length(vector: Array) -> float:
    # Not numpy's norm: see weights.weigh.
    return math.sqrt(float(np.square(vector).sum()))
