"""The stemmers of the Snowball project (M. F. Porter and others, snowballstem.org), compiled, by PyStemmer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import Stemmer

_CACHED = 100_000
"""Words that a stemmer remembers. Judgement: the vocabulary of a large corpus is met again and again."""
_LONGEST = 100
"""Letters of a word at most. Judgement: what is longer is no word."""


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
