"""Which document an address means."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import linked_run as web
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.links.addresses import prepare
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError

A, B, COPY = "http://a.es/", "http://b.es/", "http://b.es/copia"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = web.start(tmp_path)
    web.write(run, "1", [web.page(A), web.page(B), web.page(COPY), web.page("http://a.es/x", drop="empty")], [])
    return run


def meaning(run: Run, url: str) -> str:
    """The address of the document that an address means, "" for none."""
    with Tables(run) as tables:
        prepare(tables.connection, run)
        prepare(tables.connection, run)
        query = "SELECT n.url FROM link_leads l JOIN link_nodes n USING (number) WHERE l.key = hash(?)"
        return "".join(found for (found,) in tables.select(query, [url]))


def test_a_document_is_meant_by_its_address(run: Run) -> None:
    assert meaning(run, A) == A
    assert meaning(run, "http://a.es/x") == ""


def test_a_copy_means_its_original(run: Run) -> None:
    web.copy(run, {COPY: B})
    assert meaning(run, COPY) == B


def test_redirects_are_followed_to_their_end(run: Run) -> None:
    web.copy(run, {COPY: B})
    web.redirect(run, {"http://c.es/1": "http://c.es/2", "http://c.es/2": "http://c.es/3", "http://c.es/3": COPY})
    assert meaning(run, "http://c.es/1") == B


def test_circles_of_redirects_lead_nowhere(run: Run) -> None:
    web.redirect(run, {"http://c.es/1": "http://c.es/2", "http://c.es/2": "http://c.es/1"})
    assert meaning(run, "http://c.es/1") == ""


def test_an_address_that_gave_a_page_is_not_redirected(run: Run) -> None:
    web.redirect(run, {A: B})
    assert meaning(run, A) == A


def test_sites_are_registered_domains(tmp_path: Path) -> None:
    run = web.start(tmp_path)
    web.write(run, "1", [web.page("http://www.mar.co.uk/"), web.page("http://blog.mar.co.uk/")], [])
    with Tables(run) as tables:
        prepare(tables.connection, run)
        assert tables.select("SELECT DISTINCT site FROM link_hosts") == [("mar.co.uk",)]


def test_links_of_an_earlier_version_are_read_again(run: Run) -> None:
    import duckdb

    compile_tables(run)
    path = run.folder / "links.parquet"
    for table in ("anchors", "ranks"):
        (run.folder / f"{table}.parquet").unlink()
    duckdb.sql(f"COPY (SELECT document, url, anchor, rel FROM '{path}') TO '{path}.old' (FORMAT parquet)")
    path.with_name("links.parquet.old").replace(path)
    with Tables(run) as tables, pytest.raises(UsageError, match="trasmallo clean"):
        tables.ask("ranks")
