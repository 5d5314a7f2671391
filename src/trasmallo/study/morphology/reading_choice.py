"""Which of a word's analyses is meant when its category is known: one lemma and one set of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trasmallo.study.morphology.lexical import SECOND_VERB, Analyses, category_of
from trasmallo.study.morphology.tagger_model import Convention, verb_frequencies
from trasmallo.study.morphology.tags import Tags, only, pairs
from trasmallo.values.model import Analysis, Tagged

_AS_WRITTEN = ("PROPN", "PUNCT", "SYM", "X")
# Categories whose lemma is not taken from a reading in another category.
_OWN_LEMMA = ("NOUN", "ADJ", "NUM", *_AS_WRITTEN)
_VERBS = ("VERB", "AUX")
_DEGREE = "Degree="


class ReadingChoice:
    """The choices of one convention: what training saw of the form, else the most frequent of the analyses.

    `verbs` says how frequent verbs are, and so which is a form's second one: the same in all conventions of a model.
    """

    def __init__(self, convention: Convention, analyses: Analyses, tags: Tags, verbs: Mapping[str, int] | None = None) -> None:
        self._convention = convention
        self._verbs = verb_frequencies([convention]) if verbs is None else verbs
        self._analyses = analyses
        self._tags = tags
        self._known: dict[tuple[str, str, str], str] = {}

    def choose(self, word: str, label: str) -> Tagged:
        """A word in a category, or as a form of the second of its verbs."""
        low, category = word.lower(), category_of(label)
        found, named = self._best(word, low, label), f"{low} {label}"
        lemma = self._convention.lemmas.get(named)
        if lemma is None:
            lemma = word if category in _AS_WRITTEN else found.lemma if found else low
        features = self._convention.features.get(named)
        if features is None:
            features = self._features(found, category) if found else ""
        return Tagged(word, lemma, category, features, found.clitics if found else ())

    def _best(self, word: str, low: str, label: str) -> Analysis | None:
        readings, category = self._analyses.analyse(word), category_of(label)
        fitting = [found for found in readings if found.category == category]
        if not fitting and category in _VERBS:
            fitting = [found for found in readings if found.category in _VERBS]
        if not fitting and category not in _OWN_LEMMA:
            fitting = readings
        if not fitting or fitting[0].by == "guess":
            return self._analyses.guess(low, category)
        if len(fitting) == 1:
            return fitting[0]
        if category == "VERB":
            ranked = ranked_verbs(fitting, low, self._verbs)
            return ranked[1] if label == SECOND_VERB and len(ranked) > 1 else ranked[0]
        fitting = _without_plain_words(fitting)
        frequencies = self._convention.frequencies
        # Of lemmas that training never met that which the form continues: hijas is hija sooner than hijo.
        return max(fitting, key=lambda found: (frequencies.get(f"{found.lemma} {category}", 0), low.startswith(found.lemma)))

    def _features(self, found: Analysis, category: str) -> str:
        """Of several sets of features the one that is most frequent in the category."""
        if " " not in found.tag:
            return found.features
        key = (found.tag, found.features, category)
        if key not in self._known:
            self._known[key] = self._most_frequent(found, category)
        return self._known[key]

    def _most_frequent(self, found: Analysis, category: str) -> str:
        names = [name for name, _ in pairs(found.features)]
        several = [only(self._tags.read(tag)[1], names) for tag in found.tag.split(" ")]
        return max(several, key=lambda features: self._convention.bundles.get(f"{category} {features}", 0))


def _without_plain_words(readings: list[Analysis]) -> list[Analysis]:
    """Without the plain word of a diminutive that is listed as a word of its own: in a text bolsillo is no small bolso.

    In the treebanks all such words have their own lemma (37 of 37 in the parts looked at).
    """
    own = [found for found in readings if found.by == "lexicon"]
    return [found for found in readings if found.by == "lexicon" or _DEGREE not in found.features] if own else readings


def ranked_verbs(readings: Sequence[Analysis], low: str, frequencies: Mapping[str, int]) -> list[Analysis]:
    """Of each verb among the readings of a form the first one; the most frequent verb first."""
    distinct: dict[str, Analysis] = {}
    for found in readings:
        distinct.setdefault(found.lemma, found)
    return sorted(
        distinct.values(), key=lambda found: (frequencies.get(found.lemma, 0), low.startswith(found.lemma)), reverse=True
    )


def second_verb(readings: Sequence[Analysis], low: str, frequencies: Mapping[str, int]) -> str:
    """The lemma that the label `SECOND_VERB` stands for; "" for a form of less than two verbs."""
    ranked = ranked_verbs([found for found in readings if found.category == "VERB"], low, frequencies)
    return ranked[1].lemma if len(ranked) > 1 else ""
