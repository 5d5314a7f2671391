"""Which tokens belong to which document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.sections import Sections, Writer


class DocumentTable(msgspec.Struct, frozen=True):
    """Documents in the order of their tokens.

    `ids` are the documents' ids as numbers; document i has the tokens from `bounds[i]` to `bounds[i + 1]`; `language` holds
    places in `languages`.
    """

    ids: NDArray[np.uint64]
    bounds: NDArray[np.int64]
    language: NDArray[np.uint16]
    languages: tuple[str, ...]

    @classmethod
    def of(cls, documents: Sequence[tuple[int, str]], lengths: Sequence[int]) -> Self:
        """A table of (id, language) and the number of tokens of each."""
        languages = tuple(sorted({language for _, language in documents}))
        place = {language: number for number, language in enumerate(languages)}
        bounds = np.cumsum([0, *lengths], dtype=np.int64)
        ids = np.array([document for document, _ in documents], dtype=np.uint64)
        return cls(ids, bounds, np.array([place[language] for _, language in documents], dtype=np.uint16), languages)

    @classmethod
    def read(cls, sections: Sections) -> Self:
        """The table of a file."""
        names = ("document.id", "document.bounds", "document.language")
        sections.verify(names)
        ids, bounds, language = map(sections.array, names)
        return cls(ids, bounds, language, sections.languages)

    def __len__(self) -> int:
        return len(self.ids)

    def write(self, writer: Writer) -> None:
        """Write the sections that `read` reads; the languages go into the directory."""
        writer.add("document.id", self.ids)
        writer.add("document.bounds", self.bounds)
        writer.add("document.language", self.language)
