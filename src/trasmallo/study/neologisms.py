"""Words that nobody lists: each occurrence with its context, what kind of word it is, and which of a corpus deserve a look.

What the lexicon has, and what regular inflection makes of it (pronouns behind verbs, adverbs, diminutives), is recognised. The
rest is classed: names and sequences are no words of the language, mistakes have a known word near them, foreign words are spelt
as the language is not, words formed by rule are new and regular. What is left are the candidates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from math import log2
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.contexts import contexts
from trasmallo.study.interned_forms import Facts
from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.corrections import mistakes_of
from trasmallo.study.morphology.rules import load
from trasmallo.study.morphology.tags import TYPO
from trasmallo.study.patterns import ALPHABETIC, ALPHANUMERIC, KINDS, OTHER
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.tokenise import are_capitalised, keys, keys_of, lengths_of
from trasmallo.values.arrays import Whole
from trasmallo.values.model import Analysis

_MAY_BE_SEQUENCE = np.isin(np.arange(len(KINDS)), (ALPHANUMERIC, OTHER))
_REGULAR = ("Degree=", "NumForm=")


class Kind(StrEnum):
    """What an unrecognised word is."""

    NAME = "proper name"
    FOREIGN = "foreign word"
    MISTAKE = "misspelling"
    SEQUENCE = "special sequence"
    FORMED = "formed by rule"
    CANDIDATE = "candidate"


class Unrecognised(msgspec.Struct, frozen=True, kw_only=True):
    """An occurrence: `context` is at most 80 characters of the text around it, `nearest` the word that a mistake stands for."""

    word: str
    start: int
    end: int
    kind: Kind
    nearest: str
    context: str


class UnrecognisedWords(NamedTuple):
    """The occurrences of a text as columns: places of tokens, keys of words, the rest as above, and the words as written."""

    places: Whole
    words: list[str]
    kinds: list[Kind]
    nearest: list[str]
    contexts: list[str]
    written: list[str]


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
    for place, _, kind, nearest, context, word in zip(found.places.tolist(), *found[1:], strict=True):
        yield Unrecognised(
            word=word,
            start=tokens.starts[place],
            end=tokens.ends[place],
            kind=kind,
            nearest=nearest,
            context=context,
        )


def unrecognised_in(text: Cut, language: str = "es") -> UnrecognisedWords:
    """The same of a text that has been cut, as columns."""
    code = languages.choose(language)  # what is remembered is by folder: pages may name any number of languages
    tokens, places, verdicts = text.tokens, *_judge(text, code)
    forms, starts, ends = tokens.forms, np.asarray(tokens.starts, np.int64), np.asarray(tokens.ends, np.int64)
    words = list(map(forms.vocabulary.words.__getitem__, keys_of(forms)[forms.rows[places]].tolist()))
    nearest, mistaken = [""] * len(words), np.flatnonzero(verdicts == _MISTAKE).tolist()
    for place, meant in zip(mistaken, mistakes_of(code).nearest_of([words[place] for place in mistaken]), strict=True):
        nearest[place] = meant
    kinds = list(map(_KINDS.__getitem__, verdicts.tolist()))
    begins, stops = starts[places], ends[places]
    written = [tokens.text[start:end] for start, end in zip(begins.tolist(), stops.tolist(), strict=True)]
    return UnrecognisedWords(places, words, kinds, nearest, contexts(tokens.text, begins, stops), written)


_LISTED, _RECOGNISED, _UNKNOWN, _STRANGE, _NAME, _FOREIGN, _MISTAKE, _SEQUENCE, _FORMED, _CANDIDATE = range(10)
"""What can be said of a word: the lexicon has it; regular inflection makes it; neither; nothing is like it; or its kind."""
_KINDS = (*(Kind.CANDIDATE,) * 4, Kind.NAME, Kind.FOREIGN, Kind.MISTAKE, Kind.SEQUENCE, Kind.FORMED, Kind.CANDIDATE)
_SAID, _GUESSED, _DIMINUTIVE = 15, 16, 32
"""The bits of that. Beside it: only the ending of a word in small letters tells something; it is a diminutive by rule."""


def _judge(text: Cut, code: str) -> tuple[Whole, Whole]:
    """The places of words that are not recognised, and their kinds as indexes of `_KINDS`."""
    tokens, kinds = text.tokens, np.frombuffer(text.tokens.kinds, np.uint8)
    alphabetic, status = kinds == ALPHABETIC, np.zeros(len(kinds), np.int64)
    status[alphabetic] = _status(code).each(tokens.forms, alphabetic)
    places = np.flatnonzero((_MAY_BE_SEQUENCE[kinds] | (status != _LISTED)) & (lengths_of.each(tokens.forms) > 1))
    found = np.where(alphabetic[places], status[places] & _SAID, _SEQUENCE)
    found[_are_names(text, places, status[places])] = _NAME
    unknown = found == _UNKNOWN
    found[unknown] = _likeness(code).each(tokens.forms, places[unknown])
    # Foreign words come together.
    guessed, strange = np.pad(status & _GUESSED > 0, 1), places[found == _STRANGE]
    found[found == _STRANGE] = np.where(guessed[strange] | guessed[strange + 2], _FOREIGN, _CANDIDATE)
    kept = found > _RECOGNISED
    return places[kept], found[kept]


def _are_names(text: Cut, places: Whole, status: Whole) -> NDArray[np.bool_]:
    """Words capitalised inside a sentence, or at its beginning and nowhere in small letters; unless they are known.

    Diminutives made by rule may be names too, but for those that begin a sentence: names end so (Medina, Quintín).
    """
    forms, first = text.tokens.forms, np.zeros(len(text.tokens), np.bool_)
    first[[begin for begin, _ in text.sentences]] = True
    first = first[places]
    may_be = (status & _SAID == _UNKNOWN) | (~first & (status & _DIMINUTIVE > 0))
    found: NDArray[np.bool_] = may_be & are_capitalised.each(forms)[places].astype(np.bool_)
    openers = np.flatnonzero(found & first)
    numbers = keys_of(forms)
    small = np.zeros(numbers.max(initial=0) + 1, np.bool_)
    small[numbers[_are_small(forms) > 0]] = True
    found[openers] = ~small[numbers[forms.rows[places[openers]]]]
    return found


_are_small = Facts(lambda words: list(map(str.islower, words)))


@cache
def _status(code: str) -> Facts:
    """What the lexicon and the rules say of a word."""
    analyse = words_of(code).analyse
    return Facts(lambda words: [_said(word, analyse(word)) for word in words])


def _said(word: str, found: list[Analysis]) -> int:
    if found and found[0].by == "lexicon" and TYPO not in found[0].features:  # most words
        return _LISTED
    from_lexicon, mistaken = any(one.by == "lexicon" for one in found), all(TYPO in one.features for one in found)
    if from_lexicon and not mistaken:
        return _LISTED
    if not found or found[0].by == "guess":
        guessed = word.islower() and all(one.by == "guess" for one in found)
        return _UNKNOWN | (_GUESSED if guessed else 0)
    diminutive = all(one.by == "rule" and "Degree=Dim" in one.features for one in found)
    said = _MISTAKE if mistaken else _RECOGNISED if from_lexicon or any(map(_is_regular, found)) else _FORMED
    return said | (_DIMINUTIVE if diminutive else 0)


@cache
def _likeness(code: str) -> Facts:
    """What an unknown word is like: foreign by its spelling, one mistake away from a known word, or nothing."""
    foreign = _foreign(code)

    def work(words: list[str]) -> list[int]:
        found = keys(words)
        native = [word for word in found if not foreign(word)]
        near = dict(zip(native, mistakes_of(code).nearest_of(native), strict=True))
        return [_FOREIGN if word not in near else _MISTAKE if near[word] else _STRANGE for word in found]

    return Facts(work)


def _is_regular(found: Analysis) -> bool:
    """Made by regular inflection, not by making a new word."""
    if found.prefix:
        return False
    return (
        bool(found.clitics) or found.features.startswith(_REGULAR) or found.tag == "RG" or found.category in _OTHER_THAN_WORDS
    )


_OTHER_THAN_WORDS = ("NUM", "PUNCT", "SYM")


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
