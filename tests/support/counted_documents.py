"""Documents that have just the words that a test counts, and the rows of tables that are made as columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders.counts import BuiltColumns
from trasmallo.results.tables.words import WordRow
from trasmallo.store.tokens import Builder
from trasmallo.study.sentences import cut


def tokens_of(rows: Iterable[WordRow]) -> Builder:
    """The tokens of documents whose `words_by_page` are these: at most half of each document's words may be capitalised."""
    documents: dict[str, list[WordRow]] = {}
    for row in rows:
        documents.setdefault(row.document, []).append(row)
    builder = Builder()
    for document, here in documents.items():
        small = [row.word for row in here for _ in range(row.count - row.capitalised)]
        names = [row.word.capitalize() for row in here for _ in range(row.capitalised)]
        builder.add(document_tokens(document, *cut(" ".join(small + names), here[0].language or "es")))
    return builder


def rows_of(made: BuiltColumns) -> list[tuple[Any, ...]]:
    """The rows of a table that is made as columns."""
    found = []
    for batch in made.batches:
        pairs = zip(made.columns.values(), batch, strict=True)
        columns = [values.tolist() if isinstance(kind, type) else _texts(kind(values)) for kind, values in pairs]
        found += zip(*columns, strict=True)
    return found


def _texts(written: Iterable[bytes]) -> list[str]:
    """What is written in a file after the length of each text."""
    return [text[4:].decode() for text in written]
