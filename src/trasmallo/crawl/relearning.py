"""What a crawl with one line had learned when it was stopped or killed, learned again, so that it goes on in the same order.

The order depends on what the pages before taught: which links were seen, and how much each was worth. The frontier's journal
may end some pages before the archive does; these come out of the archive once more, and must find everything as it was when
they came the first time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from trasmallo.crawl.frontier import EntryFilter, Frontier, Reprioritise
from trasmallo.crawl.link_policy import LinkPolicy
from trasmallo.crawl.ranking import Ranker
from trasmallo.crawl.storage import PageStorage
from trasmallo.events import Emit, Waiting
from trasmallo.values.errors import StoreError
from trasmallo.values.model import Fetch, Outcome, Reached, Response, Target
from trasmallo.values.urls import host_key

_TOLD = 2_000  # judgement: pages from which on a person wants to know what takes a second or more
_TOGETHER = 50  # judgement: pages between two moments in which others have their turn, some 50 ms
_MOST_LOST = 1_000  # judgement: pages of one line that a journal may lack, which is written every few seconds
_UNRANKED = 1  # a priority that is no start address's; which it was does not matter


async def unfinished_pages(frontier: Frontier, storage: PageStorage) -> frozenset[str]:
    """Pages that were stored and are not finished in the frontier: the last ones of a session that was killed.

    They begin with the first that waits still. Those behind it the frontier may not even know, since what led to them is lost;
    one that was killed before it wrote anything knows none.
    """
    came = [fetch.url for fetch in storage.earlier() if fetch.outcome.obtained or fetch.outcome is Outcome.OFF_TOPIC]
    if not (await frontier.stats()).known:
        return frozenset(came)
    lately, first = came[-_MOST_LOST:], _MOST_LOST
    waiting: dict[str, set[str]] = {}
    for number, url in reversed(list(enumerate(lately))):
        host = host_key(url)
        if host not in waiting:
            waiting[host] = await _queued(frontier, host)
        if url in waiting[host]:
            first = number
    return frozenset(lately[first:])


async def _queued(frontier: Frontier, host: str) -> set[str]:
    urls: set[str] = set()
    cursor = ""
    while True:
        page = await frontier.entries(EntryFilter(host=host), cursor, limit=100_000)
        urls.update(target.url for target in page.entries)
        cursor = page.cursor
        if not cursor:
            return urls


async def relearn(
    storage: PageStorage,
    unfinished: frozenset[str],
    *,
    link_policy: LinkPolicy,
    ranker: Ranker,
    frontier: Frontier,
    emit: Emit,
) -> None:
    """Look at all pages of the crawl again in the order in which they came; what is to be moved since the last one is moved."""
    moved: dict[str, int] = {}
    for number, (target, fetch) in enumerate(_came(storage, unfinished)):
        if number == _TOLD:
            emit(Waiting(cause="what its pages taught is learned again, so that the crawl goes on in the same order", until=0))
        if number % _TOGETHER == 0:
            await asyncio.sleep(0)
        if (answer := _stored(storage, fetch)) is not None:
            link_policy.relearn(target, msgspec.structs.replace(answer, url=fetch.url, status=fetch.status), fetch)
            moved = ranker.moves()
    if moved:
        await frontier.control(Reprioritise(moved))


def _stored(storage: PageStorage, fetch: Fetch) -> Response | None:
    """What came; None where the archive cannot give it any more: it teaches nothing then, and the crawl goes on."""
    with suppress(StoreError):
        return storage.reread(fetch.locator) if fetch.locator is not None else None
    return None


def _came(storage: PageStorage, unfinished: frozenset[str]) -> Iterator[tuple[Target, Fetch]]:
    """What came, as it was asked for; a page to which a start address redirects is one itself."""
    starts: set[str] = set()
    for fetch in storage.earlier():
        if fetch.url in unfinished:
            continue
        origin = fetch.origin
        is_start = origin.reached is Reached.SEED or (origin.reached is Reached.REDIRECT and origin.via in starts)
        if is_start and fetch.outcome is Outcome.REDIRECTED:
            starts.add(fetch.url)
        target = Target(
            url=fetch.url,
            depth=origin.depth or 0,
            priority=0 if is_start else _UNRANKED,
            via=origin.via,
            seed=origin.seed,
            reached=origin.reached,
        )
        yield target, fetch
