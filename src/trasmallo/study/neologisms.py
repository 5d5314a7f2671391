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
from functools import cache, lru_cache, partial
from itertools import chain
from math import log2

import msgspec

from trasmallo.model import Analysis
from trasmallo.study import languages
from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.morphology.letters import Letters, letters_of
from trasmallo.study.morphology.rules import load
from trasmallo.study.morphology.tags import TYPO
from trasmallo.study.patterns import ALPHABETIC, ALPHANUMERIC, OTHER
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.tokenise import Columns, key

_CONTEXT = 80
_FIRST_PIECE, _LAST_PIECE = re.compile(r"^\S+(?=\s)"), re.compile(r"(?<=\s)\S+$")
_SHORTEST_MISTAKE = 6
_LONGEST_MISTAKE = 24
_REGULAR = ("Degree=", "NumForm=")


class Kind(StrEnum):
    """What an unrecognised word is."""

    NAME = "proper name"
    FOREIGN = "foreign word"
    MISTAKE = "misspelling"
    SEQUENCE = "special sequence"
    FORMED = "formed by rule"
    CANDIDATE = "candidate"


class Unrecognised(msgspec.Struct, frozen=True):
    """An occurrence: `context` is at most 80 characters of the text around it, `nearest` the word that a mistake stands for."""

    word: str
    start: int
    end: int
    kind: Kind
    nearest: str
    context: str


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
    return unrecognised_in(cut(text, language), language)


def unrecognised_in(text: Cut, language: str = "es") -> Iterator[Unrecognised]:
    """The same of a text that has been cut."""
    tokens, judge = text.tokens, _Judge(text, language)
    listed = {word for word in set(tokens.words) if _is_listed(language, word)}
    for index, (word, token_kind) in enumerate(zip(tokens.words, tokens.kinds, strict=True)):
        if token_kind == ALPHABETIC and word in listed:
            continue
        if len(word) > 1 and token_kind in (ALPHABETIC, ALPHANUMERIC, OTHER):
            kind, nearest = judge.judge(index)
            if kind is not None:
                yield Unrecognised(word, tokens.starts[index], tokens.ends[index], kind, nearest, _context(tokens, index))


class _Judge:
    """Classes the words of one text."""

    def __init__(self, text: Cut, language: str) -> None:
        self._cut = text.tokens
        self._analyse = words_of(language).analyse
        self._firsts = {first for first, _ in text.sentences}
        self._small = {word for word in self._cut.words if word.islower()}
        self._foreign = _foreign(languages.choose(language))
        self._nearest = partial(_nearest, language)

    def judge(self, index: int) -> tuple[Kind | None, str]:
        """The kind of a token and the nearest known word; None for one that is recognised."""
        word = self._cut.words[index]
        if self._cut.kinds[index] != ALPHABETIC:
            return Kind.SEQUENCE, ""
        found = self._analyse(word)
        is_known = bool(found) and found[0].by != "guess"
        if self._is_name(index) and (not is_known or (index not in self._firsts and _are_small(found))):
            return Kind.NAME, ""
        if is_known:
            return self._known(word, found)
        if self._foreign(key(word)):
            return Kind.FOREIGN, ""
        nearest = self._nearest(key(word))
        if not nearest and self._among_strangers(index):
            return Kind.FOREIGN, ""
        return (Kind.MISTAKE, nearest) if nearest else (Kind.CANDIDATE, "")

    def _known(self, word: str, found: list[Analysis]) -> tuple[Kind | None, str]:
        if all(TYPO in one.features for one in found):
            return Kind.MISTAKE, self._nearest(key(word))
        if any(one.by == "lexicon" or _is_regular(one) for one in found):
            return None, ""
        return Kind.FORMED, ""

    def _is_name(self, index: int) -> bool:
        """Capitalised inside a sentence, or at its beginning and nowhere in small letters."""
        word = self._cut.words[index]
        return word[0].isupper() and (index not in self._firsts or word.lower() not in self._small)

    def _among_strangers(self, index: int) -> bool:
        """Whether a neighbour in small letters is unknown too: foreign words come together."""
        around = [place for place in (index - 1, index + 1) if 0 <= place < len(self._cut)]
        return any(
            self._cut.words[place].islower()
            and self._cut.kinds[place] == ALPHABETIC
            and all(one.by == "guess" for one in self._analyse(self._cut.words[place]))
            for place in around
        )


# Nearly all words of a text are listed, so most are not looked at again.
@lru_cache(maxsize=200_000)
def _is_listed(language: str, word: str) -> bool:
    """Whether the lexicon has a word, and not only as a misspelling."""
    found = words_of(language).analyse(word)
    return any(one.by == "lexicon" for one in found) and not all(TYPO in one.features for one in found)


# A word has some hundred neighbours, and unknown words come again.
@lru_cache(maxsize=50_000)
def _nearest(language: str, word: str) -> str:
    """The known word that one mistake away is likeliest meant, "" for none."""
    if len(word) > _LONGEST_MISTAKE:
        return ""
    code = languages.choose(language)
    # Not through the memory, which is no place for words that nobody wrote.
    listed = analyser(code).listed
    near = _accented(word) if len(word) < _SHORTEST_MISTAKE else chain(_accented(word), _edits(word, letters_of(code)))
    return next((form for form in near if any(one.by == "lexicon" for one in listed(form)[1])), "")


def _are_small(found: Iterable[Analysis]) -> bool:
    """Nothing but diminutives made by rule: names end so too (Medina, Quintín)."""
    return all(one.by == "rule" and "Degree=Dim" in one.features for one in found)


def _is_regular(found: Analysis) -> bool:
    """Made by regular inflection, not by making a new word."""
    if found.prefix:
        return False
    return (
        bool(found.clitics) or found.features.startswith(_REGULAR) or found.tag == "RG" or found.category in _OTHER_THAN_WORDS
    )


_OTHER_THAN_WORDS = ("NUM", "PUNCT", "SYM")
_ACCENTS = str.maketrans("áéíóú", "aeiou")


def _accented(word: str) -> Iterator[str]:
    """The word with other accents: none, or one on each vowel."""
    plain = word.translate(_ACCENTS)
    if plain != word:
        yield plain
    for place, letter in enumerate(plain):
        if letter in "aeiou":
            yield plain[:place] + "áéíóú"["aeiou".index(letter)] + plain[place + 1 :]


def _edits(word: str, letters: Letters) -> Iterator[str]:
    """What one slip makes of the word, the commonest slips first: letters changed about, one too many, another, one too few."""
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield from (left + right[1] + right[0] + right[2:] for left, right in halves if len(right) > 1)
    yield from (left + right[1:] for left, right in halves if right)
    for place, (left, right) in enumerate(halves[:-1]):
        yield from [left + letter + right[1:] for letter in letters.replacing(word, place)]
    for place, (left, right) in enumerate(halves):
        yield from [left + letter + right for letter in letters.inserted(word, place)]


@cache
def _foreign(code: str) -> Callable[[str], object]:
    return re.compile(load(code).spelling.foreign or "(?!)").search


def _context(cut: Columns, index: int) -> str:
    """The text around a token, cut at blanks where there are any near."""
    text, start, end = cut.text, cut.starts[index], cut.ends[index]
    spare = max(_CONTEXT - (end - start), 0) // 2
    low, high = max(start - spare, 0), min(end + spare, len(text))
    before, after = text[low:start], text[end:high]
    if low and not text[low - 1].isspace():
        before = _FIRST_PIECE.sub("", before)
    if high < len(text) and not text[high].isspace():
        after = _LAST_PIECE.sub("", after)
    return " ".join((before + text[start:end] + after).split())


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
