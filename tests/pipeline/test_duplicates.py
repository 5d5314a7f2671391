"""Copies among the documents of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.clean.copies.signatures import sign
from trasmallo.config import Config
from trasmallo.pipeline.duplicates import ArrivingCopies, find_copies
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.parts import document_id, merge_parts, write_part
from trasmallo.store.run_folders import Run

LONG = " ".join(f"palabra{number} y otra" for number in range(200))
OTHER = " ".join(f"cosa{number} sin parecido" for number in range(200))
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


@pytest.fixture
def empty(tmp_path: Path) -> Run:
    return start_run(tmp_path, Config(), "crawl", "trasmallo/0")


def arrive(empty: Run, name: str, texts: dict[str, str]) -> None:
    pages = [PageRow(document_id(url), url, "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "") for url in texts]
    signed = [TextRow(document_id(url), text, sign(text)) for url, text in texts.items()]
    write_part(empty.parts, name, {"pages": pages, "texts": signed})


def written(empty: Run) -> bytes:
    return (empty.folder / "copies.jsonl").read_bytes()


def test_a_copy_is_known_as_soon_as_it_has_come(empty: Run) -> None:
    arrivals = ArrivingCopies(empty, 0.7)
    arrive(empty, "1", {"http://a.es/uno": LONG, "http://a.es/otro": OTHER})
    arrivals.look()
    assert arrivals.found == 0
    arrive(empty, "2", {"http://a.es/copia-de-uno": LONG})
    arrivals.look()
    assert arrivals.found == 1
    assert b"copia-de-uno" in written(empty)


def test_an_original_gives_way_to_a_shorter_address(empty: Run) -> None:
    arrivals = ArrivingCopies(empty, 0.7)
    arrive(empty, "1", {"http://a.es/muy-largo": LONG, "http://a.es/largo": LONG})
    arrivals.look()
    early = written(empty)
    arrive(empty, "2", {"http://a.es/": LONG, "http://a.es/otro": OTHER})
    arrivals.look()
    late = written(empty)
    assert late != early
    find_copies(empty, 0.7)
    assert sorted(late.splitlines()) == sorted(written(empty).splitlines())


def test_merged_parts_bring_nothing_twice(empty: Run) -> None:
    arrivals = ArrivingCopies(empty, 0.7)
    for number in range(4):
        arrive(empty, f"{number:08d}-1", {f"http://a.es/{number}": LONG})
    arrivals.look()
    assert merge_parts(empty.parts, most=2)
    arrive(empty, "00000009-1", {"http://a.es/9": LONG})
    arrivals.look()
    assert arrivals.found == 4


def test_a_second_sitting_knows_the_documents_of_the_first(empty: Run) -> None:
    arrive(empty, "1", {"http://a.es/1": LONG})
    ArrivingCopies(empty, 0.7).look()
    arrive(empty, "2", {"http://a.es/2": LONG})
    second = ArrivingCopies(empty, 0.7)
    second.look()
    assert second.found == 1
