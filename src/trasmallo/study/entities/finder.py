"""Names of sentences by the model that ships with a language, whatever the case they are written in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from trasmallo.study import languages
from trasmallo.study.entities import restored_case
from trasmallo.study.entities.model_files import SequenceModel, unpack
from trasmallo.study.entities.name_rules import amended
from trasmallo.study.entities.sequence_tagger import LabelledName, SequenceTagger
from trasmallo.study.entities.word_features import Common
from trasmallo.study.morphology import words_of

MODEL = "entities.model"


@cache
def common_words(language: str) -> Common:
    """Tells the categories that a lexicon has for a word in lower case, names left out."""
    analyses = words_of(language)

    @cache
    def common(word: str) -> str:
        found = {one.category[0] for one in analyses.analyse(word) if one.by == "lexicon" and one.category != "PROPN"}
        return "".join(sorted(found))

    return common


@cache
def shipped(language: str) -> SequenceTagger | None:
    """The model of a language, None where it has none."""
    found = languages.load(language)
    if not found.has(MODEL):
        return None
    model = unpack(found.content(MODEL), MODEL)
    assert isinstance(model, SequenceModel)
    return SequenceTagger(model, common_words(languages.choose(language)))


def restored(words: Sequence[str], common: Common) -> Sequence[str]:
    """The words of a sentence with the case that ordinary writing would have."""
    if restored_case.is_upper(words):
        return restored_case.lowered(words, common)
    return restored_case.raised(words, common) if restored_case.is_lower(words) else words


def names_of(
    sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], language: str, tagger: SequenceTagger | None = None
) -> list[list[LabelledName]]:
    """The names of each sentence, whose words have these categories; none in a language without a model.

    Those of the shipped model are amended by rules; another `tagger` says what it has learnt.
    """
    model = tagger or shipped(language)
    if model is None:
        return [[] for _ in sentences]
    common = common_words(languages.choose(language))
    usual = [restored(words, common) for words in sentences]
    found = model.names(usual, tags)
    return found if tagger else [amended(words, names, language) for words, names in zip(usual, found, strict=True)]
