"""Tokens of documents for the tests of the store's columns, and what hypothesis draws them from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from trasmallo.store.tokens import Builder, DocumentTokens
from trasmallo.values.model import Tagged

Rows = list[tuple[str, str, str, str, int, int, int]]

words = st.sampled_from(["casa", "Casa", "de", "ñandú", "日本", "", "\ud800", "x" * 300, "10"])
row = st.tuples(
    words,
    st.sampled_from(["casa", "de", "ser", ""]),
    st.sampled_from(["NOUN", "ADP", "X"]),
    st.sampled_from(["", "Number=Sing"]),
    st.integers(0, 255),
    st.integers(0, 400),
    st.integers(-3, 400),
)
"""Word, lemma, category, tag, flags, characters since the token before began, and how many more than its own it takes."""

documents = st.dictionaries(
    st.integers(0, 2**64 - 1).map(lambda number: f"{number:016x}"),
    st.tuples(st.sampled_from(["es", "en", "und"]), st.lists(row, max_size=12)),
    max_size=6,
)


def document(name: str, language: str, rows: Rows) -> DocumentTokens:
    """The tokens of a document from drawn rows."""
    starts, ends, at = [], [], 0
    for word, *_, step, longer in rows:
        at += step
        starts.append(at)
        ends.append(at + max(len(word) + longer, 0) if longer % 2 else at + len(word))
    return told(name, language, [Tagged(*row[:4]) for row in rows], bytes(row[4] for row in rows), starts, ends)


def told(
    name: str, language: str, readings: Sequence[Tagged], flags: bytes, starts: Sequence[int], ends: Sequence[int]
) -> DocumentTokens:
    """The tokens of a document with a reading for each."""
    return DocumentTokens(name, language, readings, np.arange(len(readings)), flags, starts, ends)


def columns(one: DocumentTokens) -> tuple[list[str], list[str], list[str], list[str], list[int], list[int], list[int]]:
    """What a document's tokens say, column by column."""
    found = [one.readings[number] for number in one.numbers.tolist()]
    words, lemmas = [reading.word for reading in found], [reading.lemma for reading in found]
    categories, features = [reading.category for reading in found], [reading.features for reading in found]
    return words, lemmas, categories, features, list(one.flags), list(one.starts), list(one.ends)


def write_documents(path: Path, found: Sequence[DocumentTokens]) -> Path:
    """A file with these documents."""
    builder = Builder()
    for tokens in found:
        builder.add(tokens)
    builder.write(path)
    return path
