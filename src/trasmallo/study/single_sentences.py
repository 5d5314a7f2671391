"""Cuts a text of one sentence by looking up its chunks: on thirty words arrays cost more than they win.

A chunk is what stands between two blanks (see `chunks`). What its tokens are, and whether a sentence may end in it, is worked
out once, by the rules of `tokenise` and `sentences`; a text that these must look at as a whole is left to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from trasmallo.study.characters import GAP, classes
from trasmallo.study.chunks import chunks_of
from trasmallo.study.patterns import KINDS, compiled
from trasmallo.study.sentences import CLOSERS, TERMINATORS

_LONGEST_TEXT = 2_000
"""Characters of a text that may be one sentence. Judgement: in longer ones arrays win, and most are several."""
_LONGEST_CHUNK = 100
"""Letters of a chunk that is looked up. Judgement: what is longer does not come again."""
_MOST_CHUNKS = 40_000
"""Chunks, and as many at the ends of texts, before all are forgotten: some 20 MB. Judgement: few make up most of any text."""


class SentenceTokens(NamedTuple):
    """The tokens of a sentence as columns: words, and where they start and end in the text."""

    words: list[str]
    starts: list[int]
    ends: list[int]


class _Chunk(NamedTuple):
    """A chunk's tokens as (word, start, end) with places in the chunk, and whether its last one may end a sentence."""

    tokens: tuple[tuple[str, int, int], ...]
    ends_sentence: bool


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
    """Cuts texts of one sentence by the rules of a language."""

    def __init__(self, code: str, most: int = _MOST_CHUNKS) -> None:
        self._each = compiled(code).tokens.finditer
        self._changes = re.compile(f"[{GAP}{classes().unstable}]").search
        self._kind_of = compiled(code).kind_of
        self._may_join = chunks_of(code).may_join
        self._followed, self._last = _Chunks(self._cut_followed, most), _Chunks(self._cut_last, most)

    def kept(self) -> int:
        """How many chunks are remembered."""
        return len(self._followed) + len(self._last)

    def cut(self, text: str) -> SentenceTokens | None:
        """The tokens of a text; None when it may be several sentences, or a chunk depends on the others."""
        if len(text) > _LONGEST_TEXT:
            return None
        *chunks, last = (text[:-1] + " " if text.endswith("\n") else text).split(" ")
        found, begin, ended = SentenceTokens([], [], []), 0, False
        for known, some in ((self._followed, chunks), (self._last, (last,))):
            for written in some:
                chunk = known[written]
                if chunk is None or (ended and chunk.tokens):
                    return None
                for word, start, end in chunk.tokens:
                    found.words.append(word)
                    found.starts.append(begin + start)
                    found.ends.append(begin + end)
                ended = ended or chunk.ends_sentence
                begin += len(written) + 1
        return found

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
        return _Chunk(tokens, bool(terminators))


def _are_closing(tokens: Iterable[tuple[str, int, int]]) -> bool:
    """Whether tokens that touch each other are all signs that close a sentence after its terminator."""
    return all(word in CLOSERS for word, _, _ in tokens)
