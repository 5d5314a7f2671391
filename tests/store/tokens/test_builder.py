from __future__ import annotations

from pathlib import Path

import pytest

import tokens
from trasmallo.store.tokens import Builder, Corpus, DocumentTokens

ROW = ("casa", "casa", "NOUN", "", 0, 1, 0)


@pytest.mark.parametrize(
    ("lemmas", "flags", "ends"), [(["a"], b"\0\0", [1, 2]), (["a", "b"], b"\0", [1, 2]), (["a", "b"], b"\0\0", [1])]
)
def test_columns_of_different_lengths_are_refused(lemmas: list[str], flags: bytes, ends: list[int]) -> None:
    with pytest.raises(ValueError, match="shorter|same length"):
        Builder().add(DocumentTokens("a" * 16, "es", ["a", "b"], lemmas, ["X", "X"], flags, [0, 1], ends))


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


def test_more_categories_than_a_byte_counts(tmp_path: Path) -> None:
    rows: tokens.Rows = [("w", "w", f"C{number}", "", 0, 1, 0) for number in range(300)]
    corpus = Corpus.open(tokens.write_documents(tmp_path / "tokens", [tokens.document("a" * 16, "es", rows)]))
    assert corpus.categories.texts(corpus.category.tolist()) == [row[2] for row in rows]
