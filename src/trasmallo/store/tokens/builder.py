"""The tokens of a batch of documents, gathered in a worker process and written as one file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.document import DocumentTokens
from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.lexicon import encoded
from trasmallo.store.tokens.listing import Listing, compact
from trasmallo.store.tokens.sections import Writer
from trasmallo.store.tokens.streams import ColumnWriter, TokenRun, placed
from trasmallo.store.tokens.wordtypes import Types
from trasmallo.values.atomic_files import drafted
from trasmallo.values.model import Tagged


class _Document(NamedTuple):
    """The tokens of a document whose readings are not numbered yet; `readings` says which list they are in.

    `languages` are numbers of the languages of its stretches, each with its number of tokens.
    """

    readings: int
    numbers: NDArray[np.uint32]
    languages: list[tuple[int, int]]
    flags: NDArray[np.uint8]
    starts: NDArray[np.int32]
    lengths: NDArray[np.int32]


class Builder:
    """Takes documents one after the other. Memory: 13 bytes a token, and the lists of readings."""

    def __init__(self) -> None:
        self._lists: dict[int, Sequence[Tagged]] = {}
        self._tokens: list[_Document] = []
        self._documents: list[tuple[int, str]] = []
        self._languages: dict[str, int] = {}

    def __len__(self) -> int:
        """How many documents it has."""
        return len(self._documents)

    def add(self, tokens: DocumentTokens) -> None:
        """Take the tokens of a document; raises ValueError when the sequences are not of the same length."""
        flags = np.frombuffer(bytes(tokens.flags), dtype=np.uint8)
        starts, ends = np.asarray(tokens.starts).astype(np.int32), np.asarray(tokens.ends).astype(np.int32)
        if not len(tokens.numbers) == len(flags) == len(starts) == len(ends):
            raise ValueError(f"document {tokens.document}: the columns are not of the same length")
        stretches = [(code, size) for code, size in tokens.stretches or [(tokens.language, len(flags))] if size]
        if sum(size for _, size in stretches) != len(flags):
            raise ValueError(f"document {tokens.document}: its stretches have other tokens")
        languages = [(self._languages.setdefault(code, len(self._languages)), size) for code, size in stretches]
        numbers = tokens.numbers.astype(np.uint32)
        self._lists[id(tokens.readings)] = tokens.readings
        self._tokens.append(_Document(id(tokens.readings), numbers, languages, flags, starts, ends - starts))
        self._documents.append((int(tokens.document, 16), tokens.language))

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        types, pieces = self._typed()
        with drafted(path) as draft, Writer(draft) as writer:
            types.write(writer)
            lengths = [len(piece.types) for piece in pieces]
            documents = DocumentTable.of(self._documents, lengths)
            documents.write(writer)
            stream = ColumnWriter(writer, types, sum(lengths), sum(len(piece.odd.token) for piece in pieces))
            for piece in pieces:
                stream.append(piece)
            writer.finish(documents.languages)

    def _typed(self) -> tuple[Types, list[TokenRun]]:
        """The types, and the tokens with these."""
        listing, numbers = self._listed()
        # A reading in a language is one number: the languages are as many lists of the same readings.
        numbers = [_spoken(some, tokens, len(listing)) for some, tokens in zip(numbers, self._tokens, strict=True)]
        chosen, places = compact(np.concatenate([np.zeros(0, np.uint32), *numbers]), len(listing) * len(self._languages))
        language, reading = np.divmod(chosen, max(len(listing), 1))
        readings = listing.choose(reading)
        texts = readings.texts | {"language": list(map(encoded, self._languages))}
        rows = np.vstack([readings.rows, language.astype(np.uint32)])
        types = Types(texts, rows, np.bincount(places, minlength=len(chosen)))
        bounds = np.cumsum([0, *map(len, numbers)]).tolist()
        of_documents = (places[low:high] for low, high in pairwise(bounds))
        pieces = [
            TokenRun(types.number[some], tokens.flags, *placed(tokens.starts, tokens.lengths, readings.lengths[some]))
            for tokens, some in zip(self._tokens, of_documents, strict=True)
        ]
        return types, pieces

    def _listed(self) -> tuple[Listing, list[NDArray[np.uint32]]]:
        """All readings in one list, and for each document the numbers of its readings there."""
        if len(self._lists) == 1:
            return Listing.of(*self._lists.values()), [tokens.numbers for tokens in self._tokens]
        readings: list[Tagged] = []
        numbers = []
        for tokens in self._tokens:
            chosen, places = compact(tokens.numbers, len(self._lists[tokens.readings]))
            numbers.append(places + np.uint32(len(readings)))
            readings += map(self._lists[tokens.readings].__getitem__, chosen.tolist())
        return Listing.of(readings), numbers


def _spoken(numbers: NDArray[np.uint32], tokens: _Document, size: int) -> NDArray[np.uint32]:
    """Numbers of readings, of which there are `size`, in their languages."""
    languages, lengths = zip(*tokens.languages, strict=True) if tokens.languages else ((), ())
    if not any(languages):
        return numbers
    return numbers + np.repeat(np.array(languages, np.uint32) * np.uint32(size), lengths)
