"""Gives words of sentences in capitals, or in small letters only, the case that ordinary writing would have.

In capitals: a word that the lexicon knows as a common one becomes small unless it is listed as a name alone, all others get a
capital. In small letters: a word that only lists of names know gets a capital.
"""

from __future__ import annotations

from collections.abc import Sequence

from trasmallo.study.entities import name_lists
from trasmallo.study.entities.name_lists import fold
from trasmallo.study.entities.word_features import Common

_FEW_LETTERS = 12
"""Letters from which capitals mean a heading and not an acronym. Judgement."""
_LONGEST_ACRONYM = 4  # judgement: longer ones are rarely left in capitals
_SURE = frozenset("gsc")
"""Lists whose words get a capital in small text: given names, surnames, countries; towns when the lexicon has no such word."""
_MOST_COMMON = 2  # judgement: a word of several categories is hardly ever a name


def is_upper(words: Sequence[str]) -> bool:
    """Whether a sentence is written in capitals."""
    # Nearly every sentence has a word that tells at once.
    if any(word != word.upper() and word.isalpha() for word in words):
        return False
    letters = "".join(word for word in words if word.isalpha())
    return len(letters) >= _FEW_LETTERS and letters.isupper()


def is_lower(words: Sequence[str]) -> bool:
    """Whether a sentence has letters, and no capital among them."""
    return all(word == word.lower() for word in words) and sum(map(str.isalpha, words)) > 1


def lowered(words: Sequence[str], common: Common) -> list[str]:
    """The words of a sentence in capitals as they would be written elsewhere."""
    return [_lowered(word, common) for word in words]


def _lowered(word: str, common: Common) -> str:
    low = word.lower()
    if not word.isalpha() or len(word) == 1:
        return low if word.isalpha() else word
    letters = name_lists.names().get(fold(word), "")
    if common(low) and not (set(letters) & _SURE and len(common(low)) < _MOST_COMMON):
        return low
    if not letters and len(word) <= _LONGEST_ACRONYM:
        return word
    return word.capitalize()


def raised(words: Sequence[str], common: Common) -> list[str]:
    """The words of a sentence in small letters with capitals where names stand."""
    return [_raised(word, common) for word in words]


def _raised(word: str, common: Common) -> str:
    if not word.isalpha():
        return word
    letters = name_lists.names().get(fold(word), "")
    known = common(word)
    return word.capitalize() if letters and not known else word
