"""Words in their parts where languages write several together: German compounds, Arabic affixes (textbook, 4.3.4 and 4.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from trasmallo.study.languages.ar import affixes
from trasmallo.study.languages.de.compounds import Splitter
from trasmallo.study.morphology.generic import lemmas_of
from trasmallo.study.tokenise import key, words
from trasmallo.values.language_tags import primary

Split = Callable[[str], tuple[str, ...]]
"""From a word to its parts in order; () for one that has none, and for every word of other languages."""

_REMEMBERED = 65_536
_LISTED = 10.0
"""What a word counts that a dictionary lists and nobody has counted: more than a compound that a text repeats."""


def needs_frequencies(language: str) -> bool:
    """Whether words of a language are split by the frequencies of others."""
    return primary(language) == "de"


def splitter(language: str, frequencies: Mapping[str, float]) -> Split:
    """Who splits the words of a language; `frequencies` of words under their keys are for German."""
    code = primary(language)
    if code == "ar":
        return lambda word: _arabic(key(word))
    if code == "de":
        return _German(frequencies)
    return lambda _word: ()


class Frequencies(Mapping[str, float]):
    """How often German words occur: in a list, else in a text; what simplemma lists, if it is installed, ten times at least."""

    def __init__(self, listed: Mapping[str, float], text: str = "") -> None:
        self._listed = listed
        self._own = Counter(map(key, words(text, "de"))) if text else Counter[str]()
        self._known = lru_cache(maxsize=_REMEMBERED)(lemmas_of("de"))

    def __getitem__(self, word: str) -> float:
        found = self._listed.get(word, 0.0) or max(self._own.get(word, 0), _LISTED if self._known(word) else 0.0)
        if not found:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed.keys() | self._own.keys())

    def __len__(self) -> int:
        return len(self._listed.keys() | self._own.keys())


class _German:
    """Compounds, each split once; a long one can take some milliseconds."""

    def __init__(self, frequencies: Mapping[str, float]) -> None:
        self._split = lru_cache(maxsize=_REMEMBERED)(Splitter(frequencies).split)

    def __call__(self, word: str) -> tuple[str, ...]:
        parts = self._split(key(word))
        return parts if len(parts) > 1 else ()


def _arabic(word: str) -> tuple[str, ...]:
    found = affixes.split(word)
    parts = (*found.prefixes, found.stem, *found.suffixes)
    return parts if len(parts) > 1 else ()
