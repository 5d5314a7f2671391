"""What a crawl in order learned before it was killed, learned again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.fake_web import run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.fetch import Permissions
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Result
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.link_policy import LinkPolicy
from trasmallo.crawl.relearning import relearn, unfinished_pages
from trasmallo.crawl.scope import Scope
from trasmallo.events import Event
from trasmallo.pipeline.keeper import Keeper
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Outcome, Reached, Response, Target, seed_target

URLS = [f"http://a.test/{number}" for number in range(6)]
CONFIG = CrawlConfig(seeds=(URLS[0],), sitemaps=False)


def page(number: int) -> Response:
    links = "".join(f'<a href="{url}">x</a>' for url in URLS[number + 1 :])
    body = f"<title>{number}</title>{links}".encode()
    return Response(URLS[number], float(number + 1), 200, "OK", (("Content-Type", "text/html"),), body, body)


def target(number: int) -> Target:
    return Target(URLS[number], 1, 700, URLS[0], seed=URLS[0], reached=Reached.LINK) if number else seed_target(URLS[0])


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Keeper]:
    with Archive(tmp_path / "archive", software="trasmallo/0") as archive, Catalog(tmp_path / "catalog") as catalog:
        yield Keeper(archive, catalog, "run", lambda _fetch: None)


def policy(ranker: Importance) -> LinkPolicy:
    def decode(content: bytes, _charset: str) -> tuple[str, str]:
        return content.decode(), "utf-8"

    return LinkPolicy(CONFIG, Scope(CONFIG), "trasmallo", decode, list[Event]().append, Permissions(), ranker=ranker)


def test_the_last_pages_that_wait_in_spite_of_having_come_are_unfinished(tmp_path: Path, storage: Keeper) -> None:
    async def go() -> frozenset[str]:
        frontier = EmbeddedFrontier(tmp_path / "f", in_order=True)
        await frontier.add([target(number) for number in range(6)])
        for number in range(4):
            storage.keep(target(number), page(number), Outcome.FETCHED, "")
        for _ in range(2):
            (lease,) = (await frontier.lease(0.0)).leases
            await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        found = await unfinished_pages(frontier, storage)
        await frontier.control(Close())
        return found

    assert run(go()) == {URLS[2], URLS[3]}


@pytest.mark.parametrize("written", [0, 2])
def test_pages_that_the_frontier_does_not_even_know_are_unfinished(tmp_path: Path, storage: Keeper, written: int) -> None:
    """A kill came before what the pages led to was written, or before anything was."""

    async def go() -> frozenset[str]:
        frontier = EmbeddedFrontier(tmp_path / "f", in_order=True)
        await frontier.add([target(number) for number in range(written)])
        for number in range(4):
            storage.keep(target(number), page(number), Outcome.FETCHED, "")
        for _ in range(written - 1):
            (lease,) = (await frontier.lease(0.0)).leases
            await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        found = await unfinished_pages(frontier, storage)
        await frontier.control(Close())
        return found

    assert run(go()) == set(URLS[max(written - 1, 0) : 4])


def test_importance_is_what_it_was_when_the_pages_came(tmp_path: Path, storage: Keeper) -> None:
    known, again = Importance(tmp_path / "known", CONFIG), Importance(tmp_path / "again", CONFIG, empty=True)
    links = policy(known)
    for number in range(4):
        fetch = storage.keep(target(number), page(number), Outcome.FETCHED, "")
        if number < 3:
            links.settled(links.of(target(number), page(number), fetch)[1])

    async def go() -> None:
        frontier = EmbeddedFrontier(tmp_path / "f", in_order=True)
        await relearn(
            storage,
            frozenset({URLS[3]}),
            link_policy=policy(again),
            ranker=again,
            frontier=frontier,
            emit=list[Event]().append,
        )
        await frontier.control(Close())

    run(go())
    known.save()
    again.save()
    assert (tmp_path / "again" / "importance").read_bytes() == (tmp_path / "known" / "importance").read_bytes()
