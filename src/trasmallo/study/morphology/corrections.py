"""The known word that a misspelt one was likeliest meant for: by how people misspell, and by how frequent it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf, log
from typing import NamedTuple

import numpy as np

from trasmallo.study.morphology import tagger_model
from trasmallo.study.morphology.analyser import Analyser, analyser
from trasmallo.study.morphology.error_costs import ErrorCosts, error_costs
from trasmallo.study.morphology.fingerprints import fingerprints
from trasmallo.study.morphology.letter_model import Letters, letters_of
from trasmallo.study.morphology.single_edits import accent_edits, letter_edits
from trasmallo.study.morphology.stress import ACCENTED, PLAIN
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
_SHORTEST_WITHOUT_ACCENT = 5
"""Letters of a word that may lack its accent and have another error as well. Judgement: shorter ones are near too many."""
_JOINED, _SHORTEST_JOINED, _FREQUENT_JOINED = 2.0, 5, 2.5
"""What it costs to write two words as one, the letters of the longer one at least, and how frequent it is, as a logarithm.
Judgement: rarer and shorter ones are found in any word."""
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

    def accented(self) -> dict[str, str]:
        """Words with an accent by how they are written without it, where that is no other of them; the likeliest each."""
        known = self._forms | self._lemmas.keys()
        found: dict[str, str] = {}
        for word in sorted(known, key=lambda word: (self._lemmas.get(word, 0), word)):
            if word.isalpha() and (plain := word.translate(PLAIN)) != word and plain not in known:
                found[plain] = word
        return found


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
        self._accented = frequencies.accented()
        self._without_accent = np.sort(fingerprints(list(self._accented)))
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
        """The best of all words one error away; where none is good, of those that lack an accent or sound alike as well."""
        short = [word for word in words if 0 < len(word) <= _LONGEST]
        best = _Best(self._meant, but)
        for word, form in self._one_error_away(short):
            best.offer(word, form, None)
        self._offer_alike([word for word in short if len(word) >= _SHORTEST and best.cost(word) >= _SURE], best)
        for word, plain in self._accent_lost([word for word in short if best.cost(word) >= _SURE]):
            best.offer(word, self._accented[plain], self._costs.of(word, plain) + self._costs.missing)
        for word in short:
            if word not in best.found and (form := self._with_pronouns(word)):
                best.offer_meant(word, Meant(form, self._costs.missing, 0.0))
            for meant in self._joined(word) if best.cost(word) > _JOINED else ():
                best.offer_meant(word, meant)
        return best.found

    def _offer_alike(self, words: list[str], best: _Best) -> None:
        """Words that sound alike, with the accent that they may lack."""
        made = [(word, form, cost) for word in words for form, cost in self._costs.respellings(word) if form]
        # A word has some fifty, next to none of which is a word; adverbs are the ones that nobody need list.
        likely = np.zeros(len(made), np.bool_)
        likely[self._analyses.likely(fingerprints([form for _, form, _ in made]))] = True
        for (word, form, cost), may_be in zip(made, likely.tolist(), strict=True):
            if may_be or form.endswith(self._adverbs):
                best.offer(word, form, cost)
            if form in self._accented:
                best.offer(word, self._accented[form], cost + self._costs.missing)

    def _joined(self, word: str) -> Iterator[Meant]:
        """Two words that were written together (lafunción): a small one, and a frequent one or another small one."""
        for one, other in self._costs.splits(word):
            longer = max(one, other, key=len)
            meant = self._meant(word, longer, _JOINED) if len(longer) >= _SHORTEST_JOINED else None
            if meant and meant.frequency >= _FREQUENT_JOINED:
                yield meant._replace(form=f"{one} {other}")

    def _with_pronouns(self, word: str) -> str:
        """The verb with pronouns that a word without its accent is (haciendose), which nobody lists; "" for none."""
        if not any(one.clitics and TYPO in one.features for one in self._analyses.analyse(word)):
            return ""
        accented = (word[:place] + letter.translate(ACCENTED) + word[place + 1 :] for place, letter in enumerate(word))
        return next((form for form in accented if form != word and self._takes_pronouns(form)), "")

    def _takes_pronouns(self, form: str) -> bool:
        return any(one.clitics and TYPO not in one.features for one in self._analyses.analyse(form))

    def _accent_lost(self, words: list[str]) -> Iterator[tuple[str, str]]:
        """Words with what frequent ones are without their accent, one letter away (telefno is near telefono)."""
        tried = [word for word in words if len(word) >= _SHORTEST_WITHOUT_ACCENT and word.translate(PLAIN) == word]
        for some in letter_edits(tried, self._letters) if tried and self._accented else ():
            places = np.minimum(np.searchsorted(self._without_accent, some.prints), len(self._without_accent) - 1)
            near = some.spell(tried, np.flatnonzero(self._without_accent[places] == some.prints), ())
            yield from ((word, plain) for word, plain in near if plain in self._accented)

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
        if meant is not None:
            self.offer_meant(word, meant)

    def offer_meant(self, word: str, meant: Meant) -> None:
        """The same of a form that is looked up."""
        if meant.form == word or (self._but and self._but(word, meant.form)):
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
