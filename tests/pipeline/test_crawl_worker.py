"""A worker's own process; `crawl/workers/test_coordinator.py` has workers at work, `journey/test_several.py` processes."""

from __future__ import annotations

from pathlib import Path

from trasmallo.pipeline.crawl_worker import WorkerRows
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Locator, Outcome

ROW = Fetch("http://a.es/", 1.0, Outcome.FETCHED, 200, "text/html", "sha1:" + "A" * 32, 900, Locator("a.warc.gz", 1, 2))
OLD = Fetch("http://b.es/", 1.0, Outcome.FETCHED, 200, "text/html", "sha1:" + "B" * 32, 900, Locator("b.warc.gz", 1, 2))


def test_rows_go_to_the_hall_and_their_payloads_are_remembered() -> None:
    sent: list[Fetch] = []
    rows = WorkerRows(sent.append, None)
    rows.put_many([ROW], "run")
    rows.put_many([Fetch("http://a.es/c", 2.0, Outcome.MISSING)], "run")
    assert [row.url for row in sent] == [ROW.url, "http://a.es/c"]
    assert rows.with_digest(ROW.digest) == ROW
    assert rows.with_digest(OLD.digest) is None
    assert list(rows.versions(ROW.url)) == []
    assert list(rows.of_run("run")) == []


def test_only_the_payloads_stored_lately_are_remembered() -> None:
    rows = WorkerRows(lambda _fetch: None, None, most=2)
    for number in range(3):
        rows.put_many([Fetch(f"http://a.es/{number}", 1.0, Outcome.FETCHED, digest=str(number), locator=ROW.locator)], "run")
    assert [rows.with_digest(str(number)) is not None for number in range(3)] == [False, True, True]


def test_earlier_sessions_are_read_in_the_catalog(tmp_path: Path) -> None:
    with Catalog(tmp_path) as writer:
        writer.put(OLD, "before")
        with Catalog(tmp_path, read_only=True) as catalog:
            rows = WorkerRows(lambda _fetch: None, catalog)
            assert rows.with_digest(OLD.digest) == OLD
            assert list(rows.versions(OLD.url)) == [OLD]
            assert list(rows.of_run("before")) == [OLD]
