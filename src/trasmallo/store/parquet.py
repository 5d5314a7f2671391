"""Writes tables of numbered texts and numbers as Parquet, some rows at a time, without an object for each row.

    magic | for each group of rows and each column: a dictionary page if it has texts, a data page | metadata in Thrift | magic

A column of texts comes as numbers, so its pages are made by looking up the distinct ones only: the dictionary page holds their
texts, the data page their places in it, in 1, 2 or 4 bytes. No value may be missing. Format: apache/parquet-format,
`parquet.thrift` and `Encodings.md`. Memory: one group of rows, and what their texts take.

DuckDB, which reads these files, writes such tables too; but from numbers it has to join the texts first, and took 386 to 418 ns
a row where this takes 127 to 147.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np
import zstandard
from numpy.typing import NDArray

from trasmallo.values.arrays import Array

Texts = Callable[[Array], Sequence[bytes]]
"""Gives the texts of numbers, each as `written` makes it; a greater number has a greater text."""

Kind = Texts | type[np.int32] | type[np.int64] | type[np.float64]
"""What a column holds: texts by number, or numbers of a type."""

ROWS_TOGETHER = 122_880
"""Rows of a group: as many as DuckDB puts together, which reads groups side by side."""

_MAGIC = b"PAR1"
_LENGTH = struct.Struct("<I")
_LEVEL = 3  # zstd's usual level
_NEAR = 1 << 16  # numbers that fit in two bytes are written as a dictionary
_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12
"""Types of Thrift's compact protocol."""
_PHYSICAL: dict[object, int] = {np.int32: 1, np.int64: 2, np.float64: 5}
_BYTE_ARRAY = 6  # Type.BYTE_ARRAY of parquet.thrift
_REQUIRED, _UTF8 = 0, 0  # FieldRepetitionType and ConvertedType of parquet.thrift
_UNCOMPRESSED, _ZSTD = 0, 6  # CompressionCodec of parquet.thrift
_PLAIN, _RLE, _DICTIONARY = 0, 3, 8  # Encoding of parquet.thrift
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2  # PageType of parquet.thrift


def written(text: bytes) -> bytes:
    """A text in UTF-8 as it stands in a file."""
    return _LENGTH.pack(len(text)) + text


def listed(texts: Iterable[str]) -> Texts:
    """The texts of a list by their places; halves of surrogate pairs, which no UTF-8 has, become question marks."""
    known = [written(text.encode("utf-8", "replace")) for text in texts]
    return lambda numbers: [known[number] for number in numbers.tolist()]


class _Pages(NamedTuple):
    """The pages of a column in a group, their size before they were compressed, and its least and greatest value."""

    dictionary: bytes
    data: bytes
    size: int
    least: bytes
    greatest: bytes


class ParquetWriter:
    """Writes a table whose columns are given; it counts once it was closed without an error.

    What is read soon and removed again need not be `small`.
    """

    def __init__(self, path: Path, columns: Mapping[str, Kind], *, small: bool = True) -> None:
        self._columns = dict(columns)
        self._small = small
        self._waiting: list[Array] = [np.zeros(0, dtype=_held_as(kind)) for kind in self._columns.values()]
        self._groups: list[bytes] = []
        self._rows = 0
        self._file = path.open("wb")
        self._file.write(_MAGIC)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if error is None:
                self._finish()
        finally:
            self._file.close()

    def append(self, columns: Sequence[Array]) -> None:
        """The next rows: an array a column, all of the same length."""
        together = [
            np.concatenate(pair, dtype=pair[0].dtype, casting="unsafe") for pair in zip(self._waiting, columns, strict=True)
        ]
        whole = len(together[0]) // ROWS_TOGETHER * ROWS_TOGETHER
        for begin in range(0, whole, ROWS_TOGETHER):
            self._write_group([column[begin : begin + ROWS_TOGETHER] for column in together])
        self._waiting = [column[whole:].copy() for column in together]

    def _write_group(self, group: Sequence[Array]) -> None:
        rows = len(group[0])
        chunks = [self._write_chunk(name, values) for name, values in zip(self._columns, group, strict=True)]
        size = sum(size for _, size in chunks)
        self._groups.append(
            _struct(
                (1, _LIST, _list(_STRUCT, [chunk for chunk, _ in chunks])), (2, _I64, _whole(size)), (3, _I64, _whole(rows))
            )
        )
        self._rows += rows

    def _write_chunk(self, name: str, values: Array) -> tuple[bytes, int]:
        """Write a column of a group; its metadata, and its size before it was compressed."""
        kind = self._columns[name]
        pages = _numbers(values, kind, small=self._small) if isinstance(kind, type) else _texts(values, kind, small=self._small)
        begin = self._file.tell()
        self._file.write(pages.dictionary)
        self._file.write(pages.data)
        statistics = _struct((3, _I64, _whole(0)), (5, _BINARY, _bytes(pages.greatest)), (6, _BINARY, _bytes(pages.least)))
        fields = [
            (1, _I32, _whole(_physical(kind))),
            (2, _LIST, _list(_I32, map(_whole, (_PLAIN, _RLE, _DICTIONARY) if pages.dictionary else (_PLAIN, _RLE)))),
            (3, _LIST, _list(_BINARY, [_bytes(name.encode())])),
            (4, _I32, _whole(_ZSTD if self._small else _UNCOMPRESSED)),
            (5, _I64, _whole(len(values))),
            (6, _I64, _whole(pages.size)),
            (7, _I64, _whole(len(pages.dictionary) + len(pages.data))),
            (9, _I64, _whole(begin + len(pages.dictionary))),
            *([(11, _I64, _whole(begin))] if pages.dictionary else []),
            (12, _STRUCT, statistics),
        ]
        return _struct((2, _I64, _whole(begin)), (3, _STRUCT, _struct(*fields))), pages.size

    def _finish(self) -> None:
        if len(self._waiting[0]):
            self._write_group(self._waiting)
        root = _struct((4, _BINARY, _bytes(b"table")), (5, _I32, _whole(len(self._columns))))
        schema = [root, *(_element(name, kind) for name, kind in self._columns.items())]
        metadata = _struct(
            (1, _I32, _whole(1)),
            (2, _LIST, _list(_STRUCT, schema)),
            (3, _I64, _whole(self._rows)),
            (4, _LIST, _list(_STRUCT, self._groups)),
            (6, _BINARY, _bytes(b"trasmallo")),
        )
        self._file.write(metadata + _LENGTH.pack(len(metadata)) + _MAGIC)


