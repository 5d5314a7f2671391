from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support import token_documents as tokens
from trasmallo.store.tokens import Builder, Corpus, DocumentTokens
from trasmallo.values.model import Tagged

ROW = ("casa", "casa", "NOUN", "", 0, 1, 0)


@pytest.mark.parametrize(("words", "flags", "ends"), [("a", b"\0\0", [1, 2]), ("ab", b"\0", [1, 2]), ("ab", b"\0\0", [1])])
def test_columns_of_different_lengths_are_refused(words: str, flags: bytes, ends: list[int]) -> None:
    with pytest.raises(ValueError, match="same length"):
        Builder().add(tokens.told("a" * 16, "es", [Tagged(word, word, "X") for word in words], flags, [0, 1], ends))


def test_the_same_readings_are_one_however_they_are_given(tmp_path: Path) -> None:
    shared, same = Tagged("casa", "casa", "NOUN"), Tagged("casa", "casa", "NOUN")
    given = [shared, same, Tagged("casa", "casar", "VERB"), shared]
    once = DocumentTokens("b" * 16, "es", [shared], np.zeros(4, np.int64), bytes(4), [0, 5, 10, 15], [4, 9, 14, 19])
    made = [tokens.told("a" * 16, "es", given, bytes(4), [0, 5, 10, 15], [4, 9, 14, 19]), once]
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", made))
    assert corpus.counts.tolist() == [7, 1]
    assert corpus.lemmas.texts(corpus.lemma[:].tolist()) == ["casa", "casa", "casar", "casa", *["casa"] * 4]


def test_a_file_appears_whole(tmp_path: Path) -> None:
    builder = Builder()
    builder.add(tokens.document("a" * 16, "es", [ROW] * 3))
    builder.write(tmp_path / "tokens")
    assert [path.name for path in tmp_path.iterdir()] == ["tokens"]
    assert (len(builder), len(Corpus.open(tmp_path / "tokens"))) == (1, 3)


def test_documents_keep_the_order_they_came_in(tmp_path: Path) -> None:
    made = [tokens.document(name * 16, "es", [ROW]) for name in "cab"]
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", made))
    assert [corpus.documents.id(index)[0] for index in range(3)] == ["c", "a", "b"]


def test_a_word_of_a_million_letters_is_cut_and_keeps_its_place(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    readings = [Tagged(word, word, "X") for word in ("a", long, "b")]
    made = tokens.told("a" * 16, "es", readings, bytes(3), [0, 2, 1_000_003], [1, 1_000_002, 1_000_004])
    path = tokens.write_documents(tmp_path / "tokens", [made])
    corpus = Corpus.open(path)
    assert path.stat().st_size < 10_000
    assert corpus.words[corpus.word[1:2][0]] == "x" * 1_000
    assert [places.tolist() for places in corpus.places(0)] == [made.starts, made.ends]


def test_more_categories_than_a_byte_counts(tmp_path: Path) -> None:
    rows: tokens.Rows = [("w", "w", f"C{number}", "", 0, 1, 0) for number in range(300)]
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", [tokens.document("a" * 16, "es", rows)]))
    assert corpus.categories.texts(corpus.category[:].tolist()) == [row[2] for row in rows]
