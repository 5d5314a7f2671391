"""Copies among the documents of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.clean.copies.signatures import sign
from trasmallo.config import Config
from trasmallo.pipeline.duplicates import find_copies
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.results.tables import Question, Tables
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run

LONG = " ".join(f"palabra{number} y otra" for number in range(200))
TEXTS = {
    "http://b.es/copia-con-nombre-largo": LONG,
    "http://b.es/": LONG,
    "http://a.es/casi": LONG + " y un final distinto",
    "http://a.es/otro": "un texto que no se parece a ninguno de los demás " * 5,
    "http://a.es/vacio": "",
    "http://a.es/vacio2": "",
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    for number, (url, text) in enumerate(TEXTS.items()):
        page = PageRow(document_id(url), url, "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "")
        write_part(run.parts, str(number), {"pages": [page], "texts": [TextRow(page.document, text, sign(text))]})
    return run


def found(run: Run) -> dict[str, tuple[str, float]]:
    with Tables(run) as tables:
        rows = tables.ask("copies", Question(columns=("url", "original", "similarity")))
        return {url: (original, similarity) for url, original, similarity in rows}


def test_the_shortest_address_is_the_original(run: Run) -> None:
    find_copies(run, 0.7)
    copies = found(run)
    assert copies["http://b.es/copia-con-nombre-largo"] == ("http://b.es/", 1.0)
    original, similarity = copies["http://a.es/casi"]
    assert original == "http://b.es/"
    assert 0.7 <= similarity < 1
    assert "http://a.es/otro" not in copies


def test_zero_keeps_all_copies_and_the_table_is_replaced(run: Run) -> None:
    assert find_copies(run, 0.7) >= 2
    assert find_copies(run, 0.0) == 0
    assert found(run) == {}


def test_a_copy_of_a_copy_is_no_copy_of_the_original(tmp_path: Path) -> None:
    words = [f"palabra{number}" for number in range(600)]
    texts = {"http://a.es/": words[:400], "http://a.es/1": words[80:480], "http://a.es/22": words[160:560]}
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    for number, (url, text) in enumerate(texts.items()):
        page = PageRow(document_id(url), url, "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "")
        write_part(run.parts, str(number), {"pages": [page], "texts": [TextRow(page.document, "", sign(" ".join(text)))]})
    find_copies(run, 0.55)

    assert [(url, original) for url, (original, _) in found(run).items()] == [("http://a.es/1", "http://a.es/")]
