"""Remembers what was found for a word, so that no word is analysed twice while it is in use.

Two generations: what was asked since the last change, and what was asked before it. When the younger one is full it becomes the
older one, so that words in use stay and the others are forgotten; no more than both together are held.
"""

from __future__ import annotations

from trasmallo.study.morphology.lexical import Analyses
from trasmallo.values.model import Analysis

MOST_WORDS = 100_000
"""Words of a generation. Judgement: the vocabulary of a large corpus comes again and again."""
_LONGEST = 100
"""Letters of a word that is remembered. Judgement: what is longer does not come again."""


class AnalysisCache:
    """The analyses of a language with a memory of at most `2 * size` words; `missed` counts those that had to be analysed.

    What the lexicon lists and what an ending says are not remembered.
    """

    def __init__(self, analyses: Analyses, size: int = MOST_WORDS) -> None:
        self._analyses = analyses
        self.listed = analyses.listed
        self.guess = analyses.guess
        self._size = size
        self._young: dict[str, list[Analysis]] = {}
        self._old: dict[str, list[Analysis]] = {}
        self.missed = 0

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def analyse(self, word: str) -> list[Analysis]:
        """The readings of a word; the list is shared, so do not change it."""
        found = self._young.get(word)
        return found if found is not None else self._remember(word)

    def _remember(self, word: str) -> list[Analysis]:
        found = self._old.get(word)
        if found is None:
            found = self._analyses.analyse(word)
            self.missed += 1
        if len(word) <= _LONGEST:
            if len(self._young) >= self._size:
                self._old, self._young = self._young, {}
            self._young[word] = found
        return found
