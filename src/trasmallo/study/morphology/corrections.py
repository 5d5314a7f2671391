"""The known word that a misspelt one was likeliest meant for: by how people misspell, and by how frequent it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf, log
from typing import NamedTuple

from trasmallo.study.morphology import tagger_model
from trasmallo.study.morphology.analyser import Analyser, analyser
from trasmallo.study.morphology.error_costs import ErrorCosts, error_costs
from trasmallo.study.morphology.letter_model import Letters, letters_of
from trasmallo.study.morphology.single_edits import accent_edits, letter_edits
from trasmallo.study.morphology.stress import PLAIN
from trasmallo.study.morphology.tags import TYPO

_SHORTEST = 3
"""Letters of a word in which more than the accents may be wrong."""
_LONGEST = 24
"""Letters of a word that is corrected: its neighbours grow with it. Judgement: few words in use are longer."""
_MOST_KNOWN = 50_000
"""Corrections that are remembered. Judgement: a few megabytes."""
# Words whose neighbours are worked out at once, which takes two megabytes.
_AT_ONCE = 256
_FREQUENCY = 0.5
"""What frequency weighs beside the costs of errors: the power of it that counts. Judgement: `training/kinds.py --check` finds
the word that was meant for 91 of 100 made-up mistakes with it."""
_FREQUENT_FORM = 2.0
"""What a form counts more, as a logarithm, that is itself among the frequent ones of training: its lemma may have others."""
_SURE = 1.5
"""Costs from which several errors of sound are thought of as well. Judgement: a single one of them costs less."""


class Meant(NamedTuple):
    """A known word that another may be meant for: what the errors cost, and the logarithm of how frequent it is."""

    form: str
    cost: float
    frequency: float

    @property
    def rank(self) -> float:
        """The less, the likelier."""
        return self.cost - _FREQUENCY * self.frequency


class Frequencies:
    """How frequent forms are in what the tagger was trained on, as logarithms: by their lemmas, the commonest themselves."""

    def __init__(self, lemmas: Mapping[str, int], forms: Iterable[str] = ()) -> None:
        self._lemmas, self._forms = lemmas, frozenset(forms)

    def of(self, form: str, lemmas: Iterable[str]) -> float:
        """The logarithm of one more than the count of the likeliest lemma."""
        most = max((self._lemmas.get(lemma, 0) for lemma in lemmas), default=0)
        return log(1 + most) + (_FREQUENT_FORM if form in self._forms else 0)


class Mistakes:
    """Those of one language. Words are keys; what some 50,000 of them stand for is remembered, because mistakes come again."""

    def __init__(
        self,
        analyses: Analyser,
        letters: Letters,
        costs: ErrorCosts,
        frequencies: Frequencies,
        *,
        at_once: int = _AT_ONCE,
        most: int = _MOST_KNOWN,
    ) -> None:
        self._at_once, self._most = at_once, most
        self._analyses, self._letters = analyses, letters
        self._costs, self._frequencies = costs, frequencies
        self._adverbs = analyses.adverb_ending
        self._known: dict[str, Meant] = {}

    def nearest_of(self, words: Sequence[str]) -> list[str]:
        """The known words that are likeliest meant, "" for none; many together are many times faster."""
        return [meant.form if meant else "" for meant in self.meant_by(words)]

    def meant_by(self, words: Sequence[str], but: Callable[[str, str], bool] | None = None) -> list[Meant | None]:
        """The same with costs and frequency, None for none; `but` says of a word and a known one that it is not to be taken."""
        found = {word: None if but else self._known.get(word) for word in words}
        new = [word for word, meant in found.items() if meant is None]
        for begin in range(0, len(new), self._at_once):
            best = self._search(new[begin : begin + self._at_once], but)
            found.update(best)
            if not but:
                self._remember(best)
        return [found[word] for word in words]

    def _remember(self, best: Mapping[str, Meant]) -> None:
        if len(self._known) > self._most:
            self._known.clear()
        self._known.update(best)

    def _search(self, words: Sequence[str], but: Callable[[str, str], bool] | None) -> dict[str, Meant]:
        """The best of all words one error away; where none is good, of those some errors of sound away too."""
        short = [word for word in words if 0 < len(word) <= _LONGEST]
        best = _Best(self._meant, but)
        for word, form in self._one_error_away(short):
            best.offer(word, form, None)
        for word in short:
            if len(word) >= _SHORTEST and best.cost(word) >= _SURE:
                for form, cost in self._costs.respellings(word):
                    best.offer(word, form, cost)
        return best.found

    def _one_error_away(self, words: list[str]) -> Iterator[tuple[str, str]]:
        """Words with known ones that may be listed: without an accent, with another one, with another letter."""
        yield from ((word, plain) for word in words if (plain := word.translate(PLAIN)) != word)
        longer = [word for word in words if len(word) >= _SHORTEST]
        for tried, make in (
            (words, lambda some: [accent_edits(some)]),
            (longer, lambda some: letter_edits(some, self._letters)),
        ):
            for some in make(tried) if tried else ():
                yield from some.spell(tried, self._analyses.likely(some.prints), ())

    def _meant(self, word: str, form: str, cost: float | None) -> Meant | None:
        """A form with its frequency, None when the lexicon does not list it as right."""
        readings = self._analyses.listed(form)[1]
        if not readings and not form.endswith(self._adverbs):
            return None
        lemmas = {form[: len(form) - one.cut] + one.add for one in readings if one.by == "lexicon" and TYPO not in one.features}
        cost = self._costs.of(word, form) if cost is None else cost
        if not lemmas:
            return Meant(form, cost, 0.0) if cost < 1 and self._is_adverb(form) else None
        return Meant(form, cost, self._frequencies.of(form, lemmas))

    def _is_adverb(self, form: str) -> bool:
        """Adverbs are made by rule, and nobody lists most of them."""
        return any(one.tag == "RG" and one.by == "rule" and not one.features for one in self._analyses.analyse(form))


class _Best:
    """The likeliest of what is offered for each word."""

    def __init__(self, look: Callable[[str, str, float | None], Meant | None], but: Callable[[str, str], bool] | None) -> None:
        self.found: dict[str, Meant] = {}
        self._look, self._but = look, but

    def offer(self, word: str, form: str, cost: float | None) -> None:
        """Take a form for a word if it is known and likelier than what there is; None for costs that nobody worked out."""
        meant = self._look(word, form, cost)
        if meant is None or form == word or (self._but and self._but(word, form)):
            return
        if word not in self.found or meant.rank < self.found[word].rank:
            self.found[word] = meant

    def cost(self, word: str) -> float:
        return self.found[word].cost if word in self.found else inf


@cache
def mistakes_of(code: str) -> Mistakes:
    """Those of a language folder. Not through the memory of analyses, which is no place for words that nobody wrote."""
    return Mistakes(analyser(code), letters_of(code), error_costs(code), _frequencies(code))


def _frequencies(code: str) -> Frequencies:
    model, lemmas = tagger_model.load(code), dict[str, int]()
    for convention in model.conventions.values() if model else ():
        for name, count in convention.frequencies.items():
            lemma = name.rpartition(" ")[0]
            lemmas[lemma] = max(lemmas.get(lemma, 0), count)
    return Frequencies(lemmas, model.frequent if model else ())
