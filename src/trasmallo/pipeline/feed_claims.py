"""What feeds say of pages and of themselves, read once a version: a feed that answers "as before" is not parsed again."""

from __future__ import annotations

from collections.abc import Iterator

from trasmallo.crawl.discover.feeds import Feed, FeedPace, WaitReason, max_age_of, pace_of
from trasmallo.crawl.revisit.visits import Hint, Source
from trasmallo.store.feed_states import FeedClaims
from trasmallo.values.model import Fetch, Response
from trasmallo.values.urls import resolver

_REASONS = frozenset(WaitReason)


def claims_of(fetch: Fetch, answer: Response, feed: Feed) -> FeedClaims:
    """What the feed in an answer says; `fetch` is the row of the visit that showed it."""
    pace, resolve = pace_of(feed, fetch.at, max_age_of(answer.headers)), resolver(feed.url)
    dated = ((resolve(entry.link), entry.updated or entry.published) for entry in feed.entries if entry.link)
    return FeedClaims(
        digest=fetch.digest,
        wait=pace.wait,
        reason=pace.reason,
        skip_hours=tuple(sorted(pace.skip_hours)),
        skip_days=tuple(sorted(pace.skip_days)),
        dates=tuple((url, at) for url, at in dated if url and at is not None),
    )


def pace_in(claims: FeedClaims) -> FeedPace:
    """How often a feed is asked for; a reason that only a later version knows is left out."""
    reason = WaitReason(claims.reason) if claims.reason in _REASONS else WaitReason.USUAL
    return FeedPace(claims.wait, reason, frozenset(claims.skip_hours), frozenset(claims.skip_days))


def hints_in(claims: FeedClaims, now: float) -> Iterator[Hint]:
    """What a feed says of pages; a date in the future says nothing."""
    return (Hint(url, Source.FEED, at) for url, at in claims.dates if at <= now)
