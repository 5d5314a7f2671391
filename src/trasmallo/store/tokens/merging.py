"""Several files of tokens become one, streaming.

1. Each file is verified, and its strings and types get numbers that all files share.
2. When the counts of all are known, strings and types get their final order.
3. The tokens are copied document by document, with the final numbers.
4. Where it is asked for, the places of each type's tokens are listed.

Memory: about 250 bytes for each distinct word or lemma and 100 for each type of all files together, 4 for each type of each
file, 260,000 tokens at a time, and 8 million places while lists of them are made. Documents come in the order of their ids
and strings in that of their counts, so the result does not depend on the order or the number of the files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.lexicon import Lexicon
from trasmallo.store.tokens.positions import write_positions
from trasmallo.store.tokens.sections import Sections, Writer
from trasmallo.store.tokens.streams import ColumnWriter, FileColumns, TokenRun, TypeColumn, joined
from trasmallo.store.tokens.wordtypes import ATTRIBUTES, Rows, Types
from trasmallo.values.errors import disk_errors

_AT_ONCE = 1 << 18  # judgement: tokens merged together; their memory is in docs/design.md
_HALF = np.uint64(32)
OF_NONE: Mapping[Path, Collection[str]] = MappingProxyType({})


def merge(
    paths: Sequence[Path],
    target: Path,
    without: Collection[str] = (),
    *,
    outdated: Mapping[Path, Collection[str]] = OF_NONE,
    positions: bool = False,
    at_once: int = _AT_ONCE,
) -> None:
    """Write one file that holds the documents of all of these, except those with the ids `without`; whole or not at all.

    `outdated` are ids to leave out of single files, since another of them has these documents as they are now. With
    `positions` it lists the places of each type. About `at_once` tokens are copied together. Raises StoreDamaged when one of
    the files is not what was written.
    """
    left_out = [_numbers({*without, *outdated.get(path, ())}) for path in paths]
    types, sources = _read(paths, left_out)
    draft = target.with_name(target.name + ".new")
    with disk_errors(target), Writer(draft) as writer:
        languages = _write(writer, types, sources, [FileColumns(Sections(path)) for path in paths], at_once)
        if positions:
            write_positions(writer, types.counts, TypeColumn(writer))
        writer.finish(languages)
        draft.replace(target)


def _numbers(documents: Collection[str]) -> NDArray[np.uint64]:
    return np.array(sorted(int(document, 16) for document in documents), dtype=np.uint64)


def _read(paths: Sequence[Path], left_out: Sequence[NDArray[np.uint64]]) -> tuple[Types, list[_Source]]:
    """The types of all files in their final order, and what is kept of each file."""
    shared = _Shared()
    sources = [_Source.read(path, some, shared) for path, some in zip(paths, left_out, strict=True)]
    return shared.final(), sources


class _Entry(NamedTuple):
    """A document to take over: its id, its source, the range of its tokens there, and its language."""

    id: int
    source: int
    first: int
    last: int
    language: str


class _Source(NamedTuple):
    """What is kept in memory of a file: its documents that are taken over, and the shared numbers of its types.

    These are counted from 1; 0 is a type that no document has which is taken over.
    """

    documents: list[tuple[int, int, int, str]]
    number: Rows

    @classmethod
    def read(cls, path: Path, left_out: NDArray[np.uint64], shared: _Shared) -> _Source:
        """Nothing stays mapped: pages of many files would fill the memory."""
        sections = Sections(path)
        sections.verify()
        table = DocumentTable.read(sections)
        kept = ~np.isin(table.ids, left_out)
        counts = _counts(sections, table, kept)
        used = np.flatnonzero(counts)
        number = np.zeros(len(counts), dtype=np.uint32)
        number[used] = shared.add(sections, used, counts[used]) + np.uint32(1)
        columns = table.ids[kept], table.bounds[:-1][kept], table.bounds[1:][kept]
        languages = [table.languages[code] for code in table.language[kept].tolist()]
        return cls(list(zip(*(column.tolist() for column in columns), languages, strict=True)), number)


def _counts(sections: Sections, table: DocumentTable, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The tokens of each type in the documents that are kept; those are looked at that are fewer, kept or not."""
    counts, columns = sections.array("type.count").astype(np.int64), FileColumns(sections)
    few = 2 * int(kept.sum()) < len(kept)
    looked_at = np.zeros_like(counts)
    for index in np.flatnonzero(kept == few).tolist():
        first, last = table.bounds[index : index + 2].tolist()
        looked_at += np.bincount(columns.types(slice(first, last)), minlength=len(counts))
    return looked_at if few else counts - looked_at


