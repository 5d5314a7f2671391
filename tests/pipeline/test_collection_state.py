"""The state of a collection: newest versions, known pages, pages that are gone. Whole runs: journey/test_collection.py."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.pipeline.collection_state import KnownPages, carry, has_newer, stored_pages, write_gone
from trasmallo.results.rows import GoneRow
from trasmallo.store import run_folders
from trasmallo.store.carried import GONE
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch, Locator, Outcome

URL = "http://a.es/{}".format


def fetched(name: str, at: float, digest: str = "sha1:A") -> Fetch:
    return Fetch(URL(name), at, Outcome.FETCHED, 200, digest=digest, locator=Locator("a.warc.gz", int(at), 1))


def missing(name: str, at: float, status: int = 404) -> Fetch:
    outcome = Outcome.MISSING if status in (404, 410) else Outcome.REDIRECTED
    return Fetch(URL(name), at, outcome, status, location="http://a.es/" if outcome is Outcome.REDIRECTED else "")


def make_runs(folder: Path, *begins: float) -> list[Run]:
    """Runs that add to each other, in order."""
    made: list[Run] = []
    for began in begins:
        run = run_folders.start(folder / "runs", "p", "crawl", "t/1", base=made[-1].name if made else "")
        run.manifest.began = began
        run.save()
        made.append(run)
    return made


def gone(run: Run) -> list[GoneRow]:
    return [msgspec.json.decode(line, type=GoneRow) for line in (run.folder / GONE).read_bytes().splitlines()]


def test_of_several_versions_the_newest_counts_whichever_run_brought_it(tmp_path: Path) -> None:
    first, second = make_runs(tmp_path, 10.0, 20.0)
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put_many([fetched("a", 11), fetched("b", 12)], first.name)
        catalog.put_many([fetched("b", 22, "sha1:B"), fetched("c", 5), missing("a", 23)], second.name)
        catalog.put(fetched("c", 13), first.name)
        found = {(row.url, row.at) for row in stored_pages(second, catalog, whole=True)}
        assert found == {(URL("a"), 11.0), (URL("b"), 22.0), (URL("c"), 13.0)}
        assert [row.at for row in stored_pages(second, catalog) if row.outcome.obtained] == [22.0, 5.0]
        assert has_newer(fetched("c", 5), catalog)
        assert not has_newer(fetched("b", 22), catalog)


@pytest.mark.parametrize("status", [404, 410, 301, 308])
def test_a_page_is_gone_when_two_runs_in_a_row_did_not_find_it(tmp_path: Path, status: int) -> None:
    first, second, third = make_runs(tmp_path, 10.0, 20.0, 30.0)
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put(fetched("a", 11), first.name)
        catalog.put_many([missing("a", 21, status), missing("a", 22, status)], second.name)
        write_gone(second, catalog)
        assert gone(second) == []
        catalog.put(missing("a", 31, status), third.name)
        write_gone(third, catalog)
        assert gone(third) == [GoneRow(document_id(URL("a")), URL("a"), 11.0, 21.0)]
        write_gone(second, catalog)
        assert gone(second) == [], "what later runs found says nothing of an earlier state"


def test_a_page_that_is_missing_for_hours_is_not_gone(tmp_path: Path) -> None:
    first, *runs = make_runs(tmp_path, 10.0, 20.0, 30.0, 40.0)
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put(fetched("a", 11), first.name)
        for run, at in zip(runs, (21.0, 31.0, 45.0), strict=True):
            catalog.put(missing("a", at), run.name)
            write_gone(run, catalog, after=24.0)
            assert [row.since for row in gone(run)] == ([21.0] if at == 45.0 else [])


def test_what_says_nothing_of_the_page_does_not_make_it_gone(tmp_path: Path) -> None:
    first, second, third = make_runs(tmp_path, 10.0, 20.0, 30.0)
    trouble = [Fetch(URL("a"), 21, Outcome.HTTP_ERROR, 503), missing("b", 21, 302), missing("c", 21)]
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put_many([fetched("a", 11), fetched("b", 12), fetched("c", 13)], first.name)
        catalog.put_many(trouble, second.name)
        catalog.put_many([msgspec.structs.replace(row, at=31.0) for row in trouble[:2]], third.name)
        catalog.put_many([fetched("c", 31), missing("c", 32)], third.name)
        write_gone(third, catalog)
    assert gone(third) == []


def test_an_address_that_never_was_a_page_is_not_gone(tmp_path: Path) -> None:
    first, second = make_runs(tmp_path, 10.0, 20.0)
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put(missing("a", 11), first.name)
        catalog.put(missing("a", 21), second.name)
        write_gone(second, catalog)
    assert gone(second) == []


def test_nothing_is_carried_from_what_is_not_complete(tmp_path: Path) -> None:
    _, second = make_runs(tmp_path, 10.0, 20.0)
    assert not carry(second)
    assert not KnownPages(second)(fetched("a", 1))
