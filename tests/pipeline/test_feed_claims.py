"""What feeds say, read once a version."""

from __future__ import annotations

import msgspec

from trasmallo.crawl.discover.feeds import Feed, FeedEntry, WaitReason, next_visit, visit_after
from trasmallo.pipeline.feed_claims import claims_of, hints_in, pace_in
from trasmallo.store.feed_states import FeedClaims
from trasmallo.values.model import Fetch, Outcome, Response

URL = "http://a.es/feed"
AT = 1_700_000_000.0


def claims(feed: Feed, *headers: tuple[str, str]) -> FeedClaims:
    fetch = Fetch(URL, AT, Outcome.FETCHED, digest="sha1:A")
    return claims_of(fetch, Response(url=URL, at=AT, status=200, reason="", headers=headers, body=b"", content=b""), feed)


def test_a_feed_is_due_as_if_it_were_read_again() -> None:
    feed = Feed(URL, "rss20", ttl=3_600.0, skip_hours=frozenset({0, 23}), skip_days=frozenset({2}))
    told = claims(feed, ("Cache-Control", "max-age=7200"))
    assert pace_in(told).reason is WaitReason.CACHED
    for later in (0.0, 5e4, 1e5):
        assert visit_after(pace_in(told), AT + later) == next_visit(feed, AT + later, 7_200.0)


def test_dates_of_pages_are_hints_unless_they_are_still_to_come() -> None:
    entries = (
        FeedEntry(link="/a", published=AT - 5, updated=AT - 1),
        FeedEntry(link="/b", published=AT + 50),
        FeedEntry(link="/c"),
        FeedEntry(published=AT),
    )
    told = claims(Feed(URL, "rss20", entries=entries))
    assert [(hint.url, hint.modified) for hint in hints_in(told, AT)] == [("http://a.es/a", AT - 1)]
    assert [hint.url for hint in hints_in(told, AT + 60)] == ["http://a.es/a", "http://a.es/b"]


def test_a_reason_of_a_later_version_is_no_trouble() -> None:
    told = claims(Feed(URL, "rss20"))
    assert pace_in(msgspec.structs.replace(told, reason="by the moon")).reason is WaitReason.USUAL
