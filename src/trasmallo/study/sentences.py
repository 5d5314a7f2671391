"""Finds the sentences of a tokenised text by rules: terminators, abbreviations, closing and opening signs, breaks."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.characters import IS_BREAK, codes, traits
from trasmallo.study.interned_forms import Facts
from trasmallo.study.patterns import ALPHABETIC, NUMBER, PUNCTUATION
from trasmallo.study.tokenise import TokenColumns, columns, key
from trasmallo.values.arrays import Mask, Whole

TERMINATORS = frozenset(".!?…。！？｡")
WIDE_TERMINATORS = frozenset("。！？｡")
CLOSERS = frozenset("\"'”’»›)]}」』）】")
OPENERS = frozenset("\"'“‘«‹([{—–-「『（【")
QUESTIONS = frozenset("¿¡")
# A quotation in a quotation in brackets: no sentence has more signs before its first word.
OPENERS_LOOKED_AT = 4

_TERMINATES, _TERMINATES_WIDE, _CLOSES, _OPENS, _ASKS, _CAPITAL, _SMALL, _ENDS_SMALL, _POINT = (1 << bit for bit in range(9))
"""What matters of a token, as bits: a sign at its end, what sign it is itself, how its first and last letters are written."""


def _traits(word: str) -> int:
    first, last = word[0], word[-1]
    found = _TERMINATES * (last in TERMINATORS) | _TERMINATES_WIDE * (last in WIDE_TERMINATORS) | _POINT * (word == ".")
    found |= _CLOSES * (word in CLOSERS) | _OPENS * (word in OPENERS) | _ASKS * (word in QUESTIONS)
    return found | _CAPITAL * first.isupper() | _SMALL * first.islower() | _ENDS_SMALL * last.islower()


_traits_of = Facts(lambda words: list(map(_traits, words)))


class Cut(NamedTuple):
    """A text, cut: its tokens, and its sentences as ranges of them."""

    tokens: TokenColumns
    sentences: list[tuple[int, int]]


def cut(text: str, language: str = languages.GENERIC) -> Cut:
    """Cut a text into tokens and these into sentences."""
    tokens = columns(text, language)
    return Cut(tokens, sentences(tokens))


def sentences(columns: TokenColumns) -> list[tuple[int, int]]:
    """The sentences in order as ranges of tokens (first, past the last); together they hold every token once."""
    if not len(columns):
        return []
    seen = _Seen.of(columns)
    breaks = np.flatnonzero(traits()[codes(columns.text)] & IS_BREAK)
    bounds = {0, len(columns), *np.searchsorted(seen.starts, breaks).tolist()}
    at, after = _terminators(seen)
    ending = _are_ends(columns, seen, at, after)
    at, after = at[ending], after[ending]
    # A point may belong to a number that opens the line or sentence ("1. Introducción").
    items = (seen.traits[at] & _POINT > 0) & (at > 0) & (seen.kinds[at - 1] == NUMBER)
    bounds.update(after[~items].tolist())
    for index, past in zip(at[items].tolist(), after[items].tolist(), strict=True):
        if index - 1 not in bounds:
            bounds.add(past)
    return list(pairwise(sorted(bounds)))


class _Seen(NamedTuple):
    """The tokens of a text as arrays: their traits, kinds and places."""

    traits: Whole
    kinds: NDArray[np.uint8]
    starts: Whole
    ends: Whole

    @classmethod
    def of(cls, columns: TokenColumns) -> _Seen:
        places = (np.asarray(places, np.int64) for places in (columns.starts, columns.ends))
        return cls(_traits_of.each(columns.forms), np.frombuffer(columns.kinds, np.uint8), *places)


def _terminators(seen: _Seen) -> tuple[Whole, Whole]:
    """Where sentences may end, and the first tokens after these: signs that close a sentence touch the one before."""
    closing = seen.traits & _CLOSES > 0
    closing[1:] &= seen.starts[1:] == seen.ends[:-1]
    others = np.append(np.flatnonzero(~closing), len(closing))
    at = np.flatnonzero(seen.traits & _TERMINATES)
    after = others[np.searchsorted(others, at + 1)]
    inside = after < len(closing)
    return at[inside], after[inside]


def _are_ends(columns: TokenColumns, seen: _Seen, at: Whole, after: Whole) -> Mask:
    """Which terminators end their sentence."""
    ends: Mask = seen.traits[at] & _TERMINATES_WIDE > 0
    sign, apart = seen.kinds[at] == PUNCTUATION, seen.starts[after] > seen.ends[after - 1]
    usual = ~ends & sign & (apart | (seen.traits[after] & _ASKS > 0))
    ends[usual] = _begin(seen, after[usual])
    # Two sentences touch where a blank was forgotten ("fin.Luego"): a small letter before the terminator, a capital after it.
    touching = ~ends & sign & ~usual & (at > 0)
    ends[touching] = (seen.traits[at[touching] - 1] & _ENDS_SMALL > 0) & (seen.traits[after[touching]] & _CAPITAL > 0)
    for place in np.flatnonzero(~ends & ~sign & apart).tolist():
        ends[place] = abbreviation_ends(columns.language, columns.words[at[place]], columns.words[after[place]])
    return ends


def _begin(seen: _Seen, at: Whole) -> Mask:
    """Whether sentences may begin at tokens: no small letter and no middle sign there."""
    begins = np.zeros(len(at), np.bool_)
    looked = np.arange(len(at))
    for _ in range(OPENERS_LOOKED_AT):
        traits, kinds = seen.traits[at], seen.kinds[at]
        asks, word, opens = traits & _ASKS > 0, kinds == ALPHABETIC, traits & _OPENS > 0
        begins[looked] = asks | np.where(word, traits & _SMALL == 0, ~opens & (kinds != PUNCTUATION))
        more = ~asks & ~word & opens & (at + 1 < len(seen.kinds))
        looked, at = looked[more], at[more] + 1
    return begins


def abbreviation_ends(language: str, word: str, following: str) -> bool:
    """Whether a sentence ends with an abbreviation, or another word with a point, before the word that follows."""
    if following in QUESTIONS:
        return True
    if not following[0].isupper():
        return False
    known = languages.load(language)
    return key(word) in _endings(known.code) or following.lower() in known.stopwords


@cache
def _endings(code: str) -> frozenset[str]:
    return frozenset(key(entry) for entry, ends in languages.load(code).abbreviations.items() if ends)
