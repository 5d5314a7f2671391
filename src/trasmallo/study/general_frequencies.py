"""How often words are used in a language in general, for languages whose folder has such a list (`training/frequencies.py`)."""

from __future__ import annotations

from collections.abc import Iterator

from trasmallo.study import languages
from trasmallo.values import bounded_zstd

FILE_NAME = "frequencies.zst"
_LARGEST = 1 << 24
"""Bytes of the largest list. Judgement: a million words."""

_STEP = 100.0
"""Lines of the file for a tenth of the frequency."""


def is_counted(code: str) -> bool:
    """Whether we know how often the words of a language are used in general."""
    found = languages.find(code)
    return found is not None and found.has(FILE_NAME)


def counted_languages() -> tuple[str, ...]:
    """The languages of which we know it."""
    return tuple(language.code for language in languages.known() if language.has(FILE_NAME))


def shares_of_words(code: str) -> Iterator[tuple[str, float]]:
    """The words of a language, each with its share of all words; of a language that is counted."""
    text = bounded_zstd.decompress(languages.load(code).content(FILE_NAME), _LARGEST).decode()
    for place, line in enumerate(text.split("\n")):
        share = 10 ** (-place / _STEP)
        for word in line.split():
            yield word, share
