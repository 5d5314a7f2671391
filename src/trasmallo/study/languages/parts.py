"""What the code in a language's folder gives, by the names of its modules; every module is optional.

`splitting.py` is a `Splitting`, `segmenter.py` a `Segmenting`, `readability.py` a `Measuring`, and a module that `stemmers` of
`language.toml` names a `Stemming`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import msgspec

Split = Callable[[str], tuple[str, ...]]
"""From a word to its parts in order; the word alone, or (), for one that has none."""


class Splitting(Protocol):
    """Takes apart words that the language writes together: compounds, affixes."""

    NEEDS_FREQUENCIES: bool
    """Whether words are split by the frequencies of others."""

    def splitter(self, frequencies: Mapping[str, float]) -> Split:
        """Who splits words under their keys (`tokenise.key`), as are those of `frequencies`."""


class Segmenting(Protocol):
    """Finds words where the language writes none apart."""

    def segmenter(self) -> Callable[[str], Iterable[str]]:
        """Who cuts a run of characters into its words, which together are the run; raises ImportError without its package."""


class Stemming(Protocol):
    """A stemmer of the language's own."""

    def stem(self, word: str) -> str:
        """The stem of a word under its key (`tokenise.key`)."""


class TextSize(msgspec.Struct, frozen=True, kw_only=True):
    """What formulas of readability ask of a text that has words."""

    sentences: int
    words: int
    syllables: int
    letters: int

    @property
    def words_per_sentence(self) -> float:
        """Mean length of a sentence."""
        return self.words / self.sentences

    @property
    def syllables_per_word(self) -> float:
        """Mean length of a word."""
        return self.syllables / self.words


class Readability(msgspec.Struct, frozen=True, kw_only=True):
    """How hard a text is to read; None where a formula is not made for its language, or there is no sentence.

    Words are alphabetic tokens, sentences those with at least one of them. `inflesz` is Szigriszt's index in words.
    """

    syllables: int | None = None
    fernandez_huerta: float | None = None
    szigriszt: float | None = None
    gutierrez: float | None = None
    flesch: float | None = None
    kincaid: float | None = None
    inflesz: str | None = None


class Measuring(Protocol):
    """Formulas of readability made for the language, and the syllables that they count."""

    def syllables(self, word: str) -> int:
        """How many syllables a word has, at least 1."""

    def measure(self, size: TextSize) -> Readability:
        """The measures of a text that has words."""
