"""What a misspelling costs: the less, the more often people write so. The unit is that of a logarithm of chances.

Letters that sound alike and accents are data of each language (`misspellings.toml`); slips of the hand are the same in all.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from operator import itemgetter

import msgspec

from trasmallo.study import languages
from trasmallo.study.morphology.stress import PLAIN
from trasmallo.values.decodable import decodable

_SWAPPED, _DOUBLED, _LEFT_OUT, _BESIDE, _ADDED, _OTHER_VOWEL, _OTHER, _FIRST_LETTER = 1.5, 1.5, 2.2, 2.2, 3.0, 3.5, 4.5, 1.0
"""Slips of the hand; the last is what one in the first letter costs more, because people see it. Judgement, checked on the 25
mistakes of `tests/quality/unlisted/tuning.tsv`, of which 24 find their word."""
_MOST_ALIKE = 10
"""Errors of sound in a word that are thought of, the likeliest. Judgement: 55 words are looked up then at the most."""
_MOST_ERRORS = 2
"""Those that a word may have at once. Judgement: each more would double the cost."""
_VOWELS = frozenset("aeiouáéíóúü")


class Misspellings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `misspellings.toml`."""

    alike: tuple[tuple[str, str, float], ...]
    accents: str
    missing: float
    needless: float
    keyboard: tuple[str, ...]
    joined_before: str = ""
    joined_behind: str = ""


class ErrorCosts:
    """Those of one language."""

    def __init__(self, rules: Misspellings) -> None:
        self.missing, self._needless = rules.missing, rules.needless
        self._known: dict[tuple[str, str], float] = {}
        for one, other, cost in rules.alike:
            self._known[one, other] = self._known[other, one] = cost
        for pair in rules.accents.split():
            self._known[pair[0], pair[1]] = rules.missing
            self._known[pair[1], pair[0]] = rules.needless
        self._beside = frozenset(
            pair for row in rules.keyboard for one, other in pairwise(row) for pair in (one + other, other + one)
        )
        self.small_words = tuple(rules.joined_before.split())
        self._joined_behind = tuple(rules.joined_behind.split())
        self._by_first: dict[str, list[tuple[str, str, float]]] = {}
        for (written, meant), cost in self._known.items():
            self._by_first.setdefault(written[:1], []).append((written, meant, cost))

    def of(self, word: str, meant: str) -> float:
        """What it costs to write a word for another that differs in one stretch."""
        if (plain := word.translate(PLAIN)) == meant.translate(PLAIN):
            return self.missing if plain == word else self._needless
        begin, end = _differing(word, meant)
        written, right = word[begin : len(word) - end], meant[begin : len(meant) - end]
        known = self._known.get((written, right))
        if known is not None:
            return known
        cost = self._slip(word, written, right, begin)
        return cost + (0 if begin else _FIRST_LETTER)

    def _slip(self, word: str, written: str, right: str, place: int) -> float:
        if len(written) == 2 and written == right[::-1]:
            return _SWAPPED
        around = word[max(place - 1, 0) : place] + word[place + len(written) : place + len(written) + 1]
        if not written:
            return _DOUBLED if right in around else _LEFT_OUT
        if not right:
            return _DOUBLED if written in around else _BESIDE if self._is_beside(written, around) else _ADDED
        if written + right in self._beside:
            return _BESIDE
        return _OTHER_VOWEL if written in _VOWELS and right in _VOWELS else _OTHER

    def _is_beside(self, letter: str, around: str) -> bool:
        return any(letter + other in self._beside for other in around)

    def splits(self, word: str) -> list[tuple[str, str]]:
        """A word as two that may have been written together: a small one with another, which may exist or not."""
        before = [(small, word.removeprefix(small)) for small in self.small_words if word.startswith(small)]
        behind = [(word.removesuffix(small), small) for small in self._joined_behind if word.endswith(small)]
        return [(one, other) for one, other in (*before, *behind) if one and other]

    def respellings(self, word: str) -> list[tuple[str, float]]:
        """What a word with one or two errors of sound may be meant for, with the costs; whether it exists is not asked."""
        made = [(word, 0.0, len(word), 0)]
        for written, meant, cost, place in self._changes(word):  # from the end, so that places before it stay
            for form, before, begin, errors in made[:]:
                if errors < _MOST_ERRORS and place + len(written) <= begin:
                    made.append((form[:place] + meant + form[place + len(written) :], before + cost, place, errors + 1))
        return [(form, cost) for form, cost, _, _ in made[1:]]

    def _changes(self, word: str) -> list[tuple[str, str, float, int]]:
        """The likeliest errors of sound that a word may have, the last first: what is written, what is meant, cost, place."""
        found = [
            (written, meant, cost, place)
            for place, letter in enumerate(word)
            for written, meant, cost in self._by_first.get(letter, ())
            if len(written) == 1 or word.startswith(written, place)
        ]
        found += [("", meant, cost, place) for _, meant, cost in self._by_first.get("", ()) for place in _bare_vowels(word)]
        return sorted(sorted(found, key=_by_share)[:_MOST_ALIKE], key=_by_place, reverse=True)


def _bare_vowels(word: str) -> list[int]:
    """Where a mute letter may be missing: before a vowel at the beginning or behind another one."""
    return [place for place, letter in enumerate(word) if letter in _VOWELS and (not place or word[place - 1] in _VOWELS)]


def _by_share(change: tuple[str, str, float, int]) -> float:
    """What a change costs a letter: several letters that are written so together are no chance (cansao)."""
    written, _, cost, _ = change
    return cost / max(len(written), 1)


_by_place = itemgetter(3)


def _differing(word: str, meant: str) -> tuple[int, int]:
    """How many letters two words share at their beginning, and of the rest at their end."""
    most = min(len(word), len(meant))
    begin = next((place for place in range(most) if word[place] != meant[place]), most)
    rest = most - begin
    end = next((place for place in range(rest) if word[-1 - place] != meant[-1 - place]), rest)
    return begin, end


@cache
def error_costs(code: str) -> ErrorCosts:
    """The costs of a language folder."""
    content = languages.load(code).content("misspellings.toml")
    return ErrorCosts(msgspec.toml.decode(content, type=decodable(Misspellings)))
