"""The crawl's own time, whatever becomes of the machine's."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from support.fake_web import FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Result
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.crawl.steady_clock import SteadyClock
from trasmallo.values.model import Fetch, Outcome, Target

A_DAY = 86_400.0
ROOT = "http://a.test/"


class Machine:
    """A machine whose clock can be set."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.passed = 5.0

    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.passed += seconds

    def clock(self, path: Path | str = "") -> SteadyClock:
        return SteadyClock(str(path), lambda: self.wall, lambda: self.passed)


@pytest.mark.parametrize("jump", [A_DAY, -A_DAY])
def test_a_clock_that_is_set_changes_nothing(jump: float) -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock() == machine.wall
    machine.pass_time(7)
    before = clock()
    machine.wall += jump
    assert clock() == before
    machine.pass_time(3)
    assert clock() == before + 3


def test_the_next_session_begins_where_this_one_ended_or_later(tmp_path: Path) -> None:
    machine, note = Machine(), tmp_path / "clock"
    clock = machine.clock(note)
    machine.pass_time(100)
    clock.note()
    assert machine.clock(note)() == machine.wall
    machine.wall -= A_DAY
    assert machine.clock(note)() == pytest.approx(clock(), abs=0.001)
    machine.wall += 3 * A_DAY
    assert machine.clock(note)() == machine.wall
    clock.note()
    clock.note()
    assert len(note.read_text().splitlines()) == 1


@pytest.mark.parametrize("noted", [b"", b"nonsense", b"nan", b"inf", b"\xff\xfe", b"99999999999999.0", b"-5"])
def test_a_damaged_note_is_none(tmp_path: Path, noted: bytes) -> None:
    (tmp_path / "clock").write_bytes(noted)
    machine = Machine()
    assert machine.clock(tmp_path / "clock")() == machine.wall


def test_without_a_place_nothing_is_noted(tmp_path: Path) -> None:
    Machine().clock().note()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jump", [A_DAY, -A_DAY])
def test_a_crawl_keeps_its_pace_when_the_clock_jumps_a_day(tmp_path: Path, jump: float) -> None:
    """Hosts are neither asked without their rest nor left alone for a day."""
    web = FakeWeb()
    web.page(ROOT, "".join(f'<a href="/{number}">x</a>' for number in range(20)))
    for number in range(20):
        web.page(f"{ROOT}{number}")

    async def go() -> None:
        set_by = [0.0]
        clock = SteadyClock("", lambda: web.clock() + set_by[0], web.clock)
        frontier = EmbeddedFrontier(tmp_path)

        def keep(target, answer, outcome, cause) -> Fetch:  # type: ignore[no-untyped-def]
            set_by[0] = jump if len(web.visits) > 8 else 0.0
            return Fetch(target.url, answer.at + set_by[0], outcome, answer.status, cause=cause)

        robots = RobotsRules(web, "trasmallo", clock)
        config = CrawlConfig(seeds=(ROOT,), delay=2.0, sitemaps=False)
        await Crawler(
            config,
            frontier=frontier,
            fetcher=web,
            keep=keep,
            emit=lambda _event: None,
            robots=robots,
            decode=lambda content, _charset: (content.decode(), "utf-8"),
            clock=clock,
        ).run()
        await frontier.control(Close())

    run(go())
    starts = [visit.start for visit in web.visits]
    rests = [later - earlier for earlier, later in pairwise(starts)]
    assert len(starts) == 22
    assert min(rests) >= 2.0
    assert max(rests) < 4.0


@pytest.mark.parametrize("jump", [A_DAY, -A_DAY])
def test_a_queue_that_is_opened_again_neither_stalls_for_a_day_nor_forgets_a_rest(tmp_path: Path, jump: float) -> None:
    """Set back, a host that rests ten seconds would be left alone for a day; set forward, its rest is over, as it is."""
    machine, note = Machine(), tmp_path / "clock"

    async def session(*, first: bool) -> float:
        clock, frontier = machine.clock(note), EmbeddedFrontier(tmp_path / "frontier")
        await frontier.add([Target(ROOT), Target(ROOT + "b")])
        reply = await frontier.lease(clock())
        if first:
            await frontier.finish(reply.leases[0], [Result(ROOT, Outcome.FETCHED)], [], clock() + 10)
        clock.note()
        await frontier.control(Close())
        return 0.0 if reply.leases else (reply.next_due or 0.0) - clock()

    async def both() -> float:
        await session(first=True)
        machine.pass_time(3)
        machine.wall += jump
        return await session(first=False)

    assert run(both()) == pytest.approx(0.0 if jump > 0 else 10.0, abs=0.01)
