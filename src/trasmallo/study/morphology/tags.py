"""Reads a lexicon's tags as categories and features of Universal Dependencies, by the table `tags.tsv` of a language."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import lru_cache

from trasmallo.study import languages

TYPO = "Typo=Yes"
"""The feature of a word that is not written as it should be."""


class Tags:
    """The table of one language."""

    def __init__(self, code: str) -> None:
        self._rows = [
            (re.compile(pattern), category, features) for pattern, category, features in languages.load(code).rows("tags.tsv")
        ]
        self.read = lru_cache(maxsize=4096)(self._read)

    def _read(self, tag: str) -> tuple[str, str]:
        """Category ("X" when the table has none) and features of a tag."""
        category, found = "X", dict[str, str]()
        for pattern, its_category, features in self._rows:
            if pattern.match(tag):
                category = its_category or category
                found.update(pairs(features))
        return category, joined(found)

    def features(self, tags: Iterable[str]) -> str:
        """What several tags of one reading say together."""
        return merged(self.read(tag)[1] for tag in tags)


def pairs(features: str) -> list[tuple[str, str]]:
    """Features as names and values."""
    return [(name, value) for name, _, value in (pair.partition("=") for pair in features.split("|") if pair)]


def joined(features: dict[str, str]) -> str:
    """Features as UD writes them, in the order of their names."""
    return "|".join(f"{name}={features[name]}" for name in sorted(features, key=str.lower))


def only(features: str, names: Container[str]) -> str:
    """Those of the features that have one of the names."""
    return joined({name: value for name, value in pairs(features) if name in names})


@lru_cache(maxsize=4096)
def extended(features: str, more: str) -> str:
    """Features with others added; of two values the added one stays."""
    return joined(dict(pairs(features)) | dict(pairs(more)))


def merged(several: Iterable[str]) -> str:
    """Features that differ, side by side: Person=1 and Person=3 become Person=1,3."""
    distinct = list(dict.fromkeys(several))
    if len(distinct) == 1:
        return distinct[0]
    values: dict[str, set[str]] = {}
    for features in distinct:
        for name, value in pairs(features):
            values.setdefault(name, set()).update(value.split(","))
    return joined({name: ",".join(sorted(found)) for name, found in values.items()})
