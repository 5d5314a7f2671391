"""Lines that somebody marked, found again in the results as they are now.

1. A document whose text is as it was has its lines where they were.
2. In another text a line is where its hit stands between the same letters as before, if that is one place alone.
3. Other lines are lost: they stay in their group and are told, but are no hits of any query.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

import msgspec
import numpy as np
import xxhash

from trasmallo.results.database.tables import Tables
from trasmallo.store.line_groups import MarkedLine
from trasmallo.store.tokens import Corpus
from trasmallo.study.query.hits import QueryHits
from trasmallo.values.arrays import Mask

State = Literal["here", "moved", "lost"]

COLUMNS = ("url", "title", "document", "start", "end", "left", "hit", "right", "state", "query", "when")
"""What a file of a group tells of each line."""

_AROUND = 40
"""Letters that are kept on either side. Judgement: some six words, which stand but once in a page."""
_ROOM = 1 << 12
"""More than the tokens that a hit can have, as in `study.query.hits`."""
_TEXTS = "SELECT document, text FROM texts WHERE document IN (SELECT unnest(?))"


class FoundLine(msgspec.Struct, frozen=True):
    """A marked line with what became of it; `start` and `end` are its place now, -1 where it is lost."""

    line: MarkedLine
    state: State
    start: int = -1
    end: int = -1

    @property
    def row(self) -> tuple[str | int, ...]:
        """The line as a row of `COLUMNS`; one that is lost has the place where it was."""
        line = self.line
        place = (line.start, line.end) if self.state == "lost" else (self.start, self.end)
        return (line.url, line.title, line.document, *place, *self.told, self.state, line.query, line.when)

    @property
    def told(self) -> tuple[str, str, str]:
        """Whole words before the hit, the hit, and whole words after it, each on one line."""
        left, right = self.line.left, self.line.right
        left = left.partition(" ")[2] if len(left) == _AROUND else left
        right = right.rpartition(" ")[0] if len(right) == _AROUND else right
        before, hit, after = (" ".join(text.split()) for text in (left, self.line.hit, right))
        return before, hit, after


class LineGroup(msgspec.Struct, frozen=True):
    """A line group: its lines, the documents that these are in, and how many of them moved or are lost."""

    name: str
    lines: int
    documents: int
    moved: int
    lost: int
    last: str


class Marked(msgspec.Struct, frozen=True):
    """Hits that were marked: numbers of their tokens, in order, and the groups that each is in."""

    groups: Mapping[int, tuple[str, ...]]

    def names(self, first: int, length: int) -> tuple[str, ...]:
        """The groups of a hit."""
        return self.groups.get(first * _ROOM + length, ())

    def among(self, hits: QueryHits, name: str) -> Mask:
        """Whether each hit is in a group."""
        keys = np.array([key for key, names in self.groups.items() if name in names], dtype=np.int64)
        found: Mask = np.isin(hits.first * _ROOM + hits.length, keys)
        return found


def lines_of(tables: Tables, hits: Iterable[tuple[str, str, int, int, str]], query: str) -> list[MarkedLine]:
    """Lines to be put into a group: of documents with their addresses, places in their texts, and titles."""
    wanted, when = list(hits), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    texts, found = _texts(tables, (one[0] for one in wanted)), []
    for document, url, start, end, title in wanted:
        if (text := texts.get(document)) is None or not 0 <= start < end <= len(text):
            continue
        line = MarkedLine(
            url=url,
            document=document,
            start=start,
            end=end,
            hit=text[start:end],
            left=text[max(start - _AROUND, 0) : start],
            right=text[end : end + _AROUND],
            digest=_digest(text),
            title=title,
            query=query,
            when=when,
        )
        found.append(line)
    return found


def find_again(tables: Tables, lines: Sequence[MarkedLine]) -> list[FoundLine]:
    """What became of marked lines, in their order."""
    texts = _texts(tables, (one.document for one in lines))
    digests = {document: _digest(text) for document, text in texts.items()}
    return [_found(one, texts.get(one.document, ""), digests.get(one.document, "")) for one in lines]


def count_group(tables: Tables, name: str, lines: Sequence[MarkedLine]) -> LineGroup:
    """What a group holds; `last` is when something was put into it."""
    states = [one.state for one in find_again(tables, lines)]
    documents = len({one.document for one in lines})
    last = max((one.when for one in lines), default="")
    return LineGroup(name, len(lines), documents, states.count("moved"), states.count("lost"), last)


def marked_hits(corpus: Corpus, tables: Tables, groups: Mapping[str, Sequence[MarkedLine]]) -> Marked:
    """The hits of all groups as the corpus counts tokens; a line that is no whole tokens any more is none."""
    found: dict[int, tuple[str, ...]] = {}
    for name, lines in groups.items():
        there = sorted((one for one in find_again(tables, lines) if one.start >= 0), key=lambda one: one.line.document)
        for document, some in groupby(there, lambda one: one.line.document):
            if (number := corpus.documents.find(document)) is not None:
                for key in _tokens(corpus, number, some):
                    found[key] = (*found.get(key, ()), name)
    return Marked(found)


def _tokens(corpus: Corpus, number: int, lines: Iterable[FoundLine]) -> Iterator[int]:
    low, _ = corpus.documents.range(number)
    starts, ends = corpus.places(number)
    for one in lines:
        first, last = int(np.searchsorted(starts, one.start)), int(np.searchsorted(ends, one.end))
        if first <= last < len(ends) and starts[first] == one.start and ends[last] == one.end:
            yield (low + first) * _ROOM + last + 1 - first


def _found(line: MarkedLine, text: str, digest: str) -> FoundLine:
    if digest == line.digest:
        return FoundLine(line, "here", line.start, line.end)
    around = line.left + line.hit + line.right
    place = text.find(around) if text else -1
    if place < 0 or text.find(around, place + 1) >= 0:
        return FoundLine(line, "lost")
    start = place + len(line.left)
    return FoundLine(line, "moved", start, start + len(line.hit))


def _texts(tables: Tables, documents: Iterable[str]) -> dict[str, str]:
    tables.prepare("texts")
    wanted = sorted(set(documents))
    return {str(document): str(text) for document, text in tables.select(_TEXTS, [wanted])} if wanted else {}


def _digest(text: str) -> str:
    return xxhash.xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))
