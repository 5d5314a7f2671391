"""Texts cut and gathered into batches, so that the sentences of several are tagged together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from trasmallo.study import languages
from trasmallo.study.factorising import Factorised
from trasmallo.study.interned_forms import forms_of
from trasmallo.study.morphology.tagger import Plain, Tagger
from trasmallo.study.sentences import cut
from trasmallo.study.single_sentences import sentence_cutter
from trasmallo.values.arguments import checked_text
from trasmallo.values.model import Tagged

_WORDS_TOGETHER = 4096
"""Words after which a batch is closed, as many as the tagger scores at once. A text counts as one more: empty ones end too."""


class BatchedText(NamedTuple):
    """A text, cut: its words, its sentences as ranges of them, and their places; these are None for a list of words."""

    words: list[str]
    sentences: list[tuple[int, int]]
    places: tuple[Sequence[int], Sequence[int]] | None


def cut_text(text: object, language: str) -> BatchedText:
    """Cut a text, or take the words of one sentence as they are. Raises UsageError for what is neither."""
    if not isinstance(text, str):
        words = checked_words(text)
        return BatchedText(words, _one_sentence(words), None)
    single = sentence_cutter(languages.choose(language)).cut(text)
    if single is not None:
        return BatchedText(single.words, single.sentences, (single.starts, single.ends))
    tokens, sentences = cut(text, language)
    return BatchedText(tokens.words, sentences, (tokens.starts, tokens.ends))


def _one_sentence(words: Sequence[str]) -> list[tuple[int, int]]:
    return [(0, len(words))] if words else []


def checked_words(words: object) -> list[str]:
    """The words of a sentence that a script hands in. Raises UsageError for what is no text, or no list of texts."""
    if not isinstance(words, Sequence) or isinstance(words, bytes | bytearray):
        return [checked_text(words, "text")]
    if set(map(type, words)) <= {str}:
        return list(words)
    return [checked_text(word, "text") for word in words]


def batches(texts: Iterable[object], language: str) -> Iterator[list[BatchedText]]:
    """The texts in order, cut; some thousand words together, a longer text by itself or behind shorter ones."""
    batch: list[BatchedText] = []
    size = 0
    for text in texts:
        batch.append(cut_text(text, language))
        size += 1 + len(batch[-1].words)
        if size >= _WORDS_TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def tag_batch(batch: Sequence[BatchedText], tagger: Tagger | Plain) -> Iterator[list[Tagged]]:
    """The words of each text in their context."""
    bounds = list(pairwise(accumulate((len(text.words) for text in batch), initial=0)))
    ranges = [
        (begin + first, begin + last) for text, (begin, _) in zip(batch, bounds, strict=True) for first, last in text.sentences
    ]
    words = list(chain.from_iterable(text.words for text in batch))
    found: Factorised[Tagged] = tagger.tag_sentences(forms_of(words), ranges)
    tagged = found.spread()
    for text, (begin, end) in zip(batch, bounds, strict=True):
        yield placed(tagged[begin:end], *text.places) if text.places else tagged[begin:end]


def placed(tagged: Iterable[Tagged], starts: Iterable[int], ends: Iterable[int]) -> list[Tagged]:
    """Readings at their places in a text."""
    return [
        Tagged(one.word, one.lemma, one.category, one.features, one.clitics, start, end)
        for one, start, end in zip(tagged, starts, ends, strict=True)
    ]
