"""The known word that a word with one mistake was likeliest meant for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from trasmallo.study.morphology.analyser import Analyser, analyser
from trasmallo.study.morphology.letter_model import Letters, letters_of
from trasmallo.study.morphology.single_edits import Edits, accent_edits, letter_edits
from trasmallo.study.morphology.stress import PLAIN

_SHORTEST = 6
"""Letters of a word in which more than the accents may be wrong."""
_LONGEST = 24
"""Letters of a word that is corrected: its neighbours grow with it. Judgement: few words in use are longer."""
_MOST_KNOWN = 50_000
"""Corrections that are remembered. Judgement: a few megabytes."""
# Words whose neighbours are worked out at once, which takes two megabytes.
_AT_ONCE = 256


class Mistakes:
    """Those of one language. Words are keys; what some 50,000 of them stand for is remembered, because mistakes come again."""

    def __init__(self, analyses: Analyser, letters: Letters, *, at_once: int = _AT_ONCE, most: int = _MOST_KNOWN) -> None:
        self._at_once, self._most = at_once, most
        self._analyses = analyses
        self._letters = letters
        self._known: dict[str, str] = {}

    def nearest_of(self, words: Sequence[str]) -> list[str]:
        """The known words that one mistake away are likeliest meant, "" for none; many together are many times faster."""
        found = {word: self._known.get(word) for word in words}
        new = [word for word, nearest in found.items() if nearest is None]
        for begin in range(0, len(new), self._at_once):
            self._remember(self._search(new[begin : begin + self._at_once]), found)
        return [found[word] or "" for word in words]

    def _remember(self, nearest: dict[str, str], found: dict[str, str | None]) -> None:
        found.update(nearest)
        if len(self._known) > self._most:
            self._known.clear()
        self._known.update((word, meant) for word, meant in nearest.items() if meant)

    def _search(self, words: list[str]) -> dict[str, str]:
        """Accents are wrong more often than letters: none that should be there first, then another, then other edits."""
        plain = {word: word.translate(PLAIN) for word in words if len(word) <= _LONGEST}
        found = {word: bare for word, bare in plain.items() if bare != word and self._is_listed(bare)}
        self._try([word for word in plain if word not in found], lambda rest: [accent_edits(rest)], found)
        unsettled = [word for word in plain if word not in found and len(word) >= _SHORTEST]
        self._try(unsettled, lambda rest: letter_edits(rest, self._letters), found)
        return {word: found.get(word, "") for word in words}

    def _try(self, words: list[str], make: Callable[[list[str]], Iterable[Edits]], found: dict[str, str]) -> None:
        """Enter what is meant by words, where something is; what is made first counts."""
        for some in make(words) if words else ():
            for word, form in some.spell(words, self._analyses.likely(some.prints), found):
                if self._is_listed(form):
                    found.setdefault(word, form)

    def _is_listed(self, form: str) -> bool:
        return any(one.by == "lexicon" for one in self._analyses.listed(form)[1])


@cache
def mistakes_of(code: str) -> Mistakes:
    """Those of a language folder. Not through the memory of analyses, which is no place for words that nobody wrote."""
    return Mistakes(analyser(code), letters_of(code))
