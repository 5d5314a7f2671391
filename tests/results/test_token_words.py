"""The words of a run in their order."""

from __future__ import annotations

from pathlib import Path

from support.counted_documents import tokens_of
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.tables.words import WordRow
from trasmallo.results.token_words import words_in
from trasmallo.store.parts import document_id, write_part


def test_words_of_a_language_up_to_a_number(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    write_part(run.parts, "1", {}, tokens_of([WordRow(document_id("a"), "red", 2, 0), WordRow(document_id("a"), "mar", 1, 0)]))
    assert sorted(words_in(run, "es", 10)) == ["mar", "red", "red"]
    assert len(words_in(run, "es", 2)) == 2
    assert words_in(run, "fr", 10) == []
