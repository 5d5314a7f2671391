"""The tokens of a batch of documents, gathered in a worker process and written as one file."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trasmallo.errors import disk_errors
from trasmallo.model import Tagged
from trasmallo.store.tokens.document import DocumentTokens
from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.lexicon import encoded
from trasmallo.store.tokens.sections import Writer
from trasmallo.store.tokens.streams import Piece, Stream, placed
from trasmallo.store.tokens.wordtypes import ATTRIBUTES, Types

LONGEST = 1_000
"""Characters of a word, lemma or tag that are kept; its place tells the rest. Nobody's lexicon can be filled with one page."""


class Builder:
    """Takes documents one after the other. Memory: 6 bytes a token, 16 a distinct reading of each document."""

    def __init__(self) -> None:
        self._readings: list[Tagged] = []
        self._pieces: list[Piece] = []
        self._documents: list[tuple[int, str]] = []

    def __len__(self) -> int:
        """How many documents it has."""
        return len(self._documents)

    def add(self, tokens: DocumentTokens) -> None:
        """Take the tokens of a document; raises ValueError when the sequences are not of the same length."""
        flags = np.frombuffer(bytes(tokens.flags), dtype=np.uint8)
        starts, ends = _whole(tokens.starts), _whole(tokens.ends)
        if not len(tokens.numbers) == len(flags) == len(starts) == len(ends):
            raise ValueError(f"document {tokens.document}: the columns are not of the same length")
        lengths = np.array([len(one.word) for one in tokens.readings], np.int64)
        usual = np.minimum(lengths, LONGEST)[tokens.numbers]
        types = (tokens.numbers + len(self._readings)).astype(np.uint32)
        self._pieces.append(Piece(types, flags, *placed(starts, ends - starts, usual)))
        self._documents.append((int(tokens.document, 16), tokens.language))
        self._readings += tokens.readings

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        types, numbers = self._final_types()
        draft = path.with_name(path.name + ".new")
        with disk_errors(path), Writer(draft) as writer:
            types.write(writer)
            lengths = [len(piece.types) for piece in self._pieces]
            documents = DocumentTable.of(self._documents, lengths)
            documents.write(writer)
            stream = Stream(writer, types, sum(lengths), sum(len(piece.odd.token) for piece in self._pieces))
            for piece in self._pieces:
                stream.append(piece._replace(types=numbers[piece.types]))
            writer.finish(documents.languages)
            draft.replace(path)

    def _final_types(self) -> tuple[Types, NDArray[np.uint32]]:
        """The types, and the number of each reading among them."""
        # By identity: documents share most of their readings, and comparing these would cost more than all the rest.
        identities = np.fromiter(map(id, self._readings), np.uint64, len(self._readings))
        _, firsts, same = np.unique(identities, return_index=True, return_inverse=True)
        different = [self._readings[place] for place in firsts.tolist()]
        counts = np.zeros(len(different), dtype=np.int64)
        for piece in self._pieces:
            counts += np.bincount(same[piece.types], minlength=len(counts))
        columns = [_numbered(list(map(attrgetter(field), different))) for field in _FIELDS]
        texts = {name: texts for name, (texts, _) in zip(ATTRIBUTES, columns, strict=True)}
        types = Types(texts, np.stack([numbers for _, numbers in columns]), counts)
        return types, types.number[same]


_FIELDS = ("word", "lemma", "category", "features")


def _numbered(column: list[str]) -> tuple[list[bytes], NDArray[np.uint32]]:
    """The different texts of a column, cut where they are too long, and for each row the number of its text."""
    if max(map(len, column), default=0) > LONGEST:
        column = [text[:LONGEST] for text in column]
    different = list(dict.fromkeys(column))
    numbers = dict(zip(different, range(len(different)), strict=True))
    return list(map(encoded, different)), np.fromiter(map(numbers.__getitem__, column), np.uint32, len(column))


def _whole(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.asarray(values, dtype=np.int64)
