"""Sets of characters as ranges of code points, and what case and accents make of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

Ranges = tuple[tuple[int, int], ...]
"""Ranges of code points, both ends included, in order and apart from each other."""

LAST = 0x10FFFF
"""The last code point of Unicode."""
ANY: Ranges = ((0, LAST),)
MARKS: Ranges = ((0x300, 0x36F),)
"""Accents that stand apart from their letters."""

_ACCENTED = 0x2000
"""Letters with accents are below this one."""
_SURROGATES = range(0xD800, 0xE000)
_ASTRAL = 0x10000
"""The first code point above the basic plane."""
_ASTRAL_LETTERS = ((_ASTRAL, 0x1EFFF), (0x20000, 0x3FFFF))
_MOST_WIDENED = 2_000
"""Characters of a set up to which each gets its other cases and accents; larger sets are scripts. Judgement."""


def united(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Ranges in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def inverted(ranges: Ranges) -> Ranges:
    """All other characters."""
    found, low = [], 0
    for begin, end in ranges:
        if begin > low:
            found.append((low, begin - 1))
        low = end + 1
    return (*found, (low, LAST)) if low <= LAST else tuple(found)


def single(letter: str) -> Ranges:
    """One character."""
    return ((ord(letter), ord(letter)),)


@cache
def named(letter: str) -> Ranges:
    r"""The set that \d, \w or \s means, or \D, \W, \S: as in Python's `re` below 65,536, above that in coarse ranges."""
    if letter.isupper():
        return inverted(named(letter.lower()))
    every = "".join(chr(code) for code in range(_ASTRAL) if code not in _SURROGATES)
    found = [(ord(run[0][0]), ord(run[0][-1])) for run in re.finditer(f"\\{letter}+", every)]
    return united([*found, *(_ASTRAL_LETTERS if letter == "w" else ())])


def widened(ranges: Ranges, *, case: bool, accents: bool) -> Ranges:
    """A set with the other cases of its letters, or all accents of them; one of thousands of characters has them already."""
    if sum(high - low + 1 for low, high in ranges) > _MOST_WIDENED:
        return ranges
    codes = {code for low, high in ranges for code in range(low, high + 1)}
    if accents:
        groups = _groups_by_base()
        codes |= {other for code in codes for other in groups.get(code, ())}
    if case:
        codes |= {other for code in codes for other in _cases(chr(code))}
    return united((code, code) for code in codes)


def _cases(letter: str) -> Iterable[int]:
    """Letters that differ in case alone; one that becomes two stays as it is."""
    forms = {form for one in (letter, letter.lower(), letter.upper()) for form in (one.lower(), one.upper(), one.title())}
    return (ord(form) for form in forms if len(form) == 1)


@cache
def _groups_by_base() -> dict[int, tuple[int, ...]]:
    """For each letter those that are the same without accents."""
    groups: dict[str, list[int]] = {}
    for code in range(_ACCENTED):
        groups.setdefault(unicodedata.normalize("NFD", chr(code))[0], []).append(code)
    return {code: tuple(codes) for codes in groups.values() if len(codes) > 1 for code in codes}
