"""What the catalog tells of visits."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.revisit.visits import Finding
from trasmallo.pipeline.visit_history import VisitHistory, note_texts
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch, Locator, Outcome

A, B = "http://a.es/", "http://a.es/b"


def obtained(at: float, digest: str, url: str = A, outcome: Outcome = Outcome.FETCHED, modified: str = "") -> Fetch:
    return Fetch(url, at, outcome, 200, digest=digest, locator=Locator("a.warc.gz", 0, 1), modified=modified)


def failed(at: float, outcome: Outcome, url: str = A) -> Fetch:
    return Fetch(url, at, outcome)


def findings(folder: Path, *rows: Fetch) -> list[Finding]:
    with Catalog(folder / "catalog") as catalog:
        catalog.put_many(rows, "run")
        return [visit.finding for visit in VisitHistory(catalog).visits()]


def test_each_visit_is_held_against_the_last_version(tmp_path: Path) -> None:
    rows = [
        obtained(1, "x"),
        obtained(2, "x", outcome=Outcome.UNCHANGED),
        obtained(3, "x"),
        obtained(4, "y"),
        failed(5, Outcome.TIMED_OUT),
        failed(6, Outcome.MISSING),
        obtained(7, "y"),
    ]
    assert findings(tmp_path, *rows) == ["new", "unchanged", "unchanged", "changed", "failed", "gone", "back"]


def test_a_page_that_is_back_is_held_against_what_it_was(tmp_path: Path) -> None:
    rows = [obtained(1, "x"), failed(2, Outcome.MISSING), obtained(3, "x"), failed(4, Outcome.MISSING), obtained(5, "y")]
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put_many(rows, "run")
        visits = list(VisitHistory(catalog).visits())
    assert [visit.finding for visit in visits] == ["new", "gone", "back", "gone", "back"]
    assert [visit.same for visit in visits] == [False, False, True, False, False]


def test_addresses_that_never_were_pages_are_left_out(tmp_path: Path) -> None:
    assert findings(tmp_path, failed(1, Outcome.MISSING), failed(2, Outcome.REDIRECTED, B)) == []


def part(run: Run, name: str, at: float, text: str) -> None:
    document = document_id(A)
    page = PageRow(document, A, "a.es", at, "", "es", "utf-8", "text/html", 1, "x")
    write_part(run.parts, name, {"pages": [page], "texts": [TextRow(document, text, "")]})


@pytest.mark.parametrize(("text", "finding"), [("lo mismo", "unchanged"), ("otra cosa", "changed")])
def test_a_page_has_changed_when_its_main_text_has(tmp_path: Path, text: str, finding: str) -> None:
    run = run_folders.start(tmp_path / "runs", "p", "crawl", "t/1")
    part(run, "00000001-1", 1.0, "lo mismo")
    part(run, "00000002-1", 2.0, text)
    with Catalog(tmp_path / "catalog") as catalog:
        note_texts(run, catalog)
    assert findings(tmp_path, obtained(1, "x"), obtained(2, "y")) == ["new", finding]


def test_the_date_of_a_server_counts_unless_it_is_in_the_future(tmp_path: Path) -> None:
    at = 1_000_000_000.0
    rows = [
        obtained(at, "x", modified="Sat, 08 Sep 2001 01:46:40 GMT"),
        obtained(at + 9, "y", modified="Sat, 08 Sep 2035 01:46:40 GMT"),
    ]
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put_many(rows, "run")
        assert [visit.modified for visit in VisitHistory(catalog).visits()] == [at - 86_400, None]
