"""The laws of a run: counted in the tables, in the order in which documents arrived."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from support.counted_documents import tokens_of
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.laws import compute
from trasmallo.results.rows import CopyRow, PageRow
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.study.laws.heaps import Growth
from trasmallo.values.errors import UsageError

TEXTS = {
    "http://b.es/2": "mar red mar pez",
    "http://a.es/1": "mar y red",
    "http://a.es/3": "sea and net sea",
    "http://a.es/4": "mar y red",
}
LANGUAGES = {"http://a.es/3": "en"}


def page(url: str, at: float, words: int) -> PageRow:
    host, language = url[7:11], LANGUAGES.get(url, "es")
    return PageRow(document_id(url), url, host, at, "", language, "utf-8", "text/html", 1, "sha1:X", words=words)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Documents that arrived in the order b2, a1, a3, a4; the last is a copy, and a page was dropped."""
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    pages = [page(url, float(at), len(text.split())) for at, (url, text) in enumerate(TEXTS.items())]
    dropped = msgspec.structs.replace(page("http://a.es/5", 9.0, 0), drop="empty")
    words = [
        WordRow(document_id(url), word, n, 0, LANGUAGES.get(url, "es"))
        for url, text in TEXTS.items()
        for word, n in Counter(text.split()).items()
    ]
    listed = {"pages": [*reversed(pages), dropped], "texts": [], "profiles": [], "links": []}
    write_part(run.parts, "1", listed, tokens_of(words))
    copy = CopyRow(document_id("http://a.es/4"), "http://a.es/4", document_id("http://a.es/1"), "http://a.es/1", 1.0)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.Encoder().encode_lines([copy]))
    return run


def test_words_are_ranked_and_copies_counted_once(run: Run) -> None:
    with Tables(run) as tables:
        laws = compute(tables)
    assert (laws.documents, laws.words, laws.types, laws.hapax) == (3, 11, 7, 4)
    assert [(row.rank, row.word, row.frequency) for row in laws.ranks[:3]] == [(1, "mar", 3), (2, "red", 2), (3, "sea", 2)]


def test_the_vocabulary_grows_as_documents_arrived(run: Run) -> None:
    with Tables(run) as tables:
        assert compute(tables).growth == (Growth(1, 4, 3), Growth(2, 7, 4), Growth(3, 11, 7))
    compile_tables(run)
    with Tables(run) as tables:
        assert compute(tables).growth == (Growth(1, 4, 3), Growth(2, 7, 4), Growth(3, 11, 7))


def test_a_language_and_a_site(run: Run) -> None:
    with Tables(run) as tables:
        assert (compute(tables, language="en").words, compute(tables, site="a.es").types) == (4, 6)
        assert compute(tables, language="es", site="a.es").words == 3
        with pytest.raises(UsageError, match="no words in 'fr' of 'a.es': see its documents"):
            compute(tables, language="fr", site="a.es")


def test_an_empty_run_is_told(tmp_path: Path) -> None:
    with (
        Tables(start_run(tmp_path, Config(), "crawl", "trasmallo/0")) as tables,
        pytest.raises(UsageError, match="no words:"),
    ):
        compute(tables)
