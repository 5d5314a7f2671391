"""A crawl replayed from what it stored: what was asked for is done, what it led to waits, and nobody is asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.discover import USUAL_PLACES
from trasmallo.crawl.exchange import worker_of
from trasmallo.crawl.frontier import EmbeddedFrontier, EntryFilter
from trasmallo.crawl.link_policy import LinkPolicy
from trasmallo.crawl.replay import Replay
from trasmallo.crawl.scope import Scope
from trasmallo.values.model import Failure, Fetch, Origin, Outcome, Reached, Response

SEED = "http://a.test/"
PAGES = {
    SEED: '<a href="/uno">1</a> <a href="/dos">2</a> <a href="http://b.test/lejos">b</a>',
    "http://a.test/uno": '<a href="/tres">3</a>',
    "http://a.test/dos": '<a href="/nunca">n</a>',
    "http://b.test/lejos": '<a href="/cerca">c</a>',
    "http://a.test/mapa": '<a href="/cuatro">4</a>',
}
FAILED = "http://a.test/tres"


def stored(url: str) -> tuple[Fetch, Response | Failure] | None:
    if url == FAILED:
        return Fetch(url, 1.0, Outcome.TIMED_OUT), Failure(url, 1.0, Outcome.TIMED_OUT, "30 s")
    if url not in PAGES:
        return None
    body = PAGES[url].encode()
    headers = (("Content-Type", "text/html"),)
    answer = Response(url=url, at=1.0, status=200, reason="", headers=headers, body=body, content=body)
    return Fetch(url, 1.0, Outcome.FETCHED, 200), answer


async def replayed(folder: Path, workers: int) -> tuple[dict[Outcome, int], set[str], list[str]]:
    config = CrawlConfig(seeds=(SEED,), scope="any")
    frontiers = [EmbeddedFrontier(folder / str(worker)) for worker in range(workers)]
    policy = LinkPolicy(
        config, Scope(config), "trasmallo", lambda content, charset: (content.decode(), charset), lambda _: None
    )
    replay = Replay(frontiers, [policy] * workers, stored, lambda _host: None)
    await replay.run(config.seeds, [Fetch(url, 1.0, Outcome.FETCHED) for url in (*PAGES, FAILED)])
    outcomes: dict[Outcome, int] = {}
    waiting, misplaced = set(), []
    for worker, frontier in enumerate(frontiers):
        for outcome, number in (await frontier.stats()).outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + number
        queued = [target.url for target in (await frontier.entries(EntryFilter())).entries]
        waiting |= set(queued)
        misplaced += [url for url in queued if worker_of(url, workers) != worker]
    return outcomes, waiting, misplaced


@pytest.mark.parametrize("workers", [1, 3])
def test_what_was_asked_is_done_and_what_it_led_to_waits(tmp_path: Path, workers: int) -> None:
    outcomes, waiting, misplaced = asyncio.run(replayed(tmp_path, workers))
    assert outcomes == {Outcome.FETCHED: len(PAGES), Outcome.TIMED_OUT: 1}
    assert waiting == {"http://a.test/nunca", "http://b.test/cerca", "http://a.test/cuatro"}
    assert not misplaced


def test_what_waits_has_the_seed_that_led_there(tmp_path: Path) -> None:
    async def origins() -> dict[str, Origin]:
        config = CrawlConfig(seeds=(SEED,), scope="any")
        frontier = EmbeddedFrontier(tmp_path)
        policy = LinkPolicy(config, Scope(config), "trasmallo", lambda content, charset: (content.decode(), charset), print)
        told = Origin("http://other.test/", Reached.SITEMAP, "http://other.test/s.xml", 5)
        map_page = msgspec.structs.replace(Fetch("http://a.test/mapa", 1.0, Outcome.FETCHED), origin=told)

        def with_origin(url: str) -> tuple[Fetch, Response | Failure] | None:
            found = stored(url)
            return (map_page, found[1]) if found and url == map_page.url else found

        await Replay([frontier], [policy], with_origin, lambda _host: None).run(config.seeds, [map_page])
        return {target.url: target.origin for target in (await frontier.entries(EntryFilter())).entries}

    found = asyncio.run(origins())
    assert found["http://a.test/nunca"] == Origin(SEED, Reached.LINK, "http://a.test/dos", 2)
    assert found["http://a.test/cuatro"] == Origin("http://other.test/", Reached.LINK, "http://a.test/mapa", 6), (
        "as its row tells"
    )


FIRST, SECOND = (SEED.rstrip("/") + place for place in USUAL_PLACES[:2])


@pytest.mark.parametrize(
    ("asked", "waits", "in_vain"),
    [
        ((), FIRST, 0),
        ((SECOND,), "", 1),
        ((SEED,), "", len(USUAL_PLACES)),
    ],
    ids=["nothing was asked", "the second place had one", "a page was asked"],
)
def test_of_the_usual_places_of_a_sitemap_the_one_waits_that_was_not_asked(
    tmp_path: Path, asked: tuple[str, ...], waits: str, in_vain: int
) -> None:
    """Places are asked one after the other, before all pages; those in vain are not stored."""

    def stored(url: str) -> tuple[Fetch, Response | Failure] | None:
        if url not in asked:
            return None
        body = b"<urlset><url><loc>http://a.test/page</loc></url></urlset>" if url == SECOND else b"<p>nothing</p>"
        headers = (("Content-Type", "text/xml" if url == SECOND else "text/html"),)
        answer = Response(url=url, at=1.0, status=200, reason="", headers=headers, body=body, content=body)
        return Fetch(url, 1.0, Outcome.FETCHED, 200), answer

    def rules(host: str) -> Response:
        return Response(url=host + "/robots.txt", at=0.5, status=404, reason="", headers=(), body=b"", content=b"")

    async def go() -> tuple[set[str], int]:
        config = CrawlConfig(seeds=(SEED,), scope="host")
        frontier = EmbeddedFrontier(tmp_path)
        policy = LinkPolicy(config, Scope(config), "trasmallo", lambda content, charset: (content.decode(), charset), print)
        await Replay([frontier], [policy], stored, rules).run(config.seeds, [Fetch(url, 1.0, Outcome.FETCHED) for url in asked])
        waiting = {target.url for target in (await frontier.entries(EntryFilter())).entries}
        return waiting, (await frontier.stats()).outcomes.get(Outcome.OUT_OF_SCOPE, 0)

    waiting, vain = asyncio.run(go())
    assert ({url for url in waiting if url.startswith((FIRST, SECOND))}, vain) == ({waits} - {""}, in_vain)
    assert ("http://a.test/page" in waiting) == (SECOND in asked)
