"""Measures of a document by its words: how many, how rich, how readable; and how often each word occurs in a text.

A word is counted under its key (`tokenise.key`): lower case, NFC.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import msgspec
import numpy as np

from trasmallo.study import languages
from trasmallo.study.factorising import Factorised
from trasmallo.study.interned_forms import Facts
from trasmallo.study.languages.parts import Readability, TextSize
from trasmallo.study.measures.richness import Richness, richness, said_before
from trasmallo.study.patterns import ALPHABETIC, PUNCTUATION
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.stop_lists import StopList
from trasmallo.study.tokenise import TokenColumns, count_words, key, keys_of, lengths_of
from trasmallo.values.arrays import Whole
from trasmallo.values.model import Document, Tagged


class GrowthPart(msgspec.Struct, frozen=True):
    """A part of a growth profile: its words, and those of them that appear in the text for the first time."""

    words: int
    new: int


class WordOptions(msgspec.Struct, frozen=True):
    """What counts as a word: none of `stop`, and when `only` is given none but its words; `parts` of the profile."""

    parts: int = 10
    stop: StopList | None = None
    only: StopList | None = None

    def wants(self, word: str, lemma: str = "") -> bool:
        """Whether a word, by its key and that of its lemma, counts."""
        return not (self.stop and self.stop.lists(word, lemma)) and (self.only is None or self.only.lists(word, lemma))


OptionStretch = tuple[WordOptions, int]
"""What counts in a stretch of so many tokens: the lists of its language."""


class DocumentStudy(msgspec.Struct, frozen=True):
    """What a document's words say; `tokens` has the punctuation too."""

    id: str
    language: str
    tokens: int
    sentences: int
    richness: Richness
    readability: Readability
    profile: tuple[GrowthPart, ...]


def count(text: str, language: str = languages.GENERIC) -> Counter[str]:
    """How often each word occurs in a text; punctuation is not counted."""
    counts: Counter[str] = Counter()
    for word, times in count_words(text, language).items():
        counts[key(word)] += times
    return counts


def profile(before: Whole, parts: int = 10) -> tuple[GrowthPart, ...]:
    """The growth of a text's vocabulary: for each of `parts` equal parts its words and its new words (DAWeb, 2.2.5).

    Takes `said_before`.
    """
    new = before < 0
    ends = [part * len(new) // parts for part in range(parts + 1)]
    return tuple(GrowthPart(last - first, int(np.count_nonzero(new[first:last]))) for first, last in pairwise(ends))


def study_document(document: Document, options: WordOptions | None = None) -> DocumentStudy:
    """Tokenise and count one document in its own language."""
    text = cut(document.text, document.language)
    return study_cut(document, text, [(options or WordOptions(), len(text.tokens))])


def study_cut(
    document: Document, text: Cut, options: Sequence[OptionStretch], tagged: Factorised[Tagged] | None = None
) -> DocumentStudy:
    """Measure one document that has been cut; `tagged` are its tokens in their context, by which lists know lemmas."""
    tokens, sentences = text
    words = _chosen(tokens, options, tagged)
    before = said_before(words)
    return DocumentStudy(
        id=document.id,
        language=tokens.language,
        tokens=len(tokens),
        sentences=len(sentences),
        richness=richness(words, before),
        readability=_readability(text),
        profile=profile(before, options[0][0].parts if options else WordOptions().parts),
    )


def _chosen(cut: TokenColumns, options: Sequence[OptionStretch], tagged: Factorised[Tagged] | None) -> Whole:
    """The numbers of the words that count under the options, in order; forms with the same key have the same number."""
    forms, is_word = cut.forms, np.frombuffer(cut.kinds, np.uint8) != PUNCTUATION
    keys, numbers = np.unique(keys_of(forms), return_inverse=True)
    words: Whole = numbers[forms.rows[is_word]]
    if all(one.stop is None and one.only is None for one, _ in options):
        return words
    texts = list(map(forms.vocabulary.words.__getitem__, keys.tolist()))
    stretch = np.repeat(np.arange(len(options)), [length for _, length in options])[is_word]
    readings = np.zeros_like(words) if tagged is None else tagged.rows[is_word]
    lemmas = [""] if tagged is None else [key(reading.lemma) for reading in tagged.values]
    kinds, rows = np.unique(np.stack((words, readings, stretch)), axis=1, return_inverse=True)
    wanted = [options[place][0].wants(texts[word], lemmas[reading]) for word, reading, place in kinds.T.tolist()]
    return words[np.array(wanted, np.bool_)[rows.reshape(-1)]]


@cache
def _syllables_of(code: str) -> Facts | None:
    """The syllables of forms, None for a language that does not count them."""
    measuring = languages.load(code).measuring
    return Facts(lambda words: list(map(measuring.syllables, words))) if measuring else None


def _readability(text: Cut) -> Readability:
    alphabetic, forms = np.frombuffer(text.tokens.kinds, np.uint8) == ALPHABETIC, text.tokens.forms
    measuring, spoken = languages.load(text.tokens.language).measuring, _syllables_of(text.tokens.language)
    if measuring is None or spoken is None or not alphabetic.any():
        return Readability()
    sentences = np.count_nonzero(np.logical_or.reduceat(alphabetic, [first for first, _ in text.sentences]))
    counts = np.bincount(forms.rows[alphabetic], minlength=len(forms.numbers))
    size = TextSize(
        sentences=int(sentences),
        words=int(counts.sum()),
        syllables=int(counts @ spoken(forms)),
        letters=int(counts @ lengths_of(forms)),
    )
    return measuring.measure(size)
