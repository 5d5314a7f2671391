"""Copies among documents that still arrive."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.clean.copies.signatures import sign
from trasmallo.config import Config
from trasmallo.pipeline.arriving_copies import Arrivals
from trasmallo.pipeline.duplicates import find_copies
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.parts import document_id, merge_parts, write_part
from trasmallo.store.run_folders import Run

LONG = " ".join(f"palabra{number} y otra" for number in range(200))
OTHER = " ".join(f"cosa{number} sin parecido" for number in range(200))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return start_run(tmp_path, Config(), "crawl", "trasmallo/0")


def arrive(run: Run, name: str, texts: dict[str, str]) -> None:
    pages = [PageRow(document_id(url), url, "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "") for url in texts]
    signed = [TextRow(document_id(url), text, sign(text)) for url, text in texts.items()]
    write_part(run.parts, name, {"pages": pages, "texts": signed})


def written(run: Run) -> bytes:
    return (run.folder / "copies.jsonl").read_bytes()


def test_a_copy_is_known_as_soon_as_it_has_come(run: Run) -> None:
    arrivals = Arrivals(run, 0.7)
    arrive(run, "1", {"http://a.es/uno": LONG, "http://a.es/otro": OTHER})
    arrivals.look()
    assert arrivals.found == 0
    arrive(run, "2", {"http://a.es/copia-de-uno": LONG})
    arrivals.look()
    assert arrivals.found == 1
    assert b"copia-de-uno" in written(run)


def test_an_original_gives_way_to_a_shorter_address(run: Run) -> None:
    arrivals = Arrivals(run, 0.7)
    arrive(run, "1", {"http://a.es/muy-largo": LONG, "http://a.es/largo": LONG})
    arrivals.look()
    early = written(run)
    arrive(run, "2", {"http://a.es/": LONG, "http://a.es/otro": OTHER})
    arrivals.look()
    late = written(run)
    assert late != early
    find_copies(run, 0.7)
    assert sorted(late.splitlines()) == sorted(written(run).splitlines())


def test_merged_parts_bring_nothing_twice(run: Run) -> None:
    arrivals = Arrivals(run, 0.7)
    for number in range(4):
        arrive(run, f"{number:08d}-1", {f"http://a.es/{number}": LONG})
    arrivals.look()
    assert merge_parts(run.parts, most=2)
    arrive(run, "00000009-1", {"http://a.es/9": LONG})
    arrivals.look()
    assert arrivals.found == 4


def test_a_second_session_knows_the_documents_of_the_first(run: Run) -> None:
    arrive(run, "1", {"http://a.es/1": LONG})
    Arrivals(run, 0.7).look()
    arrive(run, "2", {"http://a.es/2": LONG})
    second = Arrivals(run, 0.7)
    second.look()
    assert second.found == 1
