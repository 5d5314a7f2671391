"""Finds the sentences of a tokenised text by rules: terminators, abbreviations, closing and opening signs, breaks."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from trasmallo.study import languages
from trasmallo.study.characters import BREAK
from trasmallo.study.patterns import ALPHABETIC, NUMBER, PUNCTUATION
from trasmallo.study.tokenise import Columns, columns, key
from trasmallo.study.vocabulary import Facts

_TERMINATORS = frozenset(".!?…。！？｡")
_WIDE_TERMINATORS = frozenset("。！？｡")
_CLOSERS = frozenset("\"'”’»›)]}」』）】")
_OPENERS = frozenset("\"'“‘«‹([{—–-「『（【")
_QUESTIONS = frozenset("¿¡")
# A quotation in a quotation in brackets: no sentence has more signs before its first word.
_OPENERS_LOOKED_AT = 4
_BREAKS = re.compile(f"[{BREAK}]")


_terminate = Facts(lambda words: [word[-1] in _TERMINATORS for word in words])


class Cut(NamedTuple):
    """A text, cut: its tokens, and its sentences as ranges of them."""

    tokens: Columns
    sentences: list[tuple[int, int]]


def cut(text: str, language: str = languages.GENERIC) -> Cut:
    """Cut a text into tokens and these into sentences."""
    tokens = columns(text, language)
    return Cut(tokens, sentences(tokens))


def sentences(columns: Columns) -> list[tuple[int, int]]:
    """The sentences in order as ranges of tokens (first, past the last); together they hold every token once."""
    if not len(columns):
        return []
    bounds = {0, len(columns)}
    bounds.update(bisect_left(columns.starts, found.start()) for found in _BREAKS.finditer(columns.text))
    for index in np.flatnonzero(_terminate.each(columns.forms)).tolist():
        after = _skip_closers(columns, index)
        if after < len(columns) and not _numbers_an_item(columns, index, bounds) and _ends(columns, index, after):
            bounds.add(after)
    return list(pairwise(sorted(bounds)))


def _skip_closers(columns: Columns, index: int) -> int:
    """The first token after a terminator that is no sign closing the sentence, written without a blank before it."""
    after = index + 1
    while after < len(columns) and columns.words[after] in _CLOSERS and columns.starts[after] == columns.ends[after - 1]:
        after += 1
    return after


def _numbers_an_item(columns: Columns, index: int, bounds: set[int]) -> bool:
    """Whether the point belongs to a number that opens the line or sentence ("1. Introducción")."""
    return columns.words[index] == "." and index - 1 in bounds and columns.kinds[index - 1] == NUMBER


def _ends(columns: Columns, index: int, after: int) -> bool:
    word = columns.words[index]
    if word[-1] in _WIDE_TERMINATORS:
        return True
    apart = columns.starts[after] > columns.ends[after - 1]
    if columns.kinds[index] != PUNCTUATION:
        return apart and _abbreviation_ends(columns, word, columns.words[after])
    if not apart and columns.words[after] not in _QUESTIONS:
        return _blank_forgotten(columns, index, after)
    return _begins(columns, after)


def _abbreviation_ends(columns: Columns, word: str, following: str) -> bool:
    if following in _QUESTIONS:
        return True
    if not following[0].isupper():
        return False
    language = languages.load(columns.language)
    return key(word) in _endings(language.code) or following.lower() in language.stopwords


@cache
def _endings(code: str) -> frozenset[str]:
    return frozenset(key(entry) for entry in languages.load(code).endings)


def _blank_forgotten(columns: Columns, index: int, after: int) -> bool:
    """Whether two sentences touch ("fin.Luego"): a small letter before the terminator and a capital after it."""
    before = columns.words[index - 1] if index else ""
    return before[-1:].islower() and columns.words[after][0].isupper()


def _begins(columns: Columns, index: int) -> bool:
    """Whether a sentence may begin at a token: no small letter and no middle sign there."""
    for at in range(index, min(index + _OPENERS_LOOKED_AT, len(columns))):
        word = columns.words[at]
        if word in _QUESTIONS:
            return True
        if columns.kinds[at] == ALPHABETIC:
            return not word[0].islower()
        if word not in _OPENERS:
            return columns.kinds[at] != PUNCTUATION
    return False
