"""What a crawl has brought, how much it may bring in all, and how much of each host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.values.model import Fetch, Outcome
from trasmallo.values.urls import host_key

_MEGABYTE = 1_000_000  # decimal, as disks and networks count


class Counts(msgspec.Struct):
    """What the crawl has brought so far, earlier sessions included, if `received` begins with their bytes.

    `has_stored` when the pages are counted that a killed session stored and could not finish in the frontier.
    """

    obtained: int = 0
    failed: int = 0
    received: int = 0
    has_stored: bool = False

    def count_stored(self, fetches: Iterable[Fetch]) -> None:
        """Count the pages of earlier sessions by their rows: a frontier may not know the last ones of a killed session."""
        self.obtained, self.has_stored = sum(fetch.outcome.obtained for fetch in fetches), True


def counts_of(outcomes: Mapping[Outcome, int], received: int = 0) -> Counts:
    """What a crawl had brought that ended its addresses so: an interrupted one goes on counting towards its limits."""
    obtained = sum(count for outcome, count in outcomes.items() if outcome.obtained)
    failed = sum(count for outcome, count in outcomes.items() if outcome.failed)
    return Counts(obtained, failed, received)


def extended(config: CrawlConfig, obtained: int, received: int) -> CrawlConfig:
    """The limits of a crawl that goes on after one, beyond what it had brought by then; minutes count in each session anew."""
    pages = config.pages and config.pages + obtained
    return msgspec.structs.replace(config, pages=pages, megabytes=config.megabytes and config.megabytes + received // _MEGABYTE)


def limit_reached(config: CrawlConfig, pages: int | None, obtained: int, received: int, seconds: float) -> str:
    """Which limit of the whole crawl is reached, in words; "" when none is. `pages` may be obtained, None is any number."""
    if pages is not None and obtained >= pages:
        return f"the limit of {_counted(pages, 'page')} is reached"
    if config.megabytes and received >= config.megabytes * _MEGABYTE:
        return f"the limit of {_counted(config.megabytes, 'megabyte')} is reached"
    if config.minutes and seconds >= config.minutes * 60:
        return f"the limit of {_counted(config.minutes, 'minute')} is reached"
    return ""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class _Use(msgspec.Struct):
    """What a host has brought. `began` is the time of its first request in this session, 0 before it.

    `told` when it was told that its limit is reached.
    """

    pages: int = 0
    received: int = 0
    began: float = 0.0
    told: bool = False


class HostLimits:
    """What each host may still be asked for; about 300 bytes a host, and none when there are no such limits."""

    def __init__(self, config: CrawlConfig) -> None:
        self._pages = config.pages_per_host
        self._megabytes = config.megabytes_per_host
        self._minutes = config.minutes_per_host
        self.active = bool(self._pages or self._megabytes or self._minutes)
        self._uses: dict[str, _Use] = {}

    def restore(self, fetches: Iterable[Fetch]) -> None:
        """Count what earlier sessions brought; time is counted anew in each."""
        for fetch in fetches:
            self.count(host_key(fetch.url), fetch)

    def count(self, host: str, fetch: Fetch) -> None:
        """A host has brought something."""
        use = self._uses.setdefault(host, _Use())
        use.pages += fetch.outcome.obtained
        use.received += fetch.received

    def use(self, host: str) -> tuple[int, int]:
        """Pages and bytes that a host has brought."""
        use = self._uses.get(host)
        return (use.pages, use.received) if use else (0, 0)

    def restore_use(self, host: str, pages: int, received: int) -> None:
        """Take over what a host brought to the worker that held it before."""
        if self.active:
            use = self._uses.setdefault(host, _Use())
            use.pages, use.received = pages, received

    def is_news(self, host: str) -> bool:
        """Whether nobody was told yet that a host is not asked any more; from now on somebody was."""
        use = self._uses.setdefault(host, _Use())
        is_news, use.told = not use.told, True
        return is_news

    def refuses(self, host: str, now: float) -> str:
        """Why a host is not asked any more, "" when it may be asked now."""
        use = self._uses.setdefault(host, _Use())
        use.began = use.began or now
        if self._pages and use.pages >= self._pages:
            return f"{self._pages:,} pages of this host are obtained"
        if self._megabytes and use.received >= self._megabytes * _MEGABYTE:
            return f"{self._megabytes:,} megabytes of this host are received"
        if self._minutes and now - use.began >= self._minutes * 60:
            return f"this host has had its {self._minutes:,} minutes"
        return ""
