"""Splits German compounds (fischzuchttechniken: fisch, zucht, techniken) by the frequencies of the words they may be made of.

After P. Koehn and K. Knight, Empirical methods for compound splitting (EACL 2003): of all ways to write a word as known words,
with the links of `splitting.toml` between them and the whole word included, the one whose parts have the highest mean frequency
(the geometric mean) is taken. The frequencies are the user's: a corpus's own words, or a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from math import log

import msgspec

from trasmallo.study import languages
from trasmallo.study.languages.parts import Split
from trasmallo.values.decodable import decodable

NEEDS_FREQUENCIES = True
_LONGEST = 60
"""Letters of a compound at most: the ways to split grow fast. Judgement: no compound in use is longer."""
_LEAST = 3
"""Letters of a part at least. Judgement: shorter words would be found everywhere."""


class CompoundRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `splitting.toml`."""

    links: tuple[str, ...]
    dropped: tuple[str, ...]
    endings: tuple[str, ...]
    shortest: int
    short: frozenset[str]
    most: int
    not_first: frozenset[str]
    not_last: frozenset[str]


@cache
def rules() -> CompoundRules:
    """The rules, read once a process."""
    content = resources.files(__package__).joinpath("splitting.toml").read_text("utf-8")
    return msgspec.toml.decode(content, type=decodable(CompoundRules))


def splitter(frequencies: Mapping[str, float]) -> Split:
    """Who splits compounds by the frequencies of other words."""
    return Splitter(frequencies).split


class Splitter:
    """Splits words by the frequencies of others, counted under their keys (`tokenise.key`)."""

    def __init__(self, counts: Mapping[str, float]) -> None:
        self._counts = counts
        self._rules = rules()

    def split(self, word: str) -> tuple[str, ...]:
        """The parts of a word as they stand in it, without links; the word alone when it is no compound or unknown."""
        parts: tuple[str, ...] = (word,)
        if not 2 * _LEAST <= len(word) <= _LONGEST or not word.isalpha():
            return parts
        best = log(self._counts.get(word, 0) + 1)
        for found in self._ways(word, self._rules.most):
            mean = sum(weight for _, weight in found) / len(found)
            if len(found) > 1 and mean > best:
                best, parts = mean, tuple(part for part, _ in found)
        return parts

    def _ways(self, word: str, left: int) -> Iterator[list[tuple[str, float]]]:
        """All ways to read a word as known words, each with the logarithm of its frequency."""
        if (last := self._known_last(word)) is not None:
            yield [(word, last)]
        if left == 1:
            return
        for end in range(_LEAST, len(word) - _LEAST + 1):
            for link in ("", *self._rules.links):
                rest = word[end + len(link) :]
                if not word.startswith(link, end) or len(rest) < _LEAST:
                    continue
                first = self._known_first(word[:end], shortened=not link)
                if first is not None:
                    yield from ([(word[:end], first), *others] for others in self._ways(rest, left - 1))

    def _known_first(self, part: str, *, shortened: bool) -> float | None:
        """The weight of a part that others follow; one before a link has lost nothing."""
        if part in self._rules.not_first or self._too_little(part):
            return None
        return self._weight(part, *(part + dropped for dropped in self._rules.dropped if shortened))

    def _known_last(self, part: str) -> float | None:
        if part in self._rules.not_last or self._too_little(part):
            return None
        endings = (ending for ending in self._rules.endings if part.endswith(ending))
        bases = [part.removesuffix(ending) for ending in endings]
        return self._weight(part, *(base for base in bases if not self._too_little(base)))

    def _too_little(self, part: str) -> bool:
        return (len(part) < self._rules.shortest and part not in self._rules.short) or part in languages.stopwords("de")

    def _weight(self, *forms: str) -> float | None:
        """The logarithm of the frequency of the first form that is known, with ß or as lists without it write it."""
        spelt = (variant for form in forms for variant in dict.fromkeys((form, form.replace("ß", "ss"))))
        return next((log(count + 1) for form in spelt if (count := self._counts.get(form, 0))), None)
