"""What stands around a word that nobody lists, as bits: how it is written there, which words are beside it, and signs.

They are noted for each occurrence, so that a corpus can count them: a word that is a name has capitals inside sentences nearly
everywhere, whatever a single place looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.characters import codes
from trasmallo.study.interned_forms import Facts
from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.tags import TYPO
from trasmallo.study.patterns import PUNCTUATION
from trasmallo.study.sentences import Cut
from trasmallo.study.unlisted.kinds import rules_of
from trasmallo.values.arrays import Whole

_QUOTES = codes("\"'“”‘’«»‹›`´")
_BEFORE_CODE = codes("/\\_=@#$%&<>{}|~^")
_BEHIND_CODE = codes("/\\_=@({}|~^")
_POINT, _COLON, _BLANKS = ord("."), ord(":"), codes("  ")
_OPENING = frozenset("\"'“‘«‹([{—–-¿¡:•·*…")
"""Tokens behind which a capital says nothing, as at the beginning of a sentence."""
_MOST_OPENING = 5
"""Signs at the beginning of a sentence are fewer than this. Judgement: a row of points or dashes opens nothing."""
_INTRODUCED_WITHIN = 3
"""Words before one in which something may introduce it. Judgement: el llamado efecto WORD."""


_VERBS, _NOUNS = ("VERB", "AUX"), ("NOUN", "ADJ", "ADP", "DET")


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
    OPENS_BEFORE_VERB = 131072


SIGNS = tuple(Sign)


_SMALL, _CAPITALS, _SHOUTED, _CAPITAL, _TITLED, _OPENS, _DETERMINER, _PREPOSITION, _TITLE, _INTRODUCING, _BEFORE_VERBS = (
    1 << bit for bit in range(11)
)
"""What is known of a form wherever it stands: how it is written, and on which lists it is."""


@cache
def _form_facts(code: str) -> Facts:
    """What is known of the forms of a language, as bits."""
    rules = rules_of(code)
    listed = (
        (_DETERMINER, rules.determiners),
        (_PREPOSITION, rules.prepositions),
        (_TITLE, rules.titles),
        (_INTRODUCING, rules.introducing),
        (_BEFORE_VERBS, rules.before_verbs),
    )
    on_lists: dict[str, int] = {}
    for bit, words in listed:
        for word in words.split():
            on_lists[word] = on_lists.get(word, 0) | bit
    return Facts(lambda words: [_writing(word) | on_lists.get(word.lower(), 0) for word in words])


def _writing(word: str) -> int:
    capital = word[0].isupper()
    return (
        (_SMALL if word.islower() else 0)
        | (_CAPITALS if len(word) > 1 and word.isupper() else 0)
        | (_SHOUTED if len(word) > 3 and word.isupper() else 0)
        | (_CAPITAL if capital else 0)
        | (_TITLED if capital and word[1:].islower() else 0)
        | (_OPENS if word in _OPENING else 0)
    )


def signs_of(text: Cut, places: Whole, strange: NDArray[np.bool_], code: str) -> Whole:
    """The signs of the tokens at some places; `strange` says of every token whether it is an unknown word in small letters."""
    if not len(places):
        return np.zeros(0, np.int64)
    around = _Surroundings(text, places, code)
    found = around.writing() | around.beside(strange) | _characters(text, places, around)
    # Of names, most of what nobody lists, that is not asked.
    introduced = (found & int(Sign.CAPITAL_INSIDE) == 0) & around.are_introduced()
    subjects = np.flatnonzero(found & int(Sign.CAPITAL_FIRST))
    found[subjects] |= _where(around.are_before_verbs(text, subjects, code), Sign.OPENS_BEFORE_VERB)
    return found | _where(introduced, Sign.INTRODUCED)


@cache
def _finite_verbs(code: str) -> Facts:
    """Which forms are verbs of the third person and no nouns."""
    analyse = words_of(code).analyse

    def is_finite(word: str) -> bool:
        readings = [one for one in analyse(word) if one.by != "guess" and TYPO not in one.features]
        return any("Person=3" in one.features and one.category in _VERBS for one in readings) and not any(
            one.category in _NOUNS for one in readings
        )

    return Facts(lambda words: [int(is_finite(word)) for word in words])


def _where(there: NDArray[np.bool_], sign: Sign) -> Whole:
    """A sign where something holds, else nothing."""
    found: Whole = there * np.int64(sign)
    return found


class _Surroundings:
    """Some tokens with those beside them in their sentences; nothing is known of what is beyond one."""

    def __init__(self, text: Cut, places: Whole, code: str) -> None:
        self._places, self._kinds = places, np.frombuffer(text.tokens.kinds, np.uint8)
        first, last = _sentence_bounds(text)
        self.begin, self.end = first[places], last[places]
        facts = _form_facts(code).each(text.tokens.forms)
        self._facts = facts
        self.here, self.before, self.behind = facts[places], self._at(-1), self._at(1)

    def _at(self, away: int) -> Whole:
        """What is known of the forms so far from each place, 0 beyond its sentence."""
        there = self._places + away
        inside = (there >= self.begin) & (there < self.end)
        found: Whole = np.where(inside, self._facts[np.where(inside, there, 0)], 0)
        return found

    def writing(self) -> Whole:
        """How the words are written: one of the first six signs each."""
        shouted = (self.before | self.behind) & _SHOUTED > 0
        titled = np.where(self._open(), Sign.CAPITAL_FIRST, Sign.CAPITAL_INSIDE)
        conditions = [self.here & bit > 0 for bit in (_SMALL, _CAPITALS, _TITLED)]
        found: Whole = np.select(
            conditions, [np.int64(Sign.SMALL), np.where(shouted, Sign.SHOUTED, Sign.CAPITALS), titled], Sign.MIXED
        ).astype(np.int64)
        return found

    def _open(self) -> NDArray[np.bool_]:
        """Where nothing but signs stands before a word in its sentence, or one behind which sentences begin."""
        passed = np.concatenate([[0], np.cumsum(self._kinds != PUNCTUATION)])
        only_signs = (passed[self._places] == passed[self.begin]) & (self._places - self.begin < _MOST_OPENING)
        found: NDArray[np.bool_] = only_signs | (self.before & _OPENS > 0)
        return found

    def beside(self, strange: NDArray[np.bool_]) -> Whole:
        """The words on both sides."""
        before, places = self.before, self._places
        capital = (before & _CAPITAL > 0) & (places - 1 > self.begin)
        bits = (_DETERMINER, _PREPOSITION, _TITLE)
        signs = (Sign.AFTER_DETERMINER, Sign.AFTER_PREPOSITION, Sign.AFTER_TITLE, Sign.AFTER_CAPITAL)
        conditions = [*(before & bit > 0 for bit in bits), capital]
        found: Whole = np.select(conditions, [np.int64(sign) for sign in signs], 0)
        after_strange = (places > self.begin) & strange[places - 1]
        before_strange = (places + 1 < self.end) & strange[np.minimum(places + 1, len(strange) - 1)]
        return (
            found
            | _where(after_strange, Sign.AFTER_STRANGE)
            | _where(before_strange, Sign.BEFORE_STRANGE)
            | _where(self.behind & _CAPITAL > 0, Sign.BEFORE_CAPITAL)
        )

    def are_before_verbs(self, text: Cut, rows: Whole, code: str) -> NDArray[np.bool_]:
        """Which of some words have a finite verb behind them, or what stands before one (no, se): so subjects begin."""
        following = self._places[rows] + 1
        inside = following < self.end[rows]
        found: NDArray[np.bool_] = self.behind[rows] & _BEFORE_VERBS > 0
        found[inside] |= _finite_verbs(code).each(text.tokens.forms, following[inside]) > 0
        return found

    def are_introduced(self) -> NDArray[np.bool_]:
        """Where one of the words before introduces a term."""
        found: NDArray[np.bool_] = (
            np.bitwise_or.reduce([self._at(-away) for away in range(1, _INTRODUCED_WITHIN + 1)]) & _INTRODUCING > 0
        )
        return found


def _sentence_bounds(text: Cut) -> tuple[Whole, Whole]:
    """For each token where its sentence begins and ends."""
    bounds = np.array(text.sentences, np.int64)
    sizes = bounds[:, 1] - bounds[:, 0]
    return np.repeat(bounds[:, 0], sizes), np.repeat(bounds[:, 1], sizes)


def _characters(text: Cut, places: Whole, around: _Surroundings) -> Whole:
    """What the two characters on both sides tell."""
    characters = np.concatenate([_BLANKS, codes(text.tokens.text), _BLANKS])
    starts = np.asarray(text.tokens.starts, np.int64)[places] + len(_BLANKS)
    ends = np.asarray(text.tokens.ends, np.int64)[places] + len(_BLANKS)
    second, before, behind, following = characters[starts - 2], characters[starts - 1], characters[ends], characters[ends + 1]
    # .gz, but not after an ellipsis.
    extension = (before == _POINT) & (second != _POINT) & (around.here & _SMALL > 0)
    goes_on = _are_letters(following)
    code = np.isin(before, _BEFORE_CODE) | extension | np.isin(behind, _BEHIND_CODE)
    code |= ((behind == _POINT) | (behind == _COLON)) & goes_on
    point = (behind == _POINT) & (places + 2 < around.end) & ~goes_on
    return _where(np.isin(before, _QUOTES), Sign.QUOTED) | _where(code, Sign.IN_CODE) | _where(point, Sign.WITH_POINT)


def _are_letters(characters: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which characters are letters or digits; a text has few different ones."""
    different, rows = np.unique(characters, return_inverse=True)
    found: NDArray[np.bool_] = np.array([chr(one).isalnum() for one in different.tolist()], np.bool_)[rows]
    return found


def shares(signs: Sequence[int] | Whole) -> NDArray[np.float64]:
    """A row an occurrence, a column a sign, 1 where it is there."""
    bits = np.asarray(signs, np.int64).reshape(-1, 1) >> np.arange(len(SIGNS)) & 1
    return bits.astype(np.float64)
