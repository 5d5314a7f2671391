"""Which kind of word an unlisted one is, with the probability of each: by itself, and by what stands around it.

What a word says by itself is worked out once and remembered (`kept_words`). What stands around it is added for each occurrence,
or as the mean over all occurrences of a corpus.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from trasmallo.study.unlisted.kept_words import KeptWords, Known, kept_words
from trasmallo.study.unlisted.kind_model import KindModel, Scores, WordFacts, load, probabilities
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind
from trasmallo.study.unlisted.signs import SIGNS, Sign
from trasmallo.study.unlisted.word_facts import Gatherer, gatherer_of

_MOST_KNOWN = 50_000
"""Words that are remembered. Judgement: some megabytes."""


_FOREIGN, _CERTAIN = TOLD_APART.index(Kind.FOREIGN), 8.0
"""What is added to the score of a kind that leaves little doubt. Judgement: odds of three thousand to one."""


_ALIKE, _FREQUENT, _COMMON, _SOUNDS_ALIKE = 1.5, 3.0, 2, 2.0
"""What errors of sound cost at the most, how frequent (as a logarithm) or how common (`kind_model.COMMON`) a word is that is
misspelt often, and what that adds to the score of a mistake: the lexicon lists spellings side by side, which training took for
new words. Calibrated on `tests/quality/unlisted/tuning.tsv`."""
_LONG, _ONE_LETTER, _VERY_COMMON, _OFTEN, _NEAR_COMMON = 6, 4.5, 3, 2.0, 3.0
"""Letters of a word, what its error costs at the most, how common and how frequent the word near it is at the least, and what
that adds to the score of a mistake: training made few errors of other letters (temparatura), and new words have a letter
more than a common one (perreo) sooner than another. Calibrated on misspellings of words of the treebank GSD, and on the
candidates of `tests/quality/unlisted`, none of which is as near."""
_MISTAKE, _ABBREVIATION = TOLD_APART.index(Kind.MISTAKE), TOLD_APART.index(Kind.ABBREVIATION)


_NAME, _OPENS_BEFORE_VERB = TOLD_APART.index(Kind.NAME), SIGNS.index(Sign.OPENS_BEFORE_VERB)
_SUBJECT = 2.0
"""What is added to the score of a name that opens a sentence before its verb: training cuts sentences at nouns whose article
stands before, which nobody writes. Calibrated on `tests/quality/unlisted`, without the fifth set."""


_CONSONANTS = re.compile("[bcdfghjklmnñpqrstvwxz]{2,5}")
_UNREADABLE = 3.0
"""What is added to the score of an abbreviation that nobody can read aloud (vs, ctrl, kWh). Judgement."""


class Classifier:
    """That of one language; `kept` is what earlier processes worked out."""

    def __init__(self, model: KindModel, gatherer: Gatherer, most: int = _MOST_KNOWN, kept: KeptWords | None = None) -> None:
        self.model = model
        self._gatherer, self._most, self._kept = gatherer, most, kept
        self._known: dict[str, Known] = {}
        self._is_news = False

    def known(self, words: Sequence[str]) -> list[Known]:
        """What words, given as keys, say by themselves."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if len(self._known) + len(new) > self._most:
            self._known.clear()
            new = list(dict.fromkeys(words))
        if self._kept is not None:
            self._known |= self._kept.find(new)
        self._learn([word for word in new if word not in self._known])
        return [self._known[word] for word in words]

    def keep(self) -> None:
        """Have what is remembered at hand in later processes."""
        if self._kept is not None and self._is_news:
            self._kept.save(self._known)
            self._is_news = False

    def _learn(self, new: Sequence[str]) -> None:
        """Work out what words say by themselves that nobody remembers."""
        self._is_news |= bool(new)
        facts = self._gatherer.facts_of(new)
        for one, scores in zip(facts, self.model.word_scores(facts), strict=True):
            scores[_MISTAKE] += self._more_of_mistakes(one)
            if "-" in one.word and not (one.formed or one.derived) and self._has_foreign_part(one.word):
                scores[_FOREIGN] += _CERTAIN
            if not one.misspelt and _CONSONANTS.fullmatch(one.word):
                scores[_ABBREVIATION] += _UNREADABLE
            if self._gatherer.is_short_form(one.word):
                scores[_ABBREVIATION] += _CERTAIN
            self._known[one.word] = Known(scores, one.meant)

    def _more_of_mistakes(self, one: WordFacts) -> float:
        """What is added to the score of a mistake: the lexicon has it as one, nothing is near, or it sounds like a word.

        A recent word that free lists have is none beside a rare word (escrache, escarche).
        """
        if one.misspelt:
            return _CERTAIN / 2
        if one.meant is None or (one.word in self.model.recent and one.meant.frequency < _OFTEN):
            return -_CERTAIN
        if self._sounds_alike(one):
            return _SOUNDS_ALIKE
        return _NEAR_COMMON if self._is_near_common(one) else 0.0

    def _is_near_common(self, one: WordFacts) -> bool:
        """Whether a long word is a letter away from a common one, and nothing says why else."""
        if one.meant is None or one.formed or one.derived or len(one.word) < _LONG:
            return False
        near = _ALIKE < one.meant.cost <= _ONE_LETTER and len(one.word) <= len(one.meant.form)
        often = one.meant.frequency >= _OFTEN and one.common >= _VERY_COMMON
        return near and often and one.word not in self.model.foreign and one.word not in self.model.names

    def _sounds_alike(self, one: WordFacts) -> bool:
        """Whether a word is written as one that is often met sounds."""
        if one.meant is None or one.meant.cost > _ALIKE or one.word in self.model.foreign:
            return False
        return one.meant.frequency >= _FREQUENT or one.common >= _COMMON

    def _has_foreign_part(self, word: str) -> bool:
        """Whether a word with hyphens has a part of another language: most are names of programs (full-upgrade)."""
        return any(part in self.model.foreign for part in word.split("-"))

    def probabilities(self, words: Sequence[str], shares: Scores) -> Scores:
        """The probability of each kind (`TOLD_APART`); `shares` has a row a word, a column a sign (`signs.shares`)."""
        if not words:
            return np.zeros((0, len(TOLD_APART)))
        scores = np.array([one.scores for one in self.known(words)]) + self.model.sign_scores(shares)
        scores[:, _NAME] += _SUBJECT * shares[:, _OPENS_BEFORE_VERB]
        return probabilities(scores)

    def nearest(self, words: Sequence[str]) -> list[str]:
        """The words that these are meant for if they are misspelt."""
        return [one.meant.form if one.meant else "" for one in self.known(words)]


@cache
def classifier_of(code: str) -> Classifier | None:
    """The classifier of a language folder, None where nothing was learnt of it."""
    model = load(code)
    return Classifier(model, gatherer_of(code), kept=kept_words(code)) if model else None
