"""The stemmers of the Snowball project (M. F. Porter and others, snowballstem.org), compiled, by PyStemmer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import Stemmer

_CACHED = 100_000
_LONGEST = 100
LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip
"""The algorithm that serves a language code."""


@cache
def algorithms() -> tuple[str, ...]:
    """The names of all algorithms; two are no languages: porter is the one of 1980, dutch_porter an older one for Dutch."""
    return tuple(Stemmer.algorithms())


@cache
def snowball(algorithm: str) -> Callable[[str], str]:
    """The stemmer of an algorithm. It remembers its last 100,000 words and is not for several threads at once.

    What is longer than 100 letters is no word and stays as it is.
    """
    stem: Callable[[str], str] = Stemmer.Stemmer(algorithm, _CACHED).stemWord
    return lambda word: stem(word) if len(word) <= _LONGEST else word
