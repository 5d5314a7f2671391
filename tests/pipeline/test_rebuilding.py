"""A catalog made anew from the archive has the rows of the one before, a frontier those of its own run."""

from __future__ import annotations

import asyncio
import math
import shutil
from pathlib import Path

import msgspec

from support.warc_answers import SOFTWARE, answer
from trasmallo.config import Config, CrawlConfig
from trasmallo.crawl.queue_search import QueueQuestion, search_folders
from trasmallo.pipeline.archive_rows import append_run
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.rebuilding import CatalogRebuilt, rebuild_catalog, rebuild_frontier
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Manifest, Run
from trasmallo.values.model import Failure, Fetch, Outcome, Target

LONG = b"<p>" + b"mareas vivas " * 100


def rows(store: Path) -> list[Fetch]:
    with Catalog(store / "catalog", read_only=True) as catalog:
        return sorted(catalog.every(), key=lambda fetch: (fetch.at, fetch.url))


def write(store: Path) -> None:
    """Pages, a copy, one that did not change, redirects, failures, rules; two processes and two runs."""
    at = 1_700_000_000.1234567
    with (
        Archive(store / "archive", software=SOFTWARE, prefix="trasmallo-1") as first,
        Archive(store / "archive", software=SOFTWARE, prefix="trasmallo-2") as second,
        Catalog(store / "catalog") as catalog,
    ):
        one, two = (Keeper(archive, catalog, "run-1", lambda _: None) for archive in (first, second))
        again = Keeper(first, catalog, "run-2", lambda _: None)
        page = answer(1, LONG, at=at)
        one.keep_rules(answer(0, url="http://example.org/robots.txt", at=at))
        with one.together():
            one.keep(Target(page.url), page, Outcome.FETCHED, "")
            one.keep(
                Target("http://no.es/"), Failure("http://no.es/", at + 1, Outcome.NO_HOST, "no such name"), Outcome.NO_HOST, "x"
            )
        two.keep(Target("http://b.es/"), msgspec.structs.replace(page, url="http://b.es/", at=at + 2), Outcome.FETCHED, "")
        moved = answer(3, b"", status=301, headers=(("Location", "/1"),), at=at + 3)
        two.keep(Target(moved.url), moved, Outcome.REDIRECTED, "")
        for status, outcome, cause in (
            (404, Outcome.MISSING, "not found (status 404)"),
            (500, Outcome.HTTP_ERROR, "the server failed (status 500)"),
        ):
            gone = answer(status, b"no", status=status, at=at + 4)
            two.keep(Target(gone.url), gone, outcome, cause)
        same = msgspec.structs.replace(page, status=304, body=b"", at=at + 5)
        again.keep(Target(page.url), same, Outcome.UNCHANGED, "")
        append_run(first, Manifest("run-1", "crawl", at), at)
        append_run(first, Manifest("run-1", "crawl", at, crawled=True), at + 6)


def test_the_rows_are_those_of_before(tmp_path: Path) -> None:
    write(tmp_path)
    before = rows(tmp_path)
    assert len(before) == 7
    shutil.rmtree(tmp_path / "catalog")
    assert rebuild_catalog(tmp_path) == CatalogRebuilt(rows=7, lost=0)
    assert rows(tmp_path) == before
    with Catalog(tmp_path / "catalog", read_only=True) as catalog:
        assert {fetch.url for fetch in catalog.of_run("run-2")} == {"http://example.org/1"}


def test_what_lies_behind_damage_is_found(tmp_path: Path) -> None:
    write(tmp_path)
    before = rows(tmp_path)
    file = next((tmp_path / "archive").glob("trasmallo-2-*"))
    content = bytearray(file.read_bytes())
    place = next(fetch.locator for fetch in before if fetch.url == "http://example.org/3")
    assert place is not None
    content[place.offset + place.length // 2] ^= 0xFF
    file.write_bytes(content)
    rebuild_catalog(tmp_path)
    assert {fetch.url for fetch in before} - {fetch.url for fetch in rows(tmp_path)} == {"http://example.org/3"}


def test_a_frontier_has_what_its_own_run_was_answered(tmp_path: Path) -> None:
    at, url = 1_700_000_000.0, "http://example.org/1"
    with Archive(tmp_path / "archive", software=SOFTWARE) as archive, Catalog(tmp_path / "catalog") as catalog:
        for number, (outcome, status) in enumerate(((Outcome.FETCHED, 200), (Outcome.MISSING, 404))):
            keeper = Keeper(archive, catalog, f"run-{number}", lambda _: None)
            keeper.keep(Target(url), answer(1, LONG, status=status, at=at + 10 * number), outcome, "")
    config = Config(crawl=CrawlConfig(seeds=(url,)))
    first = Run(tmp_path / "run-0", Manifest("run-0", "crawl", at - 1))
    stats = rebuild_frontier(first, at + 9, config, tmp_path, lambda _: None)
    assert stats.outcomes == {"fetched": 1}
    second = Run(tmp_path / "run-1", Manifest("run-1", "crawl", at + 9))
    stats = rebuild_frontier(second, math.inf, config, tmp_path, lambda _: None)
    assert stats.outcomes == {"missing": 1}


def test_what_waits_in_a_frontier_made_anew_is_ordered_as_in_a_crawl(tmp_path: Path) -> None:
    at, url = 1_700_000_000.0, "http://example.org/1"
    links = b'<title>t</title><a href="/foro/1">a</a> <a href="/otra">b</a> <a href="/noticias/1">c</a>'
    with Archive(tmp_path / "archive", software=SOFTWARE) as archive, Catalog(tmp_path / "catalog") as catalog:
        keeper = Keeper(archive, catalog, "run-0", lambda _: None)
        keeper.keep(Target(url), answer(1, links, at=at), Outcome.FETCHED, "")
    config = Config(crawl=CrawlConfig(seeds=(url,), prefer=("/noticias/*",), avoid=("/foro/*",), sitemaps=False))
    run = Run(tmp_path / "runs" / "run-0", Manifest("run-0", "crawl", at - 1))
    rebuild_frontier(run, math.inf, config, tmp_path, lambda _: None)
    waiting = asyncio.run(search_folders([run.frontier], QueueQuestion(host="http://example.org"), config.crawl)).found
    assert [each.url.removeprefix("http://example.org") for each in waiting] == ["/noticias/1", "/otra", "/foro/1"]
    assert "preferred" in waiting[0].why
    assert not any("goes first" in each.why for each in waiting)
