"""Addresses that failed are asked for once more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from support.command_line import hurried
from trasmallo.config import CrawlConfig
from trasmallo.crawl.exchange import worker_of
from trasmallo.crawl.retries import FAILED, RetryRequests, request_retries, requested_retries
from trasmallo.demo.content import DemoResponse
from trasmallo.demo.site import Site
from trasmallo.events import Event, Failed
from trasmallo.project.project import Project
from trasmallo.results.summary import Summary
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Fetch, Origin, Outcome, Reached, Target


class Ailing(Site):
    """A site that does not find some of its pages for a while."""

    lost: frozenset[str] = frozenset()

    def answer(self, host: str, path: str) -> DemoResponse | None:
        return None if self.hosts[host] + path in self.lost else super().answer(host, path)


@pytest.fixture
def ailing() -> Iterator[Ailing]:
    with Ailing(drip=0.0) as site:
        site.lost = frozenset(sorted(_articles(site))[:2])
        yield site


def _articles(site: Site) -> list[str]:
    """Pages with a text of their own."""
    return [url for url in site.truth().pages if url.startswith(site.seeds[0] + "puerto/") and url.endswith(".html")]


def _missing(project: Project) -> set[str]:
    return {incident.url for incident in project.incidents() if incident.what == "missing"}


def _asked(site: Site, urls: frozenset[str]) -> list[str]:
    return [url for url in (site.hosts[request.host] + request.path for request in site.requests) if url in urls]


def test_what_was_private_is_asked_for_again_as_what_a_public_page_leads_to(tmp_path: Path) -> None:
    """Who led there is not kept; else asking again would open what was refused."""
    seed, other = "http://127.0.0.1:9/", "http://127.0.0.2:9/x"

    async def take() -> list[Target]:
        request_retries([tmp_path], [Fetch(url, 0.0, outcome) for url in (seed, other) for outcome in (Outcome.PRIVATE,)])
        request_retries([tmp_path], [Fetch("http://a.es/", 0.0, Outcome.TIMED_OUT)])
        taken = _Taker()
        await RetryRequests(str(tmp_path), CrawlConfig(seeds=(seed,))).take(taken, taken)  # type: ignore[arg-type]
        return taken.targets

    found = {target.url: target.from_public for target in asyncio.run(take())}
    assert found == {seed: False, other: True, "http://a.es/": False}


def test_what_is_asked_for_again_keeps_its_way_and_its_depth(tmp_path: Path) -> None:
    way = Origin("http://a.es/", Reached.LINK, "http://a.es/menu", 4)

    async def take() -> list[Target]:
        request_retries([tmp_path], [Fetch("http://a.es/x", 0.0, Outcome.TIMED_OUT, origin=way)])
        (tmp_path / "0-0.json").write_text('[["http://a.es/old", "timed out"]]')
        taken = _Taker()
        await RetryRequests(str(tmp_path), CrawlConfig(depth=9)).take(taken, taken)  # type: ignore[arg-type]
        return taken.targets

    old, new = asyncio.run(take())
    assert (old.url, old.depth, old.seed) == ("http://a.es/old", 9, ""), "a request of an earlier version"
    assert new.origin == way


class _Taker:
    """A crawler and its frontier, as far as requests are taken to them."""

    def __init__(self) -> None:
        self.targets: list[Target] = []

    async def retry(self, ended: Sequence[tuple[Target, Outcome]]) -> int:
        self.targets += [target for target, _ in ended]
        return len(ended)

    async def control(self, _command: object) -> None:
        pass


def test_a_finished_run_goes_on_with_what_is_tried_again(ailing: Ailing, tmp_path: Path) -> None:
    project = hurried(tmp_path, ailing.seeds[:1], scope="host")
    before = project.run()
    lost, ailing.lost = ailing.lost, frozenset()
    asked = len(ailing.requests)
    told = project.retry(what="missing")
    assert (told.run, told.addresses, told.process) == (before.run, len(_missing(project)), 0)
    assert lost <= requested_retries(run_folders.latest(project.runs).retry_folders) == _missing(project)
    after = project.run()
    assert (after.run, after.state, requested_retries(run_folders.latest(project.runs).retry_folders)) == (
        before.run,
        "finished",
        set(),
    )
    assert after.outcomes["fetched"] == before.outcomes["fetched"] + 2
    assert after.pages == before.pages, "before, what a feed says stood in their place"
    assert after.outcomes["missing"] == before.outcomes["missing"] - 2
    assert not lost & _missing(project)
    assert len(ailing.requests) - asked <= told.addresses + 1, "nothing else is asked for, but for robots.txt"
    whole = project.run()
    assert whole.run != before.run, "the next run is another one"
    for figure in ("pages", "documents", "dropped", "copies", "words", "types"):
        assert getattr(after, figure) == getattr(whole, figure), figure
    assert _obtained(whole) == _obtained(after)
    assert whole.outcomes["unchanged"] > whole.outcomes.get("fetched", 0), "what is known is not sent again"


def _obtained(summary: Summary) -> int:
    return summary.outcomes.get("fetched", 0) + summary.outcomes.get("unchanged", 0)


def test_one_address_or_those_with_a_text(ailing: Ailing, tmp_path: Path) -> None:
    project = hurried(tmp_path, ailing.seeds[:1], scope="host")
    project.crawl()
    first, second = sorted(ailing.lost)
    ailing.lost = frozenset()
    assert project.retry(first).addresses == 1
    assert project.retry(first).addresses == 1, "saying it twice asks once"
    project.crawl()
    assert _missing(project) & {first, second} == {second}
    assert _asked(ailing, frozenset({first})) == [first, first]
    assert project.retry(text=second[-20:].upper()).addresses == 1
    counted = project.status().progress.failed
    project.crawl()
    assert second not in _missing(project)
    assert project.status().progress.failed == counted - 1


def test_a_crawl_that_runs_takes_wishes_up(ailing: Ailing, tmp_path: Path) -> None:
    """The wish comes while the crawl is at work: as soon as it failed for the first time."""
    project = hurried(tmp_path, ailing.seeds[:1], scope="host", delay=0.05)
    lost, told = ailing.lost, []

    def wish_once(event: Event) -> None:
        if isinstance(event, Failed) and event.url in lost and not told:
            ailing.lost = frozenset()
            request_retries(run_folders.latest(project.runs).retry_folders, [Fetch(event.url, 0.0, event.outcome)])
            told.append(event.url)

    project.bus.listen(wish_once)
    project.crawl()
    assert told[0] not in _missing(project)


def test_each_process_finds_the_wishes_of_its_hosts(ailing: Ailing, tmp_path: Path) -> None:
    project = hurried(tmp_path, ailing.seeds, processes=2, lines=2)
    project.crawl()
    run = run_folders.latest(project.runs)
    ailing.lost = frozenset()
    project.retry(what="missing")
    assert [run.retries_of(worker).is_dir() for worker in (0, 1)] == [
        any(worker_of(url, 2) == worker for url in _missing(project)) for worker in (0, 1)
    ]
    before = _missing(project)
    project.crawl()
    assert len(before - _missing(project)) == 2


def test_what_cannot_be_tried_again_is_refused(finished: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'no text' is no failure that can be tried again: choose one of missing,"):
        finished.retry(what="no text")
    with pytest.raises(UsageError, match="'http://a.es/' has not failed in .*: see what has with: trasmallo incidents"):
        finished.retry("http://a.es/")
    with pytest.raises(UsageError, match="nothing of that kind has failed in"):
        finished.retry(what="no secure connection")
    with pytest.raises(UsageError, match="has no results yet"):
        Project.new(tmp_path / "p").retry()


def test_who_refused_may_be_asked_again_but_what_is_outside_stays_there() -> None:
    assert {Outcome.ROBOTS, Outcome.MISSING, Outcome.TIMED_OUT} < set(FAILED)
    assert not {Outcome.FETCHED, Outcome.REDIRECTED, Outcome.OUT_OF_SCOPE} & set(FAILED)


def test_a_wish_that_cannot_be_read_is_none(ailing: Ailing, tmp_path: Path) -> None:
    project = hurried(tmp_path, ailing.seeds[:1], depth=0)
    project.run()
    run = run_folders.latest(project.runs)
    run.retries_of(0).mkdir()
    (run.retries_of(0) / "1-1.json").write_text("{")
    assert requested_retries(run.retry_folders) == set()
    assert project.run().run != run.name
