"""Where words and phrases appear in a page, and how often in each of its nodes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, reduce
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from trasmallo.clean.slicing.characters import BREAK, WORD, Folding, class_of, folding, pattern
from trasmallo.clean.slicing.criterion import And, AtLeast, AtMost, Not, Or, Tree, Word, Xor
from trasmallo.clean.slicing.lemmas_in_context import ContextReader, LemmaAt
from trasmallo.clean.slicing.page import Flags, Integers, PageArrays, Pieces, attributes_told, name_of

Where = Literal["text", "attributes", "elements", "both"]
_BESIDE: dict[Where, Literal["attributed", "valued", "named"]] = {
    "text": "attributed",
    "attributes": "valued",
    "elements": "named",
    "both": "attributed",
}
"""What of a page is looked at beside its text."""


class WordComparison(msgspec.Struct, frozen=True):
    """How words are compared: `where` they are looked for; whether `case` and `accents` matter; whether a `part` is enough.

    `both` are text and attributes, `elements` the names of elements alone; in XML both have the names of elements too.
    `forms` says that every word is looked for in all its forms, whether `~` stands behind it or not; `in_context` that what
    is looked for so is found where it is a form of that word in its sentence (`lemmas_in_context`).
    """

    where: Where = "both"
    case: bool = False
    accents: bool = False
    part: bool = False
    forms: bool = False
    in_context: bool = False

    @property
    def reads_text(self) -> bool:
        """Whether the text is looked at."""
        return self.where in ("text", "both")


class Occurrences(msgspec.Struct, frozen=True):
    """The places of a word in a folded text, in order and apart from each other.

    `before` and `until` say for each piece of the text how many of them begin before it and end until it begins.
    """

    starts: Integers
    ends: Integers
    before: Integers
    until: Integers


class Folded:
    """A text in pieces, folded and joined; `offset[k]` is where piece k begins."""

    def __init__(self, source: Pieces, reading: WordComparison, context: ContextReader | None = None) -> None:
        self.source = source
        self._context = context
        self.folding = folding(case=not reading.case, accents=not reading.accents)
        joined = "".join(source.pieces)
        # Where the page itself has NULs, or folding moves characters, each piece is folded alone.
        folded = self.folding.fold_in_place(joined) if joined.count(BREAK) == source.pieces.count(BREAK) else None
        if folded is not None:
            self.text = folded
            lengths = list(map(len, source.pieces))
        else:
            pieces = [piece if piece == BREAK else self.folding.fold(piece) for piece in source.pieces]
            self.text = "".join(pieces)
            lengths = list(map(len, pieces))
        self.offset: Integers = np.concatenate(([0], np.cumsum(np.array(lengths, dtype=np.int64))))
        self._found: dict[Word, Occurrences] = {}
        self._moved = folded is None

    @cached_property
    def _words(self) -> list[LemmaAt]:
        """The words with their lemmas in context."""
        assert self._context is not None
        return self._context.words(self.source.pieces, self.folding, moved=self._moved)

    def find(self, word: Word) -> Occurrences:
        """All places of a word, remembered."""
        found = self._found.get(word)
        if found is None:
            starts, ends = self._places(word)
            size = len(self.offset)
            begun = np.bincount(np.searchsorted(self.offset, starts, side="right"), minlength=size)
            ended = np.bincount(np.searchsorted(self.offset, ends, side="left"), minlength=size)
            found = self._found[word] = Occurrences(starts, ends, np.cumsum(begun), np.cumsum(ended))
        return found

    def _places(self, word: Word) -> tuple[Integers, Integers]:
        if word.inflected and self._context is not None:
            lemmas = self._context.lemmas(word)
            found = [(start, end) for start, end, lemma in self._words if lemma in lemmas]
            places = np.array(found, dtype=np.int64).reshape(-1, 2)
            return places[:, 0], places[:, 1]
        if word.forms:
            return find_any(self.text, needles_of(word, self.folding), head=word.head, tail=word.tail)
        return find_all(self.text, self.folding.fold(word.text), head=word.head, tail=word.tail)

    def count(self, word: Word, first: Integers, last: Integers) -> Integers:
        """How often a word stands between the pieces `first` and `last`, for each pair of them."""
        found = self.find(word)
        if not len(found.starts):
            return np.zeros(len(first), dtype=np.int64)
        counts: Integers = np.maximum(found.until[last] - found.before[first], 0)
        return counts


@cache
def _spaces() -> str:
    return f"[{pattern('space')}]+"


def find_all(text: str, needle: str, *, head: bool, tail: bool) -> tuple[Integers, Integers]:
    """Where a folded word begins and ends in a folded text; blanks in the word stand for any blanks in the text."""
    parts = needle.split()
    if len(parts) == 1 and not _overlaps_itself(parts[0]):
        starts = np.array(_find_plain(text, parts[0], head, tail), dtype=np.int64)
        return starts, starts + len(parts[0])
    places = np.array(list(_find_parts(text, parts, head, tail)) if parts else [], dtype=np.int64).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def needles_of(word: Word, folded: Folding) -> list[str]:
    """A word and its forms as a folded text has them, each once, the longest first."""
    return sorted({folded.fold(text) for text in (word.text, *word.forms)}, key=lambda needle: (-len(needle), needle))


def find_any(text: str, needles: list[str], *, head: bool, tail: bool) -> tuple[Integers, Integers]:
    """Where one of several folded words begins and ends; where several begin, the first of the list."""
    places = np.array(list(_sift(text, "|".join(map(re.escape, needles)), head, tail)), dtype=np.int64).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def _find_parts(text: str, parts: list[str], head: bool, tail: bool) -> Iterator[tuple[int, int]]:
    """The places of a phrase, or of a word that may begin inside itself, one after the other."""
    return _sift(text, _spaces().join(map(re.escape, parts)), head, tail)


def _sift(text: str, expression: str, head: bool, tail: bool) -> Iterator[tuple[int, int]]:
    """The places of an expression that are no parts of longer words, where that matters."""
    search = re.compile(expression).search
    match = search(text)
    while match is not None:
        start, end = match.span()
        fits = _fits(text, start, end, head, tail)
        if fits:
            yield start, end
        match = search(text, end if fits else start + 1)


def _overlaps_itself(needle: str) -> bool:
    """Whether a word may begin inside itself, as "ana" does in "anana"."""
    return any(needle.startswith(needle[place:]) for place in range(1, len(needle)))


def _find_plain(text: str, needle: str, head: bool, tail: bool) -> list[int]:
    """Where one word begins, sifted after it is found."""
    size = len(needle)
    starts = [match.start() for match in re.finditer(re.escape(needle), text)]
    if not head and class_of(needle[0]) == WORD:
        starts = [start for start in starts if not start or class_of(text[start - 1]) != WORD]
    if not tail and class_of(needle[-1]) == WORD:
        stop = len(text) - size
        starts = [start for start in starts if start == stop or class_of(text[start + size]) != WORD]
    return starts


def _fits(text: str, start: int, end: int, head: bool, tail: bool) -> bool:
    """Whether a place is no part of a longer word, where that matters."""
    if not head and start and class_of(text[start - 1]) == WORD and class_of(text[start]) == WORD:
        return False
    return tail or end == len(text) or class_of(text[end]) != WORD or class_of(text[end - 1]) != WORD


class Mark(NamedTuple):
    """A stretch of a text node that belongs to a match; a match over several nodes has several marks of one number."""

    number: int
    node: int
    start: int
    end: int


class Matcher:
    """Answers for each node of a page whether a criterion holds, by text, by attributes, by both or by names of elements."""

    def __init__(self, page: PageArrays, reading: WordComparison, context: ContextReader | None = None) -> None:
        self.page, self.reading = page, reading
        self._context = context if reading.in_context else None
        self._folded: dict[str, Folded] = {}
        self._in_text: dict[Word, Integers] = {}

    @property
    def texts(self) -> Folded:
        """The folded text."""
        return self._fold("text", self.page.written)

    @property
    def values(self) -> Folded:
        """The folded values of attributes, or names of elements."""
        return self._fold("beside", self.beside)

    @property
    def beside(self) -> Pieces:
        """What is looked at beside the text: attributes, or the names of elements."""
        pieces: Pieces = getattr(self.page, _BESIDE[self.reading.where])
        return pieces

    def _fold(self, name: str, pieces: Pieces) -> Folded:
        if name not in self._folded:
            self._folded[name] = Folded(pieces, self.reading, self._context)
        return self._folded[name]

    def _exact(self, word: Word) -> Word:
        return msgspec.structs.replace(word, head=True, tail=True) if self.reading.part else word

    def places(self, word: Word) -> list[tuple[int, int]]:
        """Where a word stands in the folded text."""
        found = self.texts.find(self._exact(word))
        return list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))

    def spans(self, nodes: Integers) -> tuple[Integers, Integers]:
        """Where the texts of nodes begin and end in the folded text."""
        offset, pieces = self.texts.offset, self.page.written
        return offset[pieces.first[nodes]], offset[pieces.last[nodes]]

    def in_text(self, word: Word) -> Integers:
        """How often a word is in the text of each node; remembered."""
        pieces = self.page.written
        if word not in self._in_text:
            self._in_text[word] = self.texts.count(self._exact(word), pieces.first, pieces.last)
        return self._in_text[word]

    def in_attributes(self, word: Word) -> Integers:
        """How often a word is in the attributes, or names, of each node and of its descendants."""
        pieces = self.beside
        return self.values.count(self._exact(word), pieces.first, pieces.last)

    def in_own_attributes(self, word: Word) -> Integers:
        """How often a word is in the attributes, or the name, of each node alone."""
        pieces = self.beside
        return self.values.count(self._exact(word), pieces.first, pieces.own)

    def has_word(self, values: Sequence[str], words: list[Word]) -> bool:
        """Whether one of several values has one of the words."""
        nowhere = np.zeros(0, dtype=np.int64)
        pieces = [piece for value in values for piece in (value, BREAK)]
        folded = Folded(Pieces(pieces, nowhere, nowhere, nowhere), self.reading, self._context)
        return any(len(folded.find(self._exact(word)).starts) for word in words)

    def in_own_text(self, word: Word) -> Integers:
        """How often a word is in the text of each node and in none of its child elements."""
        counts = self.in_text(word)
        inner = np.where(self.page.readable & ~self.page.is_text, counts, 0)
        above = self.page.above
        taken = np.bincount(above[1:], weights=inner[1:], minlength=len(counts)) if len(counts) > 1 else np.zeros(1)
        return counts - taken.astype(np.int64)

    def in_content(self, word: Word) -> Integers:
        """How often a word is where it is looked for, in each node and its descendants."""
        if self.reading.where == "text":
            return self.in_text(word)
        if not self.reading.reads_text:
            return self.in_attributes(word)
        return self.in_text(word) + self.in_attributes(word)

    def has_content(self) -> Flags:
        """Which nodes have anything that could be looked at."""
        page = self.page
        written = page.inside(page.is_text & ~page.is_blank & page.readable) > 0
        if self.reading.where == "text":
            return written
        attributed = self.beside.last > self.beside.first
        return written | attributed if self.reading.reads_text else attributed


def find_marks(matcher: Matcher, words: list[Word]) -> list[Mark]:
    """Where the text of a page has one of the words, in order; of matches that overlap, the first."""
    page, folded = matcher.page, matcher.texts
    offset = folded.offset.tolist()
    nodes = np.flatnonzero(page.is_text & (page.written.last > page.written.first))
    node_of = dict(zip(page.written.first[nodes].tolist(), nodes.tolist(), strict=True))
    marks: list[Mark] = []
    known: dict[int, list[int]] = {}
    number = done = 0
    for start, end in sorted(place for word in words for place in matcher.places(word)):
        if start < done:
            continue
        done = end
        piece = bisect_right(offset, start) - 1
        while piece < len(offset) - 1 and offset[piece] < end:
            low, high = max(start, offset[piece]) - offset[piece], min(end, offset[piece + 1]) - offset[piece]
            if piece in node_of and low < high:
                node = node_of[piece]
                if node not in known:
                    known = {node: folded.folding.places(page.text[node])}
                marks.append(Mark(number, node, known[node][low], known[node][high]))
            piece += 1
        number += 1
    return marks


class MatchedAttribute(msgspec.Struct, frozen=True):
    """An attribute that has a word of the criterion: the tag of its element, in XML its name, and its own name and value."""

    tag: str
    name: str
    value: str


def find_attributes(matcher: Matcher, words: list[Word], node: int) -> Iterator[MatchedAttribute]:
    """The attributes of a node and its descendants that have one of the words, in order."""
    page, counts = matcher.page, [matcher.in_own_attributes(word) for word in words]
    for index in range(node, page.end[node]):
        if any(count[index] for count in counts):
            for told in attributes_told(page.tag[index], page.attrs[index] or [], named=matcher.reading.reads_text):
                if matcher.has_word(told.pieces, words):
                    yield MatchedAttribute(name_of(page, index), told.name, told.value)


Count = Callable[[Word], Integers]


def holds(tree: Tree, count: Count) -> Flags:
    """Whether a criterion holds, for each of the nodes for which `count` says how often they have a word."""
    if isinstance(tree, Word):
        return count(tree) > 0
    if isinstance(tree, Not):
        return ~holds(tree.item, count)
    if isinstance(tree, AtLeast | AtMost):
        total = reduce(np.add, map(count, tree.words))
        return total >= tree.times if isinstance(tree, AtLeast) else total <= tree.times
    parts = [holds(item, count) for item in tree.items]
    return reduce(_OPERATIONS[type(tree)], parts)


_OPERATIONS = {And: np.logical_and, Or: np.logical_or, Xor: np.logical_xor}
