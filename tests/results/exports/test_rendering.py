"""Tokens as lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.export_checks import document, laid_out
from support.token_documents import write_documents
from trasmallo.results.exports import rendering
from trasmallo.results.exports.rendering import ExportedToken, Rendering, category_of, clean
from trasmallo.store.tokens import Corpus


def test_what_breaks_lines_xml_or_unicode_is_replaced_and_nothing_else() -> None:
    assert clean("a\tb\nc\x85d\u2028e\ud800f\ufffe") == "a�b�c�d�e�f�"
    kept = "ñandú 日本 \u202eabc\u202c a\u200db 😀 <&>"
    assert clean(kept) == kept


def test_every_category_is_one_of_universal_dependencies() -> None:
    assert [category_of(name) for name in ("NOUN", "punctuation", "number", "alphabetic", "", "<")] == [
        "NOUN", "PUNCT", "NUM", "X", "X", "X",
    ]  # fmt: skip


def test_each_distinct_token_is_made_once_and_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, text, page = document([(word, word, "NOUN", "", False, 1) for word in "abacabdefg"])
    corpus = Corpus.open(write_documents(tmp_path / "tokens", [found]))
    laid = laid_out(corpus, text, page)
    made: list[str] = []

    def render(word: ExportedToken) -> str:
        made.append(word.word)
        return word.word

    assert b"".join(Rendering(corpus, render, bytes.upper).lines(laid)) == b"abacabdefg"
    assert sorted(made) == list("abcdefg")
    monkeypatch.setattr(rendering, "MOST_KEPT", 2)
    small = Rendering(corpus, render, bytes.upper)
    assert b"".join(small.lines(laid)) == b"abacabdefg"
    assert len(small) <= 2
