"""Entries of feeds are there for who searches while the run that obtained them goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.config import Config, CrawlConfig
from trasmallo.pipeline.early_entries import EarlyEntries
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.search.indexing import entries_of_part
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import CRAWL, Run
from trasmallo.values.model import Outcome, Response, Target

FEED = "http://a.es/feed"
TEXT = "El faro se apagó anoche durante la tormenta."
RSS, HTML = (("Content-Type", "application/rss+xml"),), (("Content-Type", "text/html"),)


def feed(*names: str, at: float) -> Response:
    items = "".join(f"<item><link>http://a.es/{name}</link><description>{TEXT} {name}</description></item>" for name in names)
    body = f"<rss version='2.0'><channel><title>D</title>{items}</channel></rss>".encode()
    return Response(url=FEED, at=at, status=200, reason="OK", headers=RSS, body=body, content=body)


def page(name: str, at: float) -> Response:
    body = b"<p>Una pagina"
    return Response(url=f"http://a.es/{name}", at=at, status=200, reason="OK", headers=HTML, body=body, content=body)


def keep(project: Path, run: Run, *answers: Response, outcome: Outcome = Outcome.FETCHED) -> None:
    with Archive(project / "store" / "archive", software="test") as archive, Catalog(project / "store" / "catalog") as catalog:
        keeper = Keeper(archive, catalog, run.name, lambda _fetch: None)
        for answer in answers:
            keeper.keep(Target(answer.url), answer, outcome, "")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return start_run(tmp_path / "runs", Config(), CRAWL, "test")


def urls(early: EarlyEntries, asked: Run) -> list[str]:
    return sorted(entry.url for part in early(asked).values() for entry in entries_of_part(part))


def test_what_is_new_in_the_feeds_of_a_run_that_goes_on(tmp_path: Path, run: Run, clock: Clock) -> None:
    early = EarlyEntries(tmp_path, Config(crawl=CrawlConfig(exclude=("/secreto",))), clock)
    assert early(run) == {}, "there is no catalog yet"
    began = run.manifest.began
    keep(tmp_path, run, page("known", began + 1), feed("faro", "known", "secreto", at=began + 2))
    assert early(run) == {}, "nobody looks twice within a moment"
    clock.now += 10
    assert urls(early, run) == ["http://a.es/faro"]
    keep(tmp_path, run, feed("faro", "lonja", at=began + 3))
    clock.now += 10
    assert urls(early, run) == ["http://a.es/faro", "http://a.es/faro", "http://a.es/lonja"]
    run.mark("finished")
    clock.now += 10
    assert early(run) == {}, "then they are its documents"


def test_who_asks_about_the_collection_finds_them_and_who_asks_about_another_run_does_not(
    tmp_path: Path, run: Run, clock: Clock
) -> None:
    run.manifest.completed = True
    run.mark("finished")
    second = start_run(tmp_path / "runs", Config(), CRAWL, "test")
    second.manifest.completed = True
    second.mark("finished")
    third = start_run(tmp_path / "runs", Config(), CRAWL, "test")
    keep(tmp_path, third, feed("faro", at=third.manifest.began + 1))
    found = {each.name: len(EarlyEntries(tmp_path, Config(), clock)(each)) for each in (run, second, third)}
    assert found == {run.name: 0, second.name: 1, third.name: 1}


def test_nothing_is_told_where_entries_are_not_wished_or_damaged(tmp_path: Path, run: Run, clock: Clock) -> None:
    keep(tmp_path, run, feed("faro", at=run.manifest.began + 1), page("sola", run.manifest.began + 2))
    assert EarlyEntries(tmp_path, Config(crawl=CrawlConfig(entries=False)), clock)(run) == {}
    for file in (tmp_path / "store" / "archive").glob("*.warc.gz"):
        file.write_bytes(file.read_bytes()[:300])
    assert urls(EarlyEntries(tmp_path, Config(), clock), run) == []
