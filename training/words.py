"""What words tell of main content: log odds of the text under a name, or of the short blocks with a word, site by site."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import numpy as np
from labels import Sample

from trasmallo.clean.content.outline import Outline, name_words
from trasmallo.clean.content.texts import text_words

# A word that fewer sites use says more of those sites than of words.
MIN_SITES = 10
_SHRINK = 4.0
_LIMIT = 3.0
_PRIOR = {"names": 10.0, "phrases": 2.0}

Values = dict[str, float]


def _odds(inside: float, all_: float, usual: float, prior: float) -> float:
    odds = math.log((inside + prior * usual) / (all_ - inside + prior * (1 - usual))) - math.log(usual / (1 - usual))
    return max(-_LIMIT, min(_LIMIT, odds))


def _odds_of_page(seen: dict[str, list[float]], usual: float, prior: float) -> Values:
    usual = min(max(usual, 0.05), 0.95)
    return {word: _odds(inside, all_, usual, prior) for word, (inside, all_) in seen.items() if len(word) > 1}


def name_values(sample: Sample, outline: Outline) -> Values:
    """For each word of a name: the log odds that text under it is main content, less those of the page."""
    size = np.minimum(sample.size, 150) + 1
    inside, all_ = np.concatenate([[0], np.cumsum(size * sample.label)]), np.concatenate([[0], np.cumsum(size)])
    seen: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for name, start, end in zip(outline.name, outline.start, outline.end, strict=True):
        for word in set(name_words(name)):
            seen[word][0] += inside[end] - inside[start]
            seen[word][1] += all_[end] - all_[start]
    return _odds_of_page(seen, inside[-1] / all_[-1], _PRIOR["names"])


def phrase_values(sample: Sample) -> Values:
    """For each word of the short blocks: the log odds that its blocks are main content, less those of all short blocks."""
    seen: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    labels = [0.0, 1.0]
    for text, label in zip(sample.texts(), sample.label, strict=True):
        labels.append(label)
        for word in set(text_words(text)):
            seen[word][0] += label
            seen[word][1] += 1
    return _odds_of_page(seen, sum(labels) / len(labels), _PRIOR["phrases"])


class Table:
    """The mean value of each word over sites, drawn to 0 for words that few sites use."""

    def __init__(self, found: Iterable[tuple[str, Values]]) -> None:
        sites: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for site, values in found:
            for word, value in values.items():
                sites[site][word].append(value)
        self._sites = {site: {word: sum(v) / len(v) for word, v in words.items()} for site, words in sites.items()}
        self._total: Counter[str] = Counter()
        self._count: Counter[str] = Counter()
        for words in self._sites.values():
            self._total.update(words)
            self._count.update(words.keys())

    def values(self, least: float) -> Values:
        """The words of enough sites whose value is not next to nothing."""
        found = {w: self._total[w] / (n + _SHRINK) for w, n in self._count.items() if n >= MIN_SITES}
        return {word: value for word, value in found.items() if abs(value) >= least}

    def without(self, site: str) -> Callable[[str], float]:
        """The value of a word as if a site had not been there."""
        own = self._sites.get(site, {})

        def value(word: str) -> float:
            count, total = self._count.get(word, 0), self._total.get(word, 0.0)
            if word in own:
                count, total = count - 1, total - own[word]
            return total / (count + _SHRINK) if count >= MIN_SITES else 0.0

        return value
