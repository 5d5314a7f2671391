"""The tokens of a batch of documents, gathered in a worker process and written as one file."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from trasmallo.errors import disk_errors
from trasmallo.store.tokens.document import DocumentTokens
from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.lexicon import encoded
from trasmallo.store.tokens.sections import Writer
from trasmallo.store.tokens.streams import Piece, Stream, placed
from trasmallo.store.tokens.wordtypes import ATTRIBUTES, Rows, Types

LONGEST = 1_000
"""Characters of a word, lemma or tag that are kept; its place tells the rest. Nobody's lexicon can be filled with one page."""

Key = TypeVar("Key", bound=Hashable)


class Builder:
    """Takes documents one after the other. Memory: 6 bytes a token, some 500 a distinct word with its analysis."""

    def __init__(self) -> None:
        self._types = _Numbering[tuple[str, str, str, str]]()
        self._pieces: list[Piece] = []
        self._documents: list[tuple[int, str]] = []

    def __len__(self) -> int:
        """How many documents it has."""
        return len(self._documents)

    def add(self, tokens: DocumentTokens) -> None:
        """Take the tokens of a document; raises ValueError when the sequences are not of the same length."""
        words = _shortened(tokens.words)
        tags = repeat("", len(words)) if tokens.tags is None else _shortened(tokens.tags)
        combined = zip(words, _shortened(tokens.lemmas), tokens.categories, tags, strict=True)
        types = np.array(array("I", map(self._types.__getitem__, combined)), dtype=np.uint32)
        flags = np.frombuffer(bytes(tokens.flags), dtype=np.uint8)
        starts, ends = _whole(tokens.starts), _whole(tokens.ends)
        if not len(types) == len(flags) == len(starts) == len(ends):
            raise ValueError(f"document {tokens.document}: the columns are not of the same length")
        usual = np.fromiter(map(len, words), dtype=np.int64, count=len(types))
        self._pieces.append(Piece(types, flags, *placed(starts, ends - starts, usual)))
        self._documents.append((int(tokens.document, 16), tokens.language))

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        types = self._final_types()
        draft = path.with_name(path.name + ".new")
        with disk_errors(path), Writer(draft) as writer:
            types.write(writer)
            lengths = [len(piece.types) for piece in self._pieces]
            documents = DocumentTable.of(self._documents, lengths)
            documents.write(writer)
            stream = Stream(writer, types, sum(lengths), sum(len(piece.odd.token) for piece in self._pieces))
            for piece in self._pieces:
                stream.append(piece._replace(types=types.number[piece.types]))
            writer.finish(documents.languages)
            draft.replace(path)

    def _final_types(self) -> Types:
        texts: dict[str, list[bytes]] = {}
        rows: Rows = np.empty((len(ATTRIBUTES), len(self._types)), dtype=np.uint32)
        for place, name in enumerate(ATTRIBUTES):
            numbering = _Numbering[str]()
            rows[place] = np.fromiter((numbering[kind[place]] for kind in self._types), np.uint32, len(self._types))
            texts[name] = [encoded(text) for text in numbering]
        counts = np.zeros(len(self._types), dtype=np.int64)
        for piece in self._pieces:
            counts += np.bincount(piece.types, minlength=len(counts))
        return Types(texts, rows, counts)


class _Numbering(dict[Key, int], Generic[Key]):
    """Gives every key that is asked for a number, in order."""

    def __missing__(self, key: Key) -> int:
        number = self[key] = len(self)
        return number


def _shortened(texts: Sequence[str]) -> Sequence[str]:
    return [text[:LONGEST] for text in texts] if max(map(len, texts), default=0) > LONGEST else texts


def _whole(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.asarray(values, dtype=np.int64)
