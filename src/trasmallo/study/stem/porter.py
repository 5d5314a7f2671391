"""Porter's stemmer for English, as published: M. F. Porter, An algorithm for suffix stripping, Program 14 (1980) 130-137.

Words are lower case. The author's own program of later years differs in three points (it leaves words of one and two letters
alone, and has -bli and -logi among its suffixes); `as_revised` gives those too, and with them the published vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = {
    "al": "", "ance": "", "ence": "", "er": "", "ic": "", "able": "", "ible": "", "ant": "", "ement": "", "ment": "", "ent": "",
    "ion": "", "ou": "", "ism": "", "ate": "", "iti": "", "ous": "", "ive": "", "ize": "",
}  # fmt: skip
_REVISED_STEP_2 = {suffix: kept for suffix, kept in _STEP_2.items() if suffix != "abli"} | {"bli": "ble", "logi": "log"}


class _Steps(NamedTuple):
    """What differs between the paper and the later program: suffixes of the second step, length of the shortest word."""

    name: str
    shortest: int


_PAPER, _REVISED = _Steps("paper", 1), _Steps("revised", 3)
_SECOND = {"paper": _STEP_2, "revised": _REVISED_STEP_2}
_LONGEST = 100


def stem(word: str) -> str:
    """The stem of a word by the rules of the paper; what is longer than 100 letters is no word and stays as it is."""
    return _stem(word, _PAPER) if len(word) <= _LONGEST else word


def as_revised(word: str) -> str:
    """The stem of a word by the author's later program, as in most libraries."""
    return _stem(word, _REVISED) if len(word) <= _LONGEST else word


@lru_cache(maxsize=65_536)
def _stem(word: str, steps: _Steps) -> str:
    if len(word) < steps.shortest:
        return word
    word = _step_1c(_step_1b(_step_1a(word)))
    word = _replaced(word, _SECOND[steps.name], 0)
    word = _replaced(word, _STEP_3, 0)
    word = _replaced(word, _STEP_4, 1)
    return _step_5(word)


def _form(word: str) -> str:
    """The word as c (consonant) and v (vowel)."""
    form = ""
    for letter in word:
        form += "v" if letter in "aeiou" or (letter == "y" and form[-1:] == "c") else "c"
    return form


def _measure(word: str) -> int:
    """The m of the paper: how often a consonant follows a vowel."""
    return _form(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _form(word)


def _ends_double(word: str) -> bool:
    return word[-1:] == word[-2:-1] and _form(word).endswith("cc")


def _ends_short(word: str) -> bool:
    """The *o of the paper: consonant, vowel, consonant, and the last of them no w, x or y."""
    return _form(word).endswith("cvc") and word[-1] not in "wxy"


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(word.removesuffix(suffix)):
            return _mended(word.removesuffix(suffix))
    return word


def _mended(word: str) -> str:
    """What -ed and -ing leave, with the e that they took or without the letter that they doubled."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _ends_double(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _ends_short(word) else word


def _step_1c(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


def _replaced(word: str, suffixes: Mapping[str, str], least: int) -> str:
    """The word with its longest suffix of the list replaced, if what stands before it measures more than `least`."""
    found = max((suffix for suffix in suffixes if word.endswith(suffix)), key=len, default="")
    rest = word.removesuffix(found)
    if not found or _measure(rest) <= least or (found == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest + suffixes[found]


def _step_5(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
