"""Rows of the table of feeds."""

from __future__ import annotations

from pathlib import Path

from trasmallo.crawl.websub.subscriptions import FILE, Subscriptions
from trasmallo.results.feed_rows import feed_rows
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedState, FeedStates

URL = "http://a.es/f"


def test_feeds_with_what_hubs_were_asked_for(tmp_path: Path) -> None:
    run = run_folders.start(tmp_path / "runs", "p", "crawl", "test", 1, "")
    assert feed_rows(run) == []
    with Catalog(tmp_path / "store" / "catalog") as catalog:
        states = FeedStates(catalog)
        state = FeedState(title="T", kind="rss", entries=3, asked=10.0, due=20.0, hub="http://hub/", topic="http://a.es/self")
        states.put_feed(URL, state)
        states.put_feed("http://b.es/f", FeedState(asked=5.0, visits=3, found=9, first=5))
    with Subscriptions(tmp_path / FILE) as subscriptions:
        subscriptions.add("http://a.es/self", "http://other/", 0.0)
    first, second = feed_rows(run)
    assert (first.url, first.host, first.title, first.at, first.due) == (URL, "a.es", "T", 10.0, 20.0)
    assert (first.hub, first.subscription, first.lease) == ("http://other/", "asked for", None)
    assert (second.hub, second.subscription, second.new_per_visit) == ("", "", 2.0)
