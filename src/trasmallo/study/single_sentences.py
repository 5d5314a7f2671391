"""Cuts a text of a few sentences by looking up its chunks: on thirty words arrays cost more than they win.

A chunk is what stands between two blanks (see `chunks`). What its tokens are, and whether a sentence may end in it, is worked
out once, by the rules of `tokenise` and `sentences`; a text that these must look at as a whole is left to them. Whether one
ends there is told word by word, as `sentences` tells it of arrays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from trasmallo.study.characters import GAP, classes
from trasmallo.study.chunks import chunks_of
from trasmallo.study.patterns import ALPHABETIC, KINDS, NUMBER, PUNCTUATION, compiled
from trasmallo.study.sentences import (
    CLOSERS,
    OPENERS,
    OPENERS_LOOKED_AT,
    QUESTIONS,
    TERMINATORS,
    WIDE_TERMINATORS,
    abbreviation_ends,
)

_LONGEST_TEXT = 2_000
"""Characters of a text that is cut so. Judgement: in longer ones arrays win."""
_LONGEST_CHUNK = 100
"""Letters of a chunk that is looked up. Judgement: what is longer does not come again."""
_MOST_CHUNKS = 40_000
"""Chunks, and as many at the ends of texts, before all are forgotten: some 20 MB. Judgement: few make up most of any text."""


class SentenceTokens(NamedTuple):
    """The tokens of a text as columns: words, and where they start and end in it; its sentences as ranges of them."""

    words: list[str]
    starts: list[int]
    ends: list[int]
    sentences: list[tuple[int, int]]


class _Chunk(NamedTuple):
    """A chunk's tokens as (word, start, end) with places in the chunk, and which of them may end a sentence, -1 for none."""

    tokens: tuple[tuple[str, int, int], ...]
    terminator: int


class _Chunks(dict[str, _Chunk | None]):
    """Every chunk that was met; None for one that cannot be cut by itself."""

    def __init__(self, cut: Callable[[str], _Chunk | None], most: int) -> None:
        self._cut, self._most = cut, most

    def __missing__(self, text: str) -> _Chunk | None:
        if len(text) > _LONGEST_CHUNK:
            return None
        if len(self) >= self._most:
            self.clear()
        found = self[text] = self._cut(text)
        return found


@cache
def sentence_cutter(code: str) -> SentenceCutter:
    """The cutter of a language folder, once a process."""
    return SentenceCutter(code)


class SentenceCutter:
    """Cuts short texts by the rules of a language."""

    def __init__(self, code: str, most: int = _MOST_CHUNKS) -> None:
        self._code = code
        self._each = compiled(code).tokens.finditer
        self._changes = re.compile(f"[{GAP}{classes().unstable}]").search
        self._kind_of = compiled(code).kind_of
        self._may_join = chunks_of(code).may_join
        self._followed, self._last = _Chunks(self._cut_followed, most), _Chunks(self._cut_last, most)

    def kept(self) -> int:
        """How many chunks are remembered."""
        return len(self._followed) + len(self._last)

    def cut(self, text: str) -> SentenceTokens | None:
        """The tokens of a text; None when it is long, or a chunk depends on the others."""
        if len(text) > _LONGEST_TEXT:
            return None
        *chunks, last = (text[:-1] + " " if text.endswith("\n") else text).split(" ")
        words, starts, ends, begin = list[str](), list[int](), list[int](), 0
        may_end: list[tuple[int, int]] = []
        for known, some in ((self._followed, chunks), (self._last, (last,))):
            for written in some:
                chunk = known[written]
                if chunk is None:
                    return None
                tokens, terminator = chunk
                if terminator >= 0:
                    may_end.append((len(words) + terminator, len(words) + len(tokens)))
                for word, start, end in tokens:
                    words.append(word)
                    starts.append(begin + start)
                    ends.append(begin + end)
                begin += len(written) + 1
        return SentenceTokens(words, starts, ends, self._sentences(words, may_end))

    def _sentences(self, words: list[str], may_end: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The sentences of words; `may_end` are the tokens that may end one, and the first ones behind them."""
        if not words:
            return []
        ending = [(at, after) for at, after in may_end if after < len(words) and self._ends(words, at, after)]
        items = [pair for pair in ending if words[pair[0]] == "." and pair[0] and self._kind_of(words[pair[0] - 1]) == NUMBER]
        bounds = {0, len(words), *(after for at, after in ending if (at, after) not in items)}
        for at, after in items:
            if at - 1 not in bounds:
                bounds.add(after)
        return list(pairwise(sorted(bounds)))

    def _ends(self, words: list[str], at: int, after: int) -> bool:
        """Whether a sentence ends with the token at one place, before another, which a blank is between."""
        if words[at][-1] in WIDE_TERMINATORS:
            return True
        if self._kind_of(words[at]) == PUNCTUATION:
            return self._begins(words[after : after + OPENERS_LOOKED_AT])
        return abbreviation_ends(self._code, words[at], words[after])

    def _begins(self, words: list[str]) -> bool:
        """Whether a sentence may begin with words: behind signs that open it no small letter and no middle sign."""
        first = next((word for word in words if word not in OPENERS), "")
        if not first or first in QUESTIONS:
            return bool(first)
        kind = self._kind_of(first)
        return not first[0].islower() if kind == ALPHABETIC else kind != PUNCTUATION

    def _cut_followed(self, text: str) -> _Chunk | None:
        """A chunk that a blank follows; the tokens of one that may begin an abbreviation of several words are not known."""
        return None if self._may_join(text) else self._chunk(text, self._each(text + "\n"))

    def _cut_last(self, text: str) -> _Chunk | None:
        """The chunk at the end of a text: what follows a point may tell what it is, and nothing does."""
        return self._chunk(text, self._each(text))

    def _chunk(self, text: str, matches: Iterable[re.Match[str]]) -> _Chunk | None:
        if self._changes(text):
            return None
        tokens = tuple((match.group(), *match.span()) for match in matches)
        terminators = [place for place, token in enumerate(tokens) if token[0][-1] in TERMINATORS]
        if any(self._kind_of(token[0]) >= len(KINDS) for token in tokens):
            return None
        if terminators and not _are_closing(tokens[terminators[0] + 1 :]):
            return None
        return _Chunk(tokens, terminators[0] if terminators else -1)


def _are_closing(tokens: Iterable[tuple[str, int, int]]) -> bool:
    """Whether tokens that touch each other are all signs that close a sentence after its terminator."""
    return all(word in CLOSERS for word, _, _ in tokens)
