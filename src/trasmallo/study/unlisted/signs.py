"""What stands around a word that nobody lists, as bits: how it is written there, which words are beside it, and signs.

They are noted for each occurrence, so that a corpus can count them: a word that is a name has capitals inside sentences nearly
everywhere, whatever a single place looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.patterns import PUNCTUATION
from trasmallo.study.sentences import Cut
from trasmallo.study.unlisted.kinds import rules_of
from trasmallo.values.arrays import Whole

_QUOTES = frozenset("\"'“”‘’«»‹›`´")
_BEFORE_CODE = frozenset("/\\_=@#$%&<>{}|~^")
_BEHIND_CODE = frozenset("/\\_=@({}|~^")
_OPENING = frozenset("\"'“‘«‹([{—–-¿¡:•·*…")
"""Tokens behind which a capital says nothing, as at the beginning of a sentence."""
_INTRODUCED_WITHIN = 3
"""Words before one in which something may introduce it. Judgement: el llamado efecto WORD."""


class Sign(IntEnum):
    """What there is to see of an occurrence, a bit each. The first six exclude each other: how the word is written.

    No flags of Python: putting these together takes longer than all the rest.
    """

    SMALL = 1
    CAPITAL_INSIDE = 2
    CAPITAL_FIRST = 4
    CAPITALS = 8
    MIXED = 16
    SHOUTED = 32
    AFTER_DETERMINER = 64
    AFTER_PREPOSITION = 128
    AFTER_TITLE = 256
    AFTER_CAPITAL = 512
    BEFORE_CAPITAL = 1024
    AFTER_STRANGE = 2048
    BEFORE_STRANGE = 4096
    QUOTED = 8192
    INTRODUCED = 16384
    IN_CODE = 32768
    WITH_POINT = 65536


SIGNS = tuple(Sign)


class _Lists(NamedTuple):
    determiners: frozenset[str]
    prepositions: frozenset[str]
    titles: frozenset[str]
    introducing: frozenset[str]


@cache
def _lists(code: str) -> _Lists:
    rules = rules_of(code)
    named = (rules.determiners, rules.prepositions, rules.titles, rules.introducing)
    return _Lists(*(frozenset(words.split()) for words in named))


def signs_of(text: Cut, places: Whole, strange: NDArray[np.bool_], code: str) -> list[int]:
    """The signs of the tokens at some places; `strange` says of every token whether it is an unknown word in small letters."""
    if not len(places):
        return []
    first, last = _sentence_bounds(text)
    return [
        _Place(text, place, int(begin), int(end), strange).signs(_lists(code))
        for place, begin, end in zip(places.tolist(), first[places], last[places], strict=True)
    ]


def _sentence_bounds(text: Cut) -> tuple[Whole, Whole]:
    """For each token where its sentence begins and ends."""
    sizes = [end - begin for begin, end in text.sentences]
    begins, ends = zip(*text.sentences, strict=True)
    return np.repeat(begins, sizes), np.repeat(ends, sizes)


class _Place:
    """A token in its sentence."""

    def __init__(self, text: Cut, place: int, begin: int, end: int, strange: NDArray[np.bool_]) -> None:
        self._tokens, self._place, self._begin, self._end, self._strange = text.tokens, place, begin, end, strange
        self._forms = text.tokens.forms

    def _word(self, place: int) -> str:
        forms = self._forms
        return forms.vocabulary.words[forms.numbers[forms.rows[place]]] if self._begin <= place < self._end else ""

    def signs(self, lists: _Lists) -> int:
        word, before, behind = (self._word(self._place + away) for away in (0, -1, 1))
        found = self._writing(word, before, behind) | self._beside(before, lists) | self._around()
        found |= Sign.BEFORE_CAPITAL if _is_capital(behind) else 0
        # Of names, most of what nobody lists, that is not asked.
        if not found & Sign.CAPITAL_INSIDE and self._is_introduced(lists.introducing):
            found |= Sign.INTRODUCED
        return found

    def _writing(self, word: str, before: str, behind: str) -> int:
        if word.islower():
            return Sign.SMALL
        if word.isupper() and len(word) > 1:
            return Sign.SHOUTED if _is_shouted(before) or _is_shouted(behind) else Sign.CAPITALS
        if not _is_capital(word) or not word[1:].islower():
            return Sign.MIXED
        return Sign.CAPITAL_FIRST if self._opens(before) else Sign.CAPITAL_INSIDE

    def _opens(self, before: str) -> bool:
        """Whether nothing but signs stands before it in its sentence, or one behind which sentences begin."""
        if not before or before in _OPENING:
            return True
        kinds = self._tokens.kinds[self._begin : self._place]
        return len(kinds) < 5 and all(kind == PUNCTUATION for kind in kinds)

    def _beside(self, before: str, lists: _Lists) -> int:
        found, small = 0, before.lower()
        if small in lists.determiners:
            found |= Sign.AFTER_DETERMINER
        elif small in lists.prepositions:
            found |= Sign.AFTER_PREPOSITION
        elif small in lists.titles:
            found |= Sign.AFTER_TITLE
        elif _is_capital(before) and self._place - 1 > self._begin:
            found |= Sign.AFTER_CAPITAL
        if before and self._strange[self._place - 1]:
            found |= Sign.AFTER_STRANGE
        if self._place + 1 < self._end and self._strange[self._place + 1]:
            found |= Sign.BEFORE_STRANGE
        return found

    def _around(self) -> int:
        """The characters on both sides."""
        text, start, end = self._tokens.text, self._tokens.starts[self._place], self._tokens.ends[self._place]
        second, before = tuple(text[max(start - 2, 0) : start].rjust(2))
        behind, following = tuple(text[end : end + 2].ljust(2))
        found = Sign.QUOTED if before in _QUOTES else 0
        is_extension = before == "." and second != "." and text[start:end].islower()  # .gz, but not after an ellipsis
        if before in _BEFORE_CODE or is_extension or behind in _BEHIND_CODE or (behind in ".:" and following.isalnum()):
            found |= Sign.IN_CODE
        if behind == "." and self._place + 2 < self._end and not following.isalnum():
            found |= Sign.WITH_POINT
        return found

    def _is_introduced(self, introducing: frozenset[str]) -> bool:
        return any(self._word(self._place - away).lower() in introducing for away in range(1, _INTRODUCED_WITHIN + 1))


def _is_capital(word: str) -> bool:
    return bool(word) and word[0].isupper()


def _is_shouted(word: str) -> bool:
    return len(word) > 3 and word.isupper()


def shares(signs: Sequence[int]) -> NDArray[np.float64]:
    """A row an occurrence, a column a sign, 1 where it is there."""
    bits = np.asarray(signs, np.int64).reshape(-1, 1) >> np.arange(len(SIGNS)) & 1
    return bits.astype(np.float64)
