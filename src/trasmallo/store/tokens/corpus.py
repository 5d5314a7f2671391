"""A corpus of tokens, read from its file: columns, lexicons, documents, sentences.

Nothing is read before it is asked for. A whole column of words or lemmas takes 4 bytes a token of memory once it is made.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.document import SENTENCE
from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.lexicon import Lexicon
from trasmallo.store.tokens.merging import OF_NONE, merge
from trasmallo.store.tokens.positions import SECTION, Positions
from trasmallo.store.tokens.sections import Sections, mapped_bytes
from trasmallo.store.tokens.streams import Bytes, FileColumns, Whole, places
from trasmallo.store.tokens.wordtypes import ATTRIBUTES
from trasmallo.values.arrays import Array

_AT_ONCE = 1 << 20  # judgement: tokens that are copied together, some megabytes
_MOST_MAPPED = 96_000_000  # judgement: bytes of mapped files that stay in memory before they are let go
_MANY = 1 << 16
"""Tokens that are worth a look at how much is mapped."""


class Column:
    """Numbers of words, lemmas, categories or tags, a token each.

    Take a slice or an array of places, or all of it by `numpy.asarray`.
    """

    def __init__(self, columns: FileColumns, of_type: Array | None) -> None:
        """`of_type` is the number of each type; without it these are the categories, which have a column of their own."""
        self._columns = columns
        self._of_type = of_type

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, key: slice | Array) -> NDArray[np.unsignedinteger]:
        if (len(range(*key.indices(len(self)))) if isinstance(key, slice) else key.size) >= _MANY:
            _release(self._columns)
        return self._columns.category[key] if self._of_type is None else self._of_type[self._columns.types(key)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("a column is always made anew: leave out copy=False")
        made = np.empty(len(self), dtype=dtype or np.uint32)
        for begin in range(0, len(self), _AT_ONCE):
            made[begin : begin + _AT_ONCE] = self[begin : begin + _AT_ONCE]
        return made


class Documents:
    """The documents of a corpus, in the order of their ids when it was merged. `bounds` has one entry more than there are."""

    def __init__(self, table: DocumentTable) -> None:
        self._table = table
        self.bounds: Whole = table.bounds

    def __len__(self) -> int:
        return len(self._table)

    def id(self, index: int) -> str:
        """A document's id."""
        return f"{int(self._table.ids[index]):016x}"

    def language(self, index: int) -> str:
        """A document's language."""
        return self._table.languages[int(self._table.language[index])]

    def range(self, index: int) -> tuple[int, int]:
        """A document's tokens: the first, and the one past the last."""
        return int(self.bounds[index]), int(self.bounds[index + 1])

    def find(self, document: str) -> int | None:
        """The place of a document's id, None when it is not there."""
        found = np.flatnonzero(self._table.ids == np.uint64(int(document, 16)))
        return int(found[0]) if len(found) else None

    def among(self, documents: Collection[str]) -> NDArray[np.bool_]:
        """For each document whether its id is among these."""
        return np.isin(self._table.ids, np.array([int(document, 16) for document in documents], dtype=np.uint64))

    def holding(self, tokens: Array) -> Whole:
        """The places of the documents that hold these tokens."""
        return np.searchsorted(self.bounds, tokens, side="right") - 1

    def languages(self) -> dict[str, NDArray[np.intp]]:
        """The places of the documents of each language."""
        return {code: np.flatnonzero(self._table.language == number) for number, code in enumerate(self._table.languages)}


