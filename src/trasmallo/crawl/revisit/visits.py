"""What the plan learns from: visits with what each found, and what sitemaps and feeds say of a page."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Finding(StrEnum):
    """What a visit found. `FAILED` stands for whatever says nothing of the page: no answer, an error, a log-in, a challenge."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    GONE = "gone"
    BACK = "back"
    FAILED = "failed"


class Source(StrEnum):
    """Who says when a page changed; the server does with its Last-Modified."""

    SITEMAP = "sitemap"
    FEED = "feed"
    SERVER = "server"


class Visit(msgspec.Struct, frozen=True, gc=False):
    """One visit; `at` is seconds since 1970. `modified` is the server's Last-Modified in the same, None without one.

    `same` says of a page that is back that it is as it was before it was not found.
    """

    url: str
    at: float
    finding: Finding
    modified: float | None = None
    same: bool = False


class Hint(msgspec.Struct, frozen=True, gc=False):
    """What a sitemap or a feed says of a page: when it changed (seconds since 1970, None if it does not say), and how often.

    `changefreq` is a word of the sitemap protocol, "" without one.
    """

    url: str
    source: Source
    modified: float | None = None
    changefreq: str = ""
