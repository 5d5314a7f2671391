"""What a run leaves out with its sites, and reads again when they are put back."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.pipeline.site_selection import pages_left_out, pages_put_back, without_sites
from trasmallo.results.rows import GoneRow
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.left_out_sites import TAKEN_OUT, LeftOutSite, leave_out
from trasmallo.store.parts import document_id
from trasmallo.values.model import Fetch, Locator, Outcome

URLS = ("http://a.es/", "http://a.es:8080/x", "https://a.es/y", "http://b.a.es/", "http://b.es/")


def test_settings_without_a_site_ask_for_none_of_it(tmp_path: Path) -> None:
    config = Config()
    config = msgspec.structs.replace(config, crawl=msgspec.structs.replace(config.crawl, seeds=("http://A.es", "http://b.es/")))
    assert without_sites(config, tmp_path) is config
    leave_out(tmp_path, {"a.es": LeftOutSite("a.es", 1.0)})
    left = without_sites(config, tmp_path)
    assert left.crawl.seeds == ("http://b.es/",)
    assert set(left.crawl.exclude) == {"http://a.es/", "http://a.es:", "https://a.es/", "https://a.es:"}
    assert (left.clean, left.study) == (config.clean, config.study)


def test_pages_of_a_site_are_left_out_and_put_back(tmp_path: Path) -> None:
    run = run_folders.start(tmp_path / "runs", "p", "selection", "t/1")
    leave_out(tmp_path, {"a.es": LeftOutSite("a.es", 9.0)})
    with Catalog(tmp_path / "catalog") as catalog:
        stored = [Fetch(url, 5.0, Outcome.FETCHED, 200, digest=url, locator=Locator("a.warc.gz", 0, 1)) for url in URLS]
        catalog.put_many([*stored, Fetch("http://a.es/missing", 5.0, Outcome.MISSING, 404)], "run")
        rows = list(pages_left_out(run, catalog, 7.0))
        assert {row.url for row in rows} == set(URLS[:3])
        assert {(row.at, row.since, row.cause) for row in rows} == {(5.0, 9.0, TAKEN_OUT)}
        assert list(pages_left_out(run, catalog, 4.0)) == []

        gone = GoneRow(document_id(URLS[4]), URLS[4], 1.0, 2.0)
        assert pages_put_back([*rows, gone], rows, run, catalog) == []
        assert {fetch.url for fetch in pages_put_back([*rows, gone], [], run, catalog)} == set(URLS[:3])