class Corpus:
    """The tokens of a corpus. `word`, `lemma`, `category` and `tag` are columns of numbers."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._columns = FileColumns(sections)
        self.documents = Documents(DocumentTable.read(sections))
        sections.verify(name for name in (f"type.{one}" for one in (*ATTRIBUTES, "count")) if name in sections)

    @classmethod
    def open(cls, path: Path) -> Corpus:
        """The corpus in a file. Lexicons and tables are checked, columns are not: that is `verify`'s."""
        return cls(Sections(path))

    def __len__(self) -> int:
        """How many tokens it has."""
        return len(self._columns)

    def verify(self) -> None:
        """Read all of the file, and raise StoreDamaged when it is not what was written."""
        self._sections.verify()

    @cached_property
    def words(self) -> Lexicon:
        """Word forms as they stand in the texts."""
        return Lexicon(self._sections, "word")

    @cached_property
    def lemmas(self) -> Lexicon:
        """Lemmas."""
        return Lexicon(self._sections, "lemma")

    @cached_property
    def categories(self) -> Lexicon:
        """Categories."""
        return Lexicon(self._sections, "category")

    @cached_property
    def tags(self) -> Lexicon:
        """Original tags; "" where a token has none."""
        return Lexicon(self._sections, "tag")

    @property
    def word(self) -> Column:
        """The word of each token."""
        return self._column("word")

    @property
    def lemma(self) -> Column:
        """The lemma of each token."""
        return self._column("lemma")

    @property
    def tag(self) -> Column:
        """The tag of each token."""
        return self._column("tag")

    @property
    def category(self) -> Column:
        """The category of each token."""
        return Column(self._columns, None)

    @property
    def flags(self) -> Bytes:
        """The flags of each token, mapped; see `document`."""
        return self._columns.flags

    @cached_property
    def sentences(self) -> Whole:
        """The tokens at which a sentence begins; a document begins one, too."""
        found = [self.documents.bounds[:-1][np.diff(self.documents.bounds) > 0]]
        for begin in range(0, len(self), _AT_ONCE):
            found.append(np.flatnonzero(self.flags[begin : begin + _AT_ONCE] & SENTENCE) + begin)
            self.release()
        return np.unique(np.concatenate(found))

    @property
    def counts(self) -> NDArray[np.uint64]:
        """How many tokens each type has."""
        return self._sections.array("type.count")

    def strings(self, attribute: str) -> Lexicon:
        """The lexicon of word, lemma, category or tag."""
        return {"word": self.words, "lemma": self.lemmas, "category": self.categories, "tag": self.tags}[attribute]

    def positions(self, types: Array) -> NDArray[np.unsignedinteger] | None:
        """The tokens of these types, which are given in order, type by type; None in a file without such lists."""
        return None if self._positions is None else self._positions.of(types)

    @cached_property
    def _positions(self) -> Positions | None:
        return Positions(self._sections, self.counts) if SECTION in self._sections else None

    def release(self) -> None:
        """Let go of the memory of what was read, if that is much; the system can read it again."""
        _release(self._columns)

    def type_of(self, attribute: str) -> NDArray[np.uint32]:
        """For each type its word, lemma, category or tag; the types of a word are neighbours."""
        return self._sections.array(f"type.{attribute}")

    def types(self, key: slice | Array) -> NDArray[np.uint32]:
        """The types of the tokens in a range or at these places."""
        return self._columns.types(key)

    def places(self, document: int) -> tuple[Whole, Whole]:
        """Where the tokens of a document begin and end in its text, in characters."""
        first, last = self.documents.range(document)
        usual = self.words.lengths[self.word[first:last]]
        return places(self._columns.step[first:last], self._columns.odd(first, last), usual)

    def of_types(self, values: Array) -> Column:
        """The column of what each type is given here."""
        return Column(self._columns, values)

    @cached_property
    def languages(self) -> tuple[list[str], NDArray[np.uint32]]:
        """The languages of the tokens in alphabetical order, and for each type the place of its own.

        In a file of an earlier version all tokens are in the language of the documents where there is but one, else in "".
        """
        if "type.language" not in self._sections:
            named = list(self.documents.languages())
            return named if len(named) == 1 else [""], np.zeros(len(self.counts), np.uint32)
        lexicon = Lexicon(self._sections, "language")
        place = np.empty(len(lexicon), dtype=np.uint32)
        place[lexicon.in_order] = np.arange(len(lexicon), dtype=np.uint32)
        return lexicon.texts(lexicon.in_order.tolist()), place[self.type_of("language")]

    def _column(self, attribute: str) -> Column:
        return self.of_types(self.type_of(attribute))


def open_merged(
    paths: Sequence[Path], scratch: Path, without: Collection[str] = (), outdated: Mapping[Path, Collection[str]] = OF_NONE
) -> Corpus:
    """Several files as one corpus that nobody else sees: it is written into `scratch` and gone when it is let go.

    `without` are ids of documents to leave out, `outdated` those to leave out of single files.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        path = Path(folder) / "tokens"
        merge(paths, path, without, outdated=outdated)
        return Corpus.open(path)


def _release(columns: FileColumns) -> None:
    if mapped_bytes() > _MOST_MAPPED:
        columns.release()
