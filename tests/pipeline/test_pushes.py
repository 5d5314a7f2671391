"""Pushes of hubs: kept when they tell something, and stored as visits to their feeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.config import Config, CrawlConfig
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.pushes import receive_push, take_pushes
from trasmallo.results.search.indexing import entries_of_part
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import EntryState, FeedStates
from trasmallo.store.pushed import pushed_parts, pushes
from trasmallo.values.model import Reached, Response

FEED = "http://a.es/feed"
CONFIG = Config(crawl=CrawlConfig(exclude=("/secreto",)))
TEXT = "El faro se apagó anoche durante la tormenta."


def push(*entries: tuple[str, str], at: float = 1e9) -> Response:
    items = "".join(f"<item><link>http://a.es/{name}</link><title>{name}</title><description>{text}</description></item>"
                    for name, text in entries)  # fmt: skip
    body = f"<rss version='2.0'><channel><title>D</title>{items}</channel></rss>".encode()
    headers = (("Content-Type", "application/rss+xml"),)
    return Response(url=FEED, at=at, status=200, reason="OK", headers=headers, body=body, content=body)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with Catalog(tmp_path / "store" / "catalog") as catalog:
        FeedStates(catalog).put_entries([("http://a.es/known", EntryState(feed="http://other/", digest="x", size=9_000))])
    return tmp_path


def test_what_is_new_can_be_read_at_once(project: Path) -> None:
    assert (
        receive_push(project, CONFIG, push(("faro", TEXT), ("known", "Ya."), ("secreto", "Nada que ver."), ("mudo", ""))) == 3
    )
    (part,) = pushed_parts(project).values()
    (entry,) = entries_of_part(part)
    assert (entry.url, entry.title, entry.text, entry.language) == ("http://a.es/faro", "faro", TEXT, "es")


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"<feed", b"<html>no</html>", b"<rss version='2.0'><channel><item/></channel></rss>"]
)
def test_garbage_is_not_kept(project: Path, body: bytes) -> None:
    answer = Response(url=FEED, at=1e9, status=200, reason="OK", headers=(), body=body, content=body)
    assert receive_push(project, CONFIG, answer) == 0
    assert receive_push(project, CONFIG, push(("known", "Ya."))) == 0
    assert pushes(project) == []


def test_pushes_are_visits_to_their_feeds(project: Path) -> None:
    for number in (1, 2):
        receive_push(project, CONFIG, push(("faro", TEXT * number), at=1e9 + number))
    with Archive(project / "store" / "archive", software="test") as archive, Catalog(project / "store" / "catalog") as catalog:
        taken = take_pushes(project, Keeper(archive, catalog, "run", lambda _fetch: None))
        assert taken == pushes(project)
        rows = list(catalog.all_of_run("run"))
    assert [(row.url, row.at, row.origin.reached) for row in rows] == [(FEED, 1e9 + n, Reached.PUSH) for n in (1, 2)]
