"""Entries of the feeds that a run visited, taken into the collection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trasmallo.pipeline import feed_entries
from trasmallo.pipeline.archive_rows import entries_of
from trasmallo.pipeline.feed_entries import EntryTaker, page_of
from trasmallo.pipeline.keeper import Keeper
from trasmallo.store.archive import Archive, ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedStates
from trasmallo.values.model import Fetch, Outcome, Response, Target

FEED = "http://a.es/feed.json"


class Store:
    """An archive and a catalog, with a feed that is visited."""

    def __init__(self, folder: Path) -> None:
        self.archive = Archive(folder / "archive", software="test")
        self.catalog = Catalog(folder / "catalog")
        self.keeper = Keeper(self.archive, self.catalog, "run", lambda _fetch: None)

    def visit(self, at: float, body: bytes, url: str = FEED, outcome: Outcome = Outcome.FETCHED, status: int = 200) -> None:
        media = "application/feed+json" if url == FEED else "text/html"
        headers = (("Content-Type", media), ("Location", "/b"))
        answer = Response(url=url, at=at, status=status, reason="", headers=headers, body=body, content=body)
        self.keeper.keep(Target(url), answer, outcome, "")

    def take(self, refused: str = "-") -> list[Fetch]:
        return EntryTaker(["run"], self.archive, self.catalog, lambda url: refused if refused in url else "").take()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    with store.archive, store.catalog:
        yield store


def feed(**texts: str) -> bytes:
    items = ", ".join(
        f'{{"id": "{name}", "url": "http://a.es/{name}", "content_text": "{text}"}}' for name, text in texts.items()
    )
    return f'{{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{items}]}}'.encode()


def test_each_visit_is_taken_once_and_only_what_it_tells_anew(store: Store) -> None:
    store.visit(1e9, feed(a="uno", b="dos"))
    assert [fetch.url for fetch in store.take()] == ["http://a.es/a", "http://a.es/b"]
    assert store.take() == []
    store.visit(1e9 + 1, feed(a="uno", b="otro", c="tres"))
    taken = store.take()
    assert [(fetch.url, fetch.outcome, fetch.origin.via) for fetch in taken] == [
        ("http://a.es/b", Outcome.ENTRY, FEED),
        ("http://a.es/c", Outcome.ENTRY, FEED),
    ]
    state = FeedStates(store.catalog).feed(FEED)
    assert state is not None
    assert (state.entries, state.new, state.found, state.visits) == (3, 1, 3, 2)
    assert store.catalog.outcomes("run") == {Outcome.FETCHED: 1}
    assert sum(store.catalog.outcomes(entries_of("run")).values()) == 3


def test_a_feed_that_did_not_change_is_counted_and_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.visit(1e9, feed(a="uno", b="dos"))
    store.take()
    before = FeedStates(store.catalog).feed(FEED)
    monkeypatch.setattr(feed_entries, "read_feed", lambda *_: pytest.fail("a feed that is as before is read again"))
    store.visit(1e9 + 50, feed(a="uno", b="dos"))
    assert store.take() == []
    after = FeedStates(store.catalog).feed(FEED)
    assert before is not None
    assert after is not None
    assert (after.visits, after.entries, after.new, after.found) == (2, 2, 0, 2)
    assert (after.asked, after.due, after.reason) == (1e9 + 50, before.due + 50, before.reason)


def test_a_page_that_was_obtained_is_the_document(store: Store) -> None:
    store.visit(1e9, b"<p>page", "http://a.es/b")
    store.visit(1e9, b"", "http://a.es/a", Outcome.REDIRECTED, 301)
    store.visit(1e9 + 1, feed(a="uno", b="dos"))
    assert page_of("http://a.es/a", store.catalog) == "http://a.es/b"
    assert store.take() == []
    states = dict(FeedStates(store.catalog).entries())
    assert {state.page for state in states.values()} == {"http://a.es/b"}


def test_what_the_project_excludes_is_no_document(store: Store) -> None:
    store.visit(1e9, feed(a="uno", b="dos"))
    assert [fetch.url for fetch in store.take(refused="es/a")] == ["http://a.es/b"]


def test_states_follow_from_what_is_stored(store: Store, tmp_path: Path) -> None:
    store.visit(1e9, feed(a="uno"))
    store.take()
    before = dict(FeedStates(store.catalog).feeds()), dict(FeedStates(store.catalog).entries())
    with ArchiveReader(store.archive.folder) as reader, Catalog(tmp_path / "other") as other:
        other.put_many(list(store.catalog.all_of_run("run")), "run")
        assert EntryTaker(["run"], reader, other).take() == []
        assert (dict(FeedStates(other).feeds()), dict(FeedStates(other).entries())) == before


def test_circles_of_redirects_lead_nowhere(store: Store) -> None:
    store.visit(1e9, b"", "http://a.es/b", Outcome.REDIRECTED, 301)
    assert page_of("http://a.es/b", store.catalog) == ""


def test_what_a_run_was_told_that_was_given_up_is_told_again(store: Store) -> None:
    store.visit(1e9, feed(a="uno"))
    store.take()
    rows = list(store.catalog.all_of_run("run"))
    store.catalog.put_many(rows, "later")
    (again,) = EntryTaker(["later"], store.archive, store.catalog).take()
    assert again.url == "http://a.es/a"
    assert EntryTaker(["later"], store.archive, store.catalog).take() == []