class _Shared:
    """Strings and types of all files, numbered as they are met."""

    def __init__(self) -> None:
        self._texts = {name: _Numbered() for name in ATTRIBUTES}
        self._words, self._tags, self._readings, self._types = _Pairs(), _Pairs(), _Pairs(), _Pairs()
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, sections: Sections, used: NDArray[np.intp], counts: NDArray[np.int64]) -> Rows:
        """The numbers of a file's types that are used; their tokens are counted."""
        word, lemma, category, tag, language = (self._strings(sections, name, used) for name in ATTRIBUTES)
        readings = self._readings.number(self._words.number(word, lemma), self._tags.number(category, tag))
        types = self._types.number(readings, language)
        self._counts = np.concatenate((self._counts, np.zeros(len(self._types) - len(self._counts), dtype=np.int64)))
        self._counts[types] += counts
        return types

    def final(self) -> Types:
        """All types in their final order; `number` of the result turns numbers of `add` into final ones."""
        readings, languages = self._types.halves()
        words, tags = (half[readings] for half in self._readings.halves())
        halves = [half[of] for pairs, of in ((self._words, words), (self._tags, tags)) for half in pairs.halves()]
        rows: Rows = np.stack([*halves, languages])
        return Types({name: list(known) for name, known in self._texts.items()}, rows, self._counts)

    def _strings(self, sections: Sections, name: str, used: NDArray[np.intp]) -> Rows:
        """For each used type the number of its word, lemma, category, tag or language."""
        if f"type.{name}" not in sections:
            return np.full(len(used), self._texts[name][b""], np.uint32)
        numbers, places = np.unique(sections.array(f"type.{name}")[used], return_inverse=True)
        raws = Lexicon(sections, name).raws()
        if len(numbers) < len(raws):
            raws = [raws[number] for number in numbers.tolist()]
        return self._texts[name].number(raws)[places]


class _Numbered(dict[bytes, int]):
    """Numbers strings in the order in which they are met."""

    def number(self, texts: Sequence[bytes]) -> Rows:
        """The numbers of strings that are all different."""
        if not self:  # the first file, which is most of the work where few documents are added to many
            self.update(zip(texts, range(len(texts)), strict=True))
            return np.arange(len(texts), dtype=np.uint32)
        return np.fromiter(map(self.__getitem__, texts), np.uint32, len(texts))

    def __missing__(self, text: bytes) -> int:
        number = self[text] = len(self)
        return number


class _Pairs:
    """Numbers pairs of numbers in the order in which they are met."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, dtype=np.uint64)
        self._numbers: Rows = np.zeros(0, dtype=np.uint32)

    def __len__(self) -> int:
        return len(self._keys)

    def number(self, one: Rows, other: Rows) -> Rows:
        """The numbers of these pairs."""
        keys, places = np.unique(one.astype(np.uint64) << _HALF | other, return_inverse=True)
        at = np.asarray(np.searchsorted(self._keys, keys))
        known = at < len(self)
        known[known] = self._keys[at[known]] == keys[known]
        numbers = np.empty(len(keys), dtype=np.uint32)
        numbers[known] = self._numbers[at[known]]
        fresh = ~known
        numbers[fresh] = np.arange(len(self), len(self) + int(fresh.sum()), dtype=np.uint32)
        self._keys = np.insert(self._keys, at[fresh], keys[fresh])
        self._numbers = np.insert(self._numbers, at[fresh], numbers[fresh])
        return numbers[places]

    def halves(self) -> tuple[Rows, Rows]:
        """What each pair consists of, in the order of their numbers."""
        keys = np.empty(len(self), dtype=np.uint64)
        keys[self._numbers] = self._keys
        return (keys >> _HALF).astype(np.uint32), keys.astype(np.uint32)


def _write(
    writer: Writer, types: Types, sources: Sequence[_Source], columns: Sequence[FileColumns], at_once: int
) -> tuple[str, ...]:
    """Write lexicons, documents and tokens; returns the languages."""
    types.write(writer)
    every = [
        _Entry(document, number, first, last, language)
        for number, source in enumerate(sources)
        for document, first, last, language in source.documents
    ]
    every.sort(key=lambda entry: (entry.id, entry.source))
    documents = DocumentTable.of([(entry.id, entry.language) for entry in every], [entry.last - entry.first for entry in every])
    documents.write(writer)
    ranges = list(_ranges(every, at_once))
    odd = sum(len(columns[source].odd(first, last).token) for source, first, last in ranges)
    stream = ColumnWriter(writer, types, int(documents.bounds[-1]), odd)
    number = np.concatenate((np.zeros(1, dtype=np.uint32), types.number))
    for piece in _pieces(ranges, columns, [number[source.number] for source in sources], at_once):
        stream.append(piece)
    return documents.languages


def _ranges(every: Sequence[_Entry], at_once: int) -> Iterator[tuple[int, int, int]]:
    """Sources and ranges of tokens to take over; documents that follow each other there too are one range."""
    source = first = last = 0
    for entry in every:
        if (entry.source, entry.first) != (source, last) or last - first >= at_once:
            if last > first:
                yield source, first, last
            source, first = entry.source, entry.first
        last = entry.last
    if last > first:
        yield source, first, last


def _pieces(
    ranges: Sequence[tuple[int, int, int]], columns: Sequence[FileColumns], numbers: Sequence[Rows], at_once: int
) -> Iterator[TokenRun]:
    """The documents' tokens in order, about so many at a time."""
    waiting: list[TokenRun] = []
    tokens, read = 0, set[int]()
    for source, first, last in ranges:
        piece = columns[source].piece(first, last)
        waiting.append(piece._replace(types=numbers[source][piece.types]))
        tokens += last - first
        read.add(source)
        if tokens >= at_once:
            yield joined(waiting)
            for each in read:
                columns[each].release()
            waiting, tokens, read = [], 0, set()
    if waiting:
        yield joined(waiting)
