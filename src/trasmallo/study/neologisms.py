"""Words that nobody lists: each occurrence with its context, what kind of word it is, and which of a corpus deserve a look.

What the lexicon has, and what regular inflection makes of it (pronouns behind verbs, adverbs, diminutives), is recognised. The
rest is told apart by `unlisted.classifier`: names, foreign words, misspellings, abbreviations, words formed by rule; what is
left are the candidates. A language without a model is judged by capitals, spelling and neighbours alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log2
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.contexts import contexts
from trasmallo.study.morphology.corrections import mistakes_of
from trasmallo.study.morphology.rules import load
from trasmallo.study.patterns import ALPHABETIC, ALPHANUMERIC, KINDS, OTHER
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.tokenise import keys_of, lengths_of
from trasmallo.study.unlisted.classifier import Classifier, classifier_of
from trasmallo.study.unlisted.kind_model import recent_words
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind
from trasmallo.study.unlisted.signs import SIGNS, Sign, shares, signs_of
from trasmallo.study.unlisted.word_facts import (
    DIMINUTIVE,
    FORMED,
    GUESSED,
    LISTED,
    MISSPELT,
    NEUTRAL,
    RECOGNISED,
    SAID,
    status_of,
)
from trasmallo.values.arrays import Whole

__all__ = ["Kind", "Neologism", "Occurrence", "Unrecognised", "UnrecognisedWords", "rank", "unrecognised", "unrecognised_in"]

_MAY_BE_SEQUENCE = np.isin(np.arange(len(KINDS)), (ALPHANUMERIC, OTHER))


class Unrecognised(msgspec.Struct, frozen=True, kw_only=True):
    """An occurrence: `context` is at most 80 characters of the text around it, `nearest` the word that a mistake stands for.

    `probability` is that of its kind, 1 where the way it is written leaves no choice or nothing was learnt of the language;
    `known` whether free lists have had the word for years.
    """

    word: str
    start: int
    end: int
    kind: Kind
    nearest: str
    context: str
    probability: float = 1.0
    known: bool = False


class UnrecognisedWords(NamedTuple):
    """The occurrences of a text as columns: places of tokens, keys of words, the rest as above, words as written, signs."""

    places: Whole
    words: list[str]
    kinds: list[Kind]
    nearest: list[str]
    contexts: list[str]
    written: list[str]
    signs: list[int]
    probabilities: list[float]


class Occurrence(msgspec.Struct, frozen=True):
    """A word that was not recognised in a document: its key, kind, and where and when (seconds since 1970) the document was."""

    word: str
    kind: Kind
    url: str
    site: str
    at: float


class Neologism(msgspec.Struct, frozen=True):
    """A word of a corpus that nobody lists, with its use; `first_url` and `first_at` are those of its earliest document."""

    word: str
    kind: Kind
    frequency: int
    documents: int
    sites: int
    days: int
    first_url: str
    first_at: float
    score: float


def unrecognised(text: str, language: str = "es") -> Iterator[Unrecognised]:
    """Every occurrence of a word that is not recognised, in order; single letters are passed over."""
    whole = cut(text, language)
    tokens, found = whole.tokens, unrecognised_in(whole, language)
    recent = recent_words(languages.choose(language))
    for row, place in enumerate(found.places.tolist()):
        yield Unrecognised(
            word=found.written[row],
            start=tokens.starts[place],
            end=tokens.ends[place],
            kind=found.kinds[row],
            nearest=found.nearest[row],
            context=found.contexts[row],
            probability=found.probabilities[row],
            known=found.words[row] in recent,
        )


def unrecognised_in(text: Cut, language: str = "es", beside: Sequence[str] = ()) -> UnrecognisedWords:
    """The same of a text that has been cut, as columns; words that languages `beside` its own list are passed over."""
    code = languages.choose(language)  # what is remembered is by folder: pages may name any number of languages
    tokens, forms = text.tokens, text.tokens.forms
    places, status, strange = _unlisted(text, code)
    places, status = _without_known(text, places, status, [languages.choose(one) for one in beside])
    words = list(map(forms.vocabulary.words.__getitem__, keys_of(forms)[forms.rows[places]].tolist()))
    signs = signs_of(text, places, strange, code)
    kinds, nearest, sure = _judged(words, np.frombuffer(tokens.kinds, np.uint8)[places], status, signs, code)
    starts, ends = np.asarray(tokens.starts, np.int64)[places], np.asarray(tokens.ends, np.int64)[places]
    written = [tokens.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return UnrecognisedWords(places, words, kinds, nearest, contexts(tokens.text, starts, ends), written, signs.tolist(), sure)


def _unlisted(text: Cut, code: str) -> tuple[Whole, Whole, NDArray[np.bool_]]:
    """The places of words that are not recognised with what is said of them, and which of all tokens are unknown and small.

    Diminutives made by rule are recognised, but for those that begin with a capital inside a sentence: names end so (Medina,
    Quintín).
    """
    kinds = np.frombuffer(text.tokens.kinds, np.uint8)
    alphabetic, status = kinds == ALPHABETIC, np.zeros(len(kinds), np.int64)
    status[alphabetic] = status_of(code).each(text.tokens.forms, alphabetic)
    places = np.flatnonzero((_MAY_BE_SEQUENCE[kinds] | (status != LISTED)) & (lengths_of.each(text.tokens.forms) > 1))
    strange = status & GUESSED > 0
    regular = np.flatnonzero((status[places] & SAID == RECOGNISED) & alphabetic[places])
    may_be_names = regular[status[places[regular]] & DIMINUTIVE > 0]
    inside = signs_of(text, places[may_be_names], strange, code) & int(Sign.CAPITAL_INSIDE) > 0
    kept = np.ones(len(places), np.bool_)
    kept[regular] = False
    kept[may_be_names[inside]] = True
    return places[kept], status[places[kept]], strange


def _without_known(text: Cut, places: Whole, status: Whole, codes: Sequence[str]) -> tuple[Whole, Whole]:
    """Without words that other languages list: a stretch is told by most of its words, not by each."""
    for code in codes:
        kinds = np.frombuffer(text.tokens.kinds, np.uint8)
        others = status_of(code).each(text.tokens.forms, places) & SAID
        kept = (others > RECOGNISED) | (kinds[places] != ALPHABETIC)
        places, status = places[kept], status[kept]
    return places, status


def _judged(
    words: list[str], token_kinds: NDArray[np.uint8], status: Whole, signs: Whole, code: str
) -> tuple[list[Kind], list[str], list[float]]:
    """The kinds of words, what the mistakes among them stand for, and how likely the kinds are."""
    kinds, nearest, sure = [Kind.SEQUENCE] * len(words), [""] * len(words), [1.0] * len(words)
    abbreviated = np.fromiter((word.endswith(".") for word in words), np.bool_, len(words))
    neutral = (status & NEUTRAL > 0) & ~abbreviated
    for there, kind in ((abbreviated, Kind.ABBREVIATION), (neutral, Kind.INCLUSIVE)):
        for row in np.flatnonzero(there).tolist():
            kinds[row] = kind
    open_to = np.flatnonzero(~abbreviated & ~neutral & (token_kinds == ALPHABETIC) & (signs & int(Sign.IN_CODE) == 0)).tolist()
    if not open_to:
        return kinds, nearest, sure
    classifier = classifier_of(code)
    some, theirs, said = [words[row] for row in open_to], signs[open_to], status[open_to]
    found = _by_model(classifier, some, theirs) if classifier else _by_rules(code, some, theirs, said)
    for row, one in zip(open_to, found, strict=True):
        kinds[row], nearest[row], sure[row] = one
    return kinds, nearest, sure


_Judgement = tuple[Kind, str, float]
_SURELY_NAME = 0.98
"""What is said of a capital inside a sentence without more work. Calibrated on AnCora and GSD: 98.7 % of their 3,660 such words
that nobody lists are names."""


def _by_model(classifier: Classifier, words: list[str], signs: Whole) -> list[_Judgement]:
    """A word is of one kind in a text, by the mean of its places; a capital inside sentences and no small letter make a name.

    Of names there are too many to look for words near each.
    """
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    rows = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
    means = np.zeros((len(numbers), len(SIGNS)))
    np.add.at(means, rows, shares(signs))
    means /= np.bincount(rows, minlength=len(numbers))[:, None]
    named = (means[:, _INSIDE] > 0) & (means[:, _SMALL] == 0)
    asked = np.flatnonzero(~named).tolist()
    different = list(numbers)
    some = [different[number] for number in asked]
    likely = classifier.probabilities(some, means[asked])
    found: list[_Judgement] = [(Kind.NAME, "", _SURELY_NAME)] * len(numbers)
    for number, row, near in zip(asked, likely, classifier.nearest(some), strict=True):
        kind = TOLD_APART[int(row.argmax())]
        found[number] = kind, near if kind is Kind.MISTAKE else "", round(float(row.max()), 4)
    return [found[row] for row in rows.tolist()]


_INSIDE, _SMALL = SIGNS.index(Sign.CAPITAL_INSIDE), SIGNS.index(Sign.SMALL)


def _by_rules(code: str, words: list[str], signs: Whole, status: Whole) -> list[_Judgement]:
    """Without a model: a capital makes a name, a known word near it a mistake, foreign letters or neighbours a foreign word."""
    is_foreign = _foreign(code)
    near = mistakes_of(code).nearest_of(words)
    capital = Sign.CAPITAL_INSIDE | Sign.CAPITAL_FIRST | Sign.CAPITALS | Sign.MIXED
    found: list[_Judgement] = []
    for word, sign, said, meant in zip(words, signs.tolist(), (status & SAID).tolist(), near, strict=True):
        if said == FORMED:
            found.append((Kind.FORMED, "", 1.0))
        elif said == MISSPELT:
            found.append((Kind.MISTAKE, meant, 1.0))
        elif sign & capital:
            found.append((Kind.NAME, "", 1.0))
        elif is_foreign(word):
            found.append((Kind.FOREIGN, "", 1.0))
        elif meant and len(word) >= _SHORTEST_MISTAKE:
            found.append((Kind.MISTAKE, meant, 1.0))
        else:
            beside = sign & (Sign.AFTER_STRANGE | Sign.BEFORE_STRANGE)
            found.append((Kind.FOREIGN if beside else Kind.CANDIDATE, "", 1.0))
    return found


_SHORTEST_MISTAKE = 6
"""Letters of a word that is one letter away from a known one not by chance, where nothing was learnt. Judgement."""


@cache
def _foreign(code: str) -> Callable[[str], object]:
    return re.compile(load(code).spelling.foreign or "(?!)").search


def rank(occurrences: Iterable[Occurrence], reference: Mapping[str, float] | None = None) -> list[Neologism]:
    """The words of a corpus from the most to the least telling.

    `reference` gives the frequency of known words per million. A word counts more when it is frequent, spread over documents,
    sites and days, and absent from the reference: log2(1 + frequency) * sqrt(documents) * sites * sqrt(days) / (1 + reference).
    """
    gathered: dict[str, list[Occurrence]] = {}
    for one in occurrences:
        gathered.setdefault(one.word, []).append(one)
    found = [_neologism(word, its, (reference or {}).get(word, 0.0)) for word, its in gathered.items()]
    return sorted(found, key=lambda one: (-one.score, one.word))


def _neologism(word: str, its: list[Occurrence], elsewhere: float) -> Neologism:
    first = min(its, key=lambda one: one.at)
    sites = len({one.site for one in its})
    days = len({int(one.at // 86_400) for one in its})
    documents = len({one.url for one in its})
    return Neologism(
        word=word,
        kind=Counter(one.kind for one in its).most_common(1)[0][0],
        frequency=len(its),
        documents=documents,
        sites=sites,
        days=days,
        first_url=first.url,
        first_at=first.at,
        score=log2(1 + len(its)) * documents**0.5 * sites * days**0.5 / (1 + elsewhere),
    )
