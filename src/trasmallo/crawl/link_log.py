"""Log of what pages led to, of a crawl with one line: after a kill links count as they did, so that the order stays the same.

The importance of an address follows from all links that were found so far, and which are found at all from the cache of
links. Both are in memory; after a kill they are learned again from this log, as far as the frontier has come. A record is
written before the frontier has its page, so the last ones may be of pages that it will lend again: these are cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.crawl.frontier import EntryFilter, Frontier
from trasmallo.crawl.record_log import RecordLog

NAME = "links.log"
_TAIL = 2_000  # judgement: the frontier writes every quarter of a second, and one line brings fewer pages in that time


class LinksRecord(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A page with its place in the order, where it led, what a sitemap states of that, and links as they were written."""

    url: str
    priority: int
    depth: int
    found: list[str]
    stated: dict[str, float] = {}
    written: list[str] = []


class LinkLog(RecordLog[LinksRecord]):
    """Log of one crawl."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / NAME, b"links", LinksRecord)

    async def read_up_to(self, frontier: Frontier) -> Sequence[LinksRecord]:
        """The records of pages that the frontier has; those of others are cut off, since they will come again."""
        records = list(self.read())
        ahead = await _count_ahead(records, frontier)
        if ahead:
            records = records[:-ahead]
            self.rewrite(records)
        return records


async def _count_ahead(records: Sequence[LinksRecord], frontier: Frontier) -> int:
    """How many of the last records are of pages that the frontier lost: from the first that is queued on.

    Later ones may be of addresses that it does not even know any more, since the page that led to them is lost as well.
    """
    tail = records[-_TAIL:]
    queued = await _queued({record.url for record in tail}, frontier)
    first = next((place for place, record in enumerate(tail) if record.url in queued), len(tail))
    return len(tail) - first


async def _queued(urls: set[str], frontier: Frontier) -> set[str]:
    """Which of these addresses wait; reads the whole queue."""
    found: set[str] = set()
    if not urls:
        return found
    cursor = ""
    while True:
        page = await frontier.entries(EntryFilter(), cursor, limit=1 << 40)
        found.update(entry.url for entry in page.entries if entry.url in urls)
        cursor = page.cursor
        if not cursor:
            return found
