"""States of feeds and entries in the catalog."""

from __future__ import annotations

from pathlib import Path

from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import EntryState, FeedClaims, FeedState, FeedStates

FEED = "http://a.es/f"


def test_states_of_a_feed_over_time(tmp_path: Path) -> None:
    with Catalog(tmp_path) as catalog:
        states = FeedStates(catalog)
        assert states.feed(FEED) is None
        for asked, new in ((10.0, 7), (20.0, 1)):
            before = states.feed(FEED) or FeedState()
            first = before.first if before.visits else new
            states.put_feed(
                FEED, FeedState(asked=asked, new=new, visits=before.visits + 1, found=before.found + new, first=first)
            )
        now = states.feed(FEED)
        assert now is not None
        assert (now.visits, now.found, now.new_per_visit) == (2, 8, 1.0)
        assert [(url, state.asked) for url, state in states.feeds(15.0)] == [(FEED, 10.0)]
        assert list(states.feeds(5.0)) == []
        assert FeedState(visits=1, found=7, first=7).new_per_visit is None


def test_states_of_entries_over_time(tmp_path: Path) -> None:
    with Catalog(tmp_path) as catalog:
        states = FeedStates(catalog)
        states.put_entries(
            (f"{FEED}#{name}", EntryState(feed=FEED, title=name, at=at)) for name, at in (("a", 1.0), ("b", 9.0))
        )
        states.put_entries([(f"{FEED}#a", EntryState(feed=FEED, title="later", at=5.0))])
        assert [state.title for _, state in states.entries()] == ["later", "b"]
        assert [state.title for _, state in states.entries(2.0)] == ["a"]
        known = states.entry(f"{FEED}#a")
        assert known is not None
        assert known.title == "later"
        assert states.entry("http://b.es/") is None


def test_what_a_feed_says_is_that_of_its_newest_version(tmp_path: Path) -> None:
    with Catalog(tmp_path) as catalog:
        states = FeedStates(catalog)
        states.put_feed(FEED, FeedState(asked=10.0))
        assert states.claims(FEED, "one") is None
        for digest in ("one", "two"):
            states.put_claims(FEED, FeedClaims(digest=digest, wait=900.0, reason="ttl", dates=(("http://a.es/", 5.0),)))
        assert states.claims(FEED, "one") is None
        now = states.claims(FEED, "two")
        assert now is not None
        assert now.dates == (("http://a.es/", 5.0),)
        assert [url for url, _ in states.feeds()] == [FEED]
