"""How tokens become lines: each distinct one is written once and then looked up, which is what makes exports quick."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from trasmallo.results.exports.documents import TokenisedDocument, documents
from trasmallo.results.exports.header import PAGES, ExportRequest, Header, counted
from trasmallo.results.exports.source import ExportSource
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.tokens import Corpus
from trasmallo.store.warc import date_of
from trasmallo.values.atomic_files import drafted
from trasmallo.values.errors import UsageError

MOST_KEPT = 1 << 19
"""Distinct tokens whose lines are kept, some 80 MB; beyond that they are made again."""

# Controls and line ends of all kinds, halves of surrogate pairs, and what is no character: none of the formats may hold them.
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"

FEATURES = re.compile(r"[A-Z][A-Za-z0-9\[\]]*=[A-Za-z0-9,]+(?:\|[A-Z][A-Za-z0-9\[\]]*=[A-Za-z0-9,]+)*")
"""A tag that is a list of Universal Dependencies' features."""

UPOS = frozenset(
    (
        "ADJ",
        "ADP",
        "ADV",
        "AUX",
        "CCONJ",
        "DET",
        "INTJ",
        "NOUN",
        "NUM",
        "PART",
        "PRON",
        "PROPN",
        "PUNCT",
        "SCONJ",
        "SYM",
        "VERB",
        "X",
    )
)
_BY_KIND = {"punctuation": "PUNCT", "number": "NUM"}


class ExportedToken(NamedTuple):
    """A distinct token as formats take it: nothing in it can break a line. `category` is one of UPOS."""

    word: str
    lemma: str
    category: str
    tag: str


class Rendering(dict[int, bytes]):
    """The lines of tokens by twice the number of their type, and one more where the next token is joined to it.

    `render` writes a distinct token, `join` makes of its line that of one which is joined.
    """

    def __init__(self, corpus: Corpus, render: Callable[[ExportedToken], str], join: Callable[[bytes], bytes]) -> None:
        self._words, self._lemmas = corpus.words, corpus.lemmas
        self._categories = [category_of(corpus.categories[number]) for number in range(len(corpus.categories))]
        self._tags = corpus.tags
        self._of_type = tuple(corpus.type_of(name) for name in ("word", "lemma", "category", "tag"))
        self._render, self._join = render, join

    def __missing__(self, key: int) -> bytes:
        if len(self) >= MOST_KEPT:
            self.clear()
        line = self[key] = self._join(self[key ^ 1]) if key & 1 else self._render(self._word(key >> 1)).encode()
        return line

    def _word(self, number: int) -> ExportedToken:
        word, lemma, category, tag = [column.item(number) for column in self._of_type]
        form = clean(self._words[word])
        return ExportedToken(form, clean(self._lemmas[lemma]) or form, self._categories[category], clean(self._tags[tag]))

    def lines(self, document: TokenisedDocument) -> list[bytes]:
        """The lines of all tokens of a document."""
        keys = document.types.astype("int64") * 2 + document.joined
        return list(map(self.__getitem__, keys.tolist()))


def obtained(at: float | None) -> str:
    """When a page was obtained, as WARC writes it; "" where nobody told."""
    return date_of(at) if at else ""


class TextFormat(ABC):
    """A format of running text; made for one corpus and one header. What it writes is UTF-8."""

    def __init__(self, corpus: Corpus, header: Header) -> None:
        self.header = header
        self.rendering = Rendering(corpus, self.token, self.joined)

    @abstractmethod
    def token(self, word: ExportedToken) -> str:
        """A distinct token."""

    @abstractmethod
    def joined(self, line: bytes) -> bytes:
        """What was made of a token, for where the next one follows without a blank."""

    @abstractmethod
    def document(self, document: TokenisedDocument) -> bytes:
        """A whole document."""

    def begin(self) -> bytes:
        """What comes before the first document."""
        return b""

    def end(self) -> bytes:
        """What comes after the last document."""
        return b""


def clean(text: str) -> str:
    """A text without what breaks lines, XML or UTF-8; every such character becomes U+FFFD. Bidi marks stay."""
    return text if text.isprintable() else _FORBIDDEN.sub(_REPLACEMENT, text)


def category_of(category: str) -> str:
    """One of Universal Dependencies' categories; of what was not analysed, only signs and numbers are told from X."""
    return category if category in UPOS else _BY_KIND.get(category, "X")


def write_text(source: ExportSource, path: Path, wanted: ExportRequest, make: Callable[[Corpus, Header], TextFormat]) -> int:
    """Write the chosen documents in a format; returns their number. Raises UsageError when no document is chosen."""
    header, number = Header.of(source, wanted), 0
    with source.tables() as tables, drafted(path) as draft, draft.open("wb") as file:
        corpus = open_corpus(source.run)
        form = make(corpus, header)
        file.write(form.begin())
        total = tables.number(PAGES, (*wanted.where, "drop="))
        for document in counted(documents(tables, corpus, wanted.where), total, source.emit):
            file.write(form.document(document))
            number += 1
        file.write(form.end())
        if not number:
            raise UsageError("there is no such document", "see which there are with: trasmallo list DIR pages --where drop=")
    return number
