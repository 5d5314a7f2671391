"""Own models: trained from labelled sentences, tested, cross-validated; and the labels that any model gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from trasmallo.study.entities import markov, sequence_training
from trasmallo.study.entities.evaluation import Evaluation, Label, evaluate
from trasmallo.study.entities.evaluation import spans as marked
from trasmallo.study.entities.finder import common_words, names_of
from trasmallo.study.entities.found import found_in, kinds_file
from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.markov import MarkovTagger
from trasmallo.study.entities.model_files import MarkovModel, Model, SequenceModel
from trasmallo.study.entities.own_finder import finder_of
from trasmallo.study.entities.sequence_tagger import LabelledName, SequenceTagger
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.languages import choose
from trasmallo.study.morphology import tag_many, tag_text, tag_types
from trasmallo.study.sentences import cut
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Entity

Method = Literal["crf", "hmm"]
Labelled = Sequence[tuple[str, str]]
_FEWEST = 2  # one to train on, one to test


def train_model(sentences: Sequence[Labelled], method: Method, language: str, made_from: str) -> Model:
    """A model of sentences with labels. Raises UsageError where a method needs a package that is not installed."""
    if method == "hmm":
        return markov.train(sentences, language=language, made_from=made_from)
    words = [[word for word, _ in sentence] for sentence in sentences]
    tags = [[one.category for one in tagged] for tagged in tag_many(words, language)]
    common = common_words(choose(language))
    return sequence_training.train(sentences, tags, common, language=language, made_from=made_from)


def labeller(model: Model | None, language: str) -> Label:
    """What labels words with a model; without one with that of the language."""
    if isinstance(model, MarkovModel):
        return MarkovTagger(model).label
    tagger = SequenceTagger(model, common_words(choose(language))) if isinstance(model, SequenceModel) else None

    def label(words: Sequence[str]) -> list[str]:
        tags = [one.category for one in tag_text(list(words), language)]
        return as_labels(names_of([words], [tags], language, tagger)[0], len(words))

    return label


def as_labels(names: Sequence[LabelledName], size: int) -> list[str]:
    """BIO labels of a sentence of so many words."""
    labels = ["O"] * size
    for one in names:
        labels[one.start : one.end] = [f"B-{one.kind}", *[f"I-{one.kind}"] * (one.end - one.start - 1)]
    return labels


def cross_validate(
    sentences: Sequence[Labelled], method: Method, language: str, folds: int, told: Callable[[int], None] = lambda _: None
) -> Evaluation:
    """A test of every sentence by a model of the others, `folds` times. Raises UsageError for fewer sentences than folds."""
    if not _FEWEST <= folds <= len(sentences):
        raise UsageError(
            "{folds} folds of {count} sentences",
            "choose from 2 to as many as there are sentences",
            folds=folds,
            count=len(sentences),
        )
    labels: dict[int, Sequence[str]] = {}
    for fold in range(folds):
        told(fold)
        kept = [one for place, one in enumerate(sentences) if place % folds != fold]
        label = labeller(train_model(kept, method, language, "cross-validation"), language)
        labels |= {place: label([word for word, _ in sentences[place]]) for place in range(fold, len(sentences), folds)}
    answers = _in_order(labels)
    return evaluate(sentences, lambda _: next(answers))


def _in_order(labels: dict[int, Sequence[str]]) -> Iterator[Sequence[str]]:
    return (labels[place] for place in sorted(labels))


def entities_with(model: Model, text: str, language: str, kinds: str | Path = "") -> list[Entity]:
    """The entities of a text, names by a user's model in the place of ours; `kinds` as for `found.entities`."""
    found = cut(text, language)
    tokens = found.tokens
    label = labeller(model, language)
    spans = []
    for low, high in found.sentences:
        for start, end, kind in marked(label(tokens.words[low:high])):
            spans.append(FoundSpan(tokens.starts[low + start], tokens.ends[low + end - 1], kind, "", "model"))
    readings = tag_types(found, language).spread()
    own = finder_of(str(kinds_file(kinds)), language) if kinds else None
    return found_in(TaggedText(text, found, readings, language), names=spans, own=own)