def _held_as(kind: Kind) -> type[np.generic]:
    return kind if isinstance(kind, type) else np.uint32


def _physical(kind: Kind) -> int:
    return _PHYSICAL.get(kind, _BYTE_ARRAY)


def _element(name: str, kind: Kind) -> bytes:
    """A column in the schema."""
    fields = [(1, _I32, _whole(_physical(kind))), (3, _I32, _whole(_REQUIRED)), (4, _BINARY, _bytes(name.encode()))]
    return _struct(*fields, *([] if isinstance(kind, type) else [(6, _I32, _whole(_UTF8))]))


def _numbers(values: Array, kind: type[np.generic], *, small: bool) -> _Pages:
    """Whole numbers that are near each other are few different ones, so they take a dictionary, too."""
    values = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))
    least, greatest = values.min(), values.max()
    if small and kind is not np.float64 and int(greatest) - int(least) < _NEAR:
        distinct, places = _places(values)
        return _coded(
            distinct.astype(values.dtype).tobytes(), len(distinct), places, (least.tobytes(), greatest.tobytes()), small=small
        )
    data, size = _page(values.tobytes(), _DATA_PAGE, len(values), _PLAIN, small=small)
    return _Pages(b"", data, size, least.tobytes(), greatest.tobytes())


def _texts(numbers: Array, texts: Texts, *, small: bool) -> _Pages:
    distinct, places = _places(numbers)
    found = texts(distinct)
    ends = found[0][_LENGTH.size :], found[-1][_LENGTH.size :]
    return _coded(b"".join(found), len(found), places, ends, small=small)


def _coded(dictionary: bytes, size: int, places: Array, ends: tuple[bytes, bytes], *, small: bool) -> _Pages:
    """A dictionary page of so many values, and a data page of places in it."""
    head, before = _page(dictionary, _DICTIONARY_PAGE, size, _PLAIN, small=small)
    # Eight values make a pack; bits are as many as whole bytes have, so that packed values are the array's own bytes.
    packs = np.pad(places, (0, -len(places) % 8)).astype(np.min_scalar_type(size - 1).newbyteorder("<"))
    packed = bytes((packs.itemsize * 8,)) + _varint(len(packs) // 8 << 1 | 1) + packs.tobytes()
    data, after = _page(packed, _DATA_PAGE, len(places), _DICTIONARY, small=small)
    return _Pages(head, data, before + after, *ends)


def _places(numbers: Array) -> tuple[NDArray[np.intp], Array]:
    """The distinct numbers in order, and the place of each number among them."""
    low = int(numbers.min())
    used = np.zeros(int(numbers.max()) - low + 1, dtype=np.bool_)
    used[numbers - low] = True
    return np.flatnonzero(used) + low, (np.cumsum(used, dtype=np.uint32) - 1)[numbers - low]


def _page(body: bytes, kind: int, values: int, encoding: int, *, small: bool) -> tuple[bytes, int]:
    """A page, compressed if it shall be small, with its header; and its size before."""
    packed = zstandard.ZstdCompressor(level=_LEVEL).compress(body) if small else body
    about = [(1, _I32, _whole(values)), (2, _I32, _whole(encoding))]
    if kind == _DATA_PAGE:
        about += [(3, _I32, _whole(_RLE)), (4, _I32, _whole(_RLE))]
    header = _struct(
        (1, _I32, _whole(kind)),
        (2, _I32, _whole(len(body))),
        (3, _I32, _whole(len(packed))),
        (5 if kind == _DATA_PAGE else 7, _STRUCT, _struct(*about)),
    )
    return header + packed, len(header) + len(body)


def _struct(*fields: tuple[int, int, bytes]) -> bytes:
    """A struct of Thrift: its fields by number, each with its type, in order; numbers are at most 15 apart."""
    written, before = [], 0
    for number, kind, value in fields:
        written.append(bytes(((number - before) << 4 | kind,)) + value)
        before = number
    return b"".join((*written, b"\0"))


def _list(kind: int, values: Iterable[bytes]) -> bytes:
    listed = list(values)
    short = len(listed) < 0xF
    return bytes(((len(listed) if short else 0xF) << 4 | kind,)) + (b"" if short else _varint(len(listed))) + b"".join(listed)


def _bytes(value: bytes) -> bytes:
    return _varint(len(value)) + value


def _whole(value: int) -> bytes:
    """A whole number, which is never negative here, in zigzag."""
    return _varint(value << 1)


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
