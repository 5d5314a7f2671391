"""Words in their parts where languages write several together: German compounds, Arabic affixes (textbook, 4.3.4 and 4.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from trasmallo.study import languages
from trasmallo.study.languages.parts import Split
from trasmallo.study.morphology.generic import lemmas_of
from trasmallo.study.tokenise import key, words

_REMEMBERED = 65_536
"""Words whose parts are kept in memory; a long compound can take some milliseconds. Judgement: a large document's."""
_LISTED = 10.0
"""What a word counts that a dictionary lists and nobody has counted: more than a compound that a text repeats."""


def needs_frequencies(language: str) -> bool:
    """Whether words of a language are split by the frequencies of others."""
    known = languages.find(language)
    return known is not None and known.splitting is not None and known.splitting.NEEDS_FREQUENCIES


def splitter(language: str, frequencies: Mapping[str, float]) -> Split:
    """Who splits the words of a language, () for those without parts; `frequencies` of words are under their keys."""
    known = languages.find(language)
    if known is None or known.splitting is None:
        return lambda _word: ()
    split = lru_cache(maxsize=_REMEMBERED)(known.splitting.splitter(frequencies))

    def parts(word: str) -> tuple[str, ...]:
        found = split(key(word))
        return found if len(found) > 1 else ()

    return parts


class Frequencies(Mapping[str, float]):
    """How often words occur: in a list, else in a text; what simplemma lists, if it is installed, ten times at least."""

    def __init__(self, language: str, listed: Mapping[str, float], text: str = "") -> None:
        self._listed = listed
        self._own = Counter(map(key, words(text, language))) if text else Counter[str]()
        self._known = lru_cache(maxsize=_REMEMBERED)(lemmas_of(language))

    def __getitem__(self, word: str) -> float:
        found = self._listed.get(word, 0.0) or max(self._own.get(word, 0), _LISTED if self._known(word) else 0.0)
        if not found:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed.keys() | self._own.keys())

    def __len__(self) -> int:
        return len(self._listed.keys() | self._own.keys())
