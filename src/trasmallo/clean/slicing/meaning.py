"""What words mean, as far as slicing needs it: which ones only hold others together, and how far two words are apart.

Words that share a sense of WordNet are at distance 1; each relation between senses (more general, more special, part of,
derived from...) adds 1. The files are written by `training/meanings.py` and work without a network.
"""

from __future__ import annotations

import gzip
import json
from functools import cache, cached_property
from importlib import resources

from trasmallo.clean.slicing.characters import folding

FARTHEST = 5
"""Beyond it nearly all words are related."""

_MOST_SENSES = 20_000
"""Senses that are looked at. Judgement: a bound on time."""


class Lexicon:
    """The words of one language and the relations between their senses."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        header = json.loads(lines[0])
        self.language: str = header["language"]
        self._functions = frozenset(header["functions"])
        self._endings: list[tuple[str, str]] = [tuple(rule.split("=")) for rule in header["endings"]]
        middle = lines.index("", 1)
        self._senses = _read_words(lines[1:middle])
        self._relations = lines[middle + 1 :]
        self._fold = folding(case=True, accents=True).fold

    @cached_property
    def _words(self) -> list[list[str]]:
        """The words of each sense."""
        found: list[list[str]] = [[] for _ in self._relations]
        for word, senses in self._senses.items():
            for sense in _read_numbers(senses):
                found[sense].append(word)
        return found

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        """The senses related to each sense."""
        found: list[list[int]] = [[] for _ in self._relations]
        for sense, line in enumerate(self._relations):
            for step in _read_numbers(line):
                found[sense].append(sense + step)
                found[sense + step].append(sense)
        return found

    def weigh(self, word: str) -> int:
        """0 for a function word such as an article, 1 for any other."""
        return 0 if self._fold(word) in self._functions else 1

    def forms(self, word: str) -> list[str]:
        """The words of the lexicon that a word may be a form of, itself among them."""
        folded = self._fold(word)
        found = {folded: None} if folded in self._senses else {}
        for ending, base in self._endings:
            if folded.endswith(ending) and len(folded) > len(ending) + 1:
                candidate = folded[: len(folded) - len(ending)] + base
                if candidate in self._senses:
                    found[candidate] = None
        return list(found)

    def relate(self, words: list[str]) -> dict[str, int]:
        """The words related to any of the given ones and their distance, from 1 to `FARTHEST`."""
        level = {s for word in words for form in self.forms(word) for s in _read_numbers(self._senses[form])}
        seen = set(level)
        related: dict[str, int] = {}
        for distance in range(1, FARTHEST + 1):
            for sense in level:
                for word in self._words[sense]:
                    related.setdefault(word, distance)
            if len(seen) > _MOST_SENSES:
                break
            level = {other for sense in level for other in self._neighbours[sense]} - seen
            seen |= level
        return related

    def trace(self, words: list[str], word: str) -> tuple[str, ...]:
        """The shortest way from one of some words to another by their senses, a word a step; () when there is none."""
        wanted = {s for form in self.forms(word) for s in _read_numbers(self._senses[form])}
        ways: dict[int, tuple[str, ...]] = {}
        for start in words:
            ways |= {s: (start,) for form in self.forms(start) for s in _read_numbers(self._senses[form])}
        level = list(ways)
        while level and len(ways) <= _MOST_SENSES:
            if ends := [sense for sense in level if sense in wanted]:
                way = ways[ends[0]]
                return (way[0], *filter(None, way[1:-1]), word)
            later: dict[int, tuple[str, ...]] = {}
            for sense in level:
                for other in self._neighbours[sense]:
                    if other not in ways:
                        later.setdefault(other, (*ways[sense], next(iter(self._words[other]), "")))
            ways |= later
            level = list(later)
        return ()

    def distance(self, word: str, related: dict[str, int]) -> int:
        """How far a word is, in the form that is nearest; 0 when it is not related."""
        return min((related[form] for form in self.forms(word) if form in related), default=0)


def _read_words(lines: list[str]) -> dict[str, str]:
    """Each word with its senses, which are read when they are needed."""
    found = {}
    before = ""
    for line in lines:
        letters, _, senses = line.partition(" ")
        before = before[: int(letters[0], 36)] + letters[1:]
        found[before] = senses
    return found


def _read_numbers(written: str) -> list[int]:
    numbers, total = [], 0
    for digits in written.split():
        total += int(digits, 36)
        numbers.append(total)
    return numbers


def languages() -> list[str]:
    """The languages there are meanings for."""
    folder = resources.files(__package__).joinpath("meanings")
    return sorted(entry.name.removesuffix(".gz") for entry in folder.iterdir() if entry.name.endswith(".gz"))


def text_of(language: str) -> str:
    """What the file of a language says, "" when there is none."""
    if language not in languages():
        return ""
    return gzip.decompress(resources.files(__package__).joinpath("meanings", f"{language}.gz").read_bytes()).decode()


@cache
def load(language: str) -> Lexicon | None:
    """The lexicon of a language such as "es", None when there is none; kept for the rest of the process."""
    text = text_of(language)
    return Lexicon(text) if text else None
