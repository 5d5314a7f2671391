"""The columns of tokens on their way into a file and out of it, a piece at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.sections import Sections, Writer
from trasmallo.store.tokens.wordtypes import Types
from trasmallo.values.arrays import Array

Bytes = NDArray[np.uint8]
Whole = NDArray[np.int64]
Places = NDArray[np.signedinteger]

ODD = 255
"""The step of a token whose place is told in full, elsewhere."""

_LOW_BITS = 16  # a type's number is kept as 16 bits and, where there are more types, a column for the rest


class Odd(NamedTuple):
    """Places told in full: the token's number, how far it begins after the one before, its length; both in characters.

    They are needed where a text has soft hyphens or letters with their accents apart, and where a gap is long.
    """

    token: NDArray[np.uint64]
    step: NDArray[np.int32]
    length: NDArray[np.uint32]


class TokenRun(NamedTuple):
    """Tokens one after the other. `steps` says how far each begins after the one before, `odd.token` counts from the first."""

    types: NDArray[np.uint32]
    flags: Bytes
    steps: Bytes
    odd: Odd


class ColumnWriter:
    """Appends pieces to the columns of a file that will have so many tokens and so many odd places."""

    def __init__(self, writer: Writer, types: Types, tokens: int, odd: int) -> None:
        self._writer = writer
        self._categories = types.categories
        self._done = 0
        writer.reserve("token.low", np.uint16, tokens)
        self._high = len(types) > 1 << _LOW_BITS
        if self._high:
            writer.reserve("token.high", np.uint8 if len(types) <= 1 << (_LOW_BITS + 8) else np.uint16, tokens)
        writer.reserve("token.category", self._categories.dtype, tokens)
        writer.reserve("token.flags", np.uint8, tokens)
        writer.reserve("token.step", np.uint8, tokens)
        for name, dtype in (("token", np.uint64), ("step", np.int32), ("length", np.uint32)):
            writer.reserve(f"odd.{name}", dtype, odd)

    def append(self, piece: TokenRun) -> None:
        """The next tokens."""
        write = self._writer.append
        write("token.low", piece.types.astype(np.uint16))
        if self._high:
            write("token.high", piece.types >> _LOW_BITS)
        write("token.category", self._categories[piece.types])
        write("token.flags", piece.flags)
        write("token.step", piece.steps)
        write("odd.token", piece.odd.token + np.uint64(self._done))
        write("odd.step", piece.odd.step)
        write("odd.length", piece.odd.length)
        self._done += len(piece.types)


class TypeColumn:
    """The types of tokens, from their lower two bytes and, where there are more types than these tell, the others."""

    def __init__(self, file: Sections | Writer) -> None:
        self._low = file.array("token.low")
        self._high = file.array("token.high") if "token.high" in file else None
        self.release = file.release

    def __len__(self) -> int:
        return len(self._low)

    def __getitem__(self, key: slice | Array) -> NDArray[np.uint32]:
        low: NDArray[np.uint32] = self._low[key].astype(np.uint32)
        if self._high is not None:
            low |= self._high[key].astype(np.uint32) << np.uint32(_LOW_BITS)
        return low


class FileColumns:
    """The columns of a file, mapped."""

    def __init__(self, sections: Sections) -> None:
        self._types = TypeColumn(sections)
        self.release = sections.release
        self._odd = Odd(*(sections.array(f"odd.{name}") for name in Odd._fields))
        self.category: NDArray[np.unsignedinteger] = sections.array("token.category")
        self.flags: Bytes = sections.array("token.flags")
        self.step: Bytes = sections.array("token.step")

    def __len__(self) -> int:
        return len(self._types)

    def types(self, key: slice | Array) -> NDArray[np.uint32]:
        """The types of the tokens in a range or at these places."""
        return self._types[key]

    def odd(self, first: int, last: int) -> Odd:
        """The odd places of a range, counted from its first token."""
        begin, end = np.searchsorted(self._odd.token, np.array([first, last], dtype=np.uint64))
        chosen = slice(begin, end)
        return Odd(self._odd.token[chosen] - np.uint64(first), self._odd.step[chosen], self._odd.length[chosen])

    def piece(self, first: int, last: int) -> TokenRun:
        """A range of tokens."""
        chosen = slice(first, last)
        return TokenRun(self.types(chosen), self.flags[chosen], self.step[chosen], self.odd(first, last))


def joined(pieces: list[TokenRun]) -> TokenRun:
    """Pieces one after the other as one."""
    shift = np.cumsum([0, *(len(piece.types) for piece in pieces)], dtype=np.uint64)
    places = [piece.odd.token + before for piece, before in zip(pieces, shift[:-1], strict=True)]
    return TokenRun(
        np.concatenate([piece.types for piece in pieces]),
        np.concatenate([piece.flags for piece in pieces]),
        np.concatenate([piece.steps for piece in pieces]),
        Odd(
            np.concatenate(places),
            np.concatenate([piece.odd.step for piece in pieces]),
            np.concatenate([piece.odd.length for piece in pieces]),
        ),
    )


def placed(starts: Places, lengths: Places, usual: Places) -> tuple[Bytes, Odd]:
    """Steps and odd places of a document whose words are `usual` characters long where nothing is odd."""
    steps = np.diff(starts, prepend=0)
    odd = (steps < 0) | (steps >= ODD) | (lengths != usual)
    places = np.flatnonzero(odd)
    told = Odd(places.astype(np.uint64), steps[places].astype(np.int32), lengths[places].astype(np.uint32))
    return np.where(odd, ODD, steps).astype(np.uint8), told


def places(steps: Bytes, odd: Odd, usual: Whole) -> tuple[Whole, Whole]:
    """Starts and ends of a document's tokens, the reverse of `placed`."""
    whole, lengths = steps.astype(np.int64), usual.astype(np.int64)
    at = odd.token.astype(np.intp)
    whole[at], lengths[at] = odd.step, odd.length
    starts = np.cumsum(whole)
    return starts, starts + lengths
