"""Reports: what they hold, when they are sent, and what waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest

from support.fake_web import VirtualLoop
from trasmallo.crawl.exchange import worker_of
from trasmallo.crawl.workers.messages import Report, unpack
from trasmallo.crawl.workers.sender import Sender
from trasmallo.events import LineChanged, Warned
from trasmallo.values.model import Fetch, Outcome, Target

OWN, OTHER = 0, 1


class Sent:
    """An sender of worker 0 of 2 whose time passes when told to."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.finished: list[tuple[str, list[str]]] = []
        self.runner = asyncio.Runner(loop_factory=VirtualLoop)
        self.sender = Sender(OWN, 2, self.reports.append)

    def pass_time(self, seconds: float = 0.06) -> Report | None:
        """The reports that are due are sent; the last of them."""
        before = len(self.reports)
        self.runner.run(self._run_for(seconds))
        return self.reports[-1] if len(self.reports) > before else None

    async def _run_for(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.sender.run()

    def settle(self, name: str, *urls: str) -> None:
        async def finish(own: object) -> None:
            assert isinstance(own, list)
            self.finished.append((name, [target.url for target in own]))

        self.runner.run(self.sender.settle([Target(url, 1, 0, "http://v.test/") for url in urls], finish))

    def settled(self, number: int) -> None:
        self.runner.run(self.sender.settled(number))


@pytest.fixture
def sent() -> Iterator[Sent]:
    sent = Sent()
    yield sent
    sent.runner.close()


def own_and_other() -> tuple[str, str]:
    hosts = [f"http://h{number}.test/" for number in range(20)]
    return (
        next(url for url in hosts if worker_of(url, 2) == OWN),
        next(url for url in hosts if worker_of(url, 2) == OTHER),
    )


MINE, YOURS = own_and_other()


def test_a_lease_is_finished_with_our_own_links_when_its_report_is_settled(sent: Sent) -> None:
    sent.settle("a", MINE, YOURS, MINE + "b")
    report = sent.pass_time()
    assert report is not None
    assert report.number == 1
    assert {worker: unpack(links) for worker, links in report.links.items()} == {
        OTHER: [Target(YOURS, 1, 0, "http://v.test/")],
    }
    assert sent.finished == []
    sent.settled(1)
    assert sent.finished == [("a", [MINE, MINE + "b"])]


def test_leases_are_finished_in_order_however_they_are_settled(sent: Sent) -> None:
    for name, urls in (("a", [YOURS]), ("b", [MINE]), ("c", [YOURS + "c"])):
        sent.settle(name, *urls)
        sent.pass_time()
    sent.settled(2)
    sent.settled(3)
    assert sent.finished == [], "what the second found may be what the first has sent"
    sent.settled(1)
    assert [name for name, _ in sent.finished] == ["a", "b", "c"]


def test_a_link_is_sent_once(sent: Sent) -> None:
    sent.settle("a", YOURS, YOURS)
    sent.settle("b", YOURS)
    report = sent.pass_time()
    assert report is not None
    assert len(unpack(report.links[OTHER])) == 1
    sent.settle("c", YOURS)
    later = sent.pass_time()
    assert later is not None
    assert (later.links, later.number) == ({}, 2)


def test_rows_wait_a_moment_but_not_for_many(sent: Sent) -> None:
    row = Fetch(MINE, 1.0, Outcome.FETCHED)
    for _ in range(63):
        sent.sender.put(row)
    assert sent.pass_time(0.01) is None
    sent.sender.put(row)
    sent.pass_time(0.01)
    assert [(len(report.rows), report.number) for report in sent.reports] == [(64, 0)]


def test_a_page_with_very_many_links_takes_several_reports(sent: Sent) -> None:
    sent.settle("a", *(f"{YOURS}{number:0990}" for number in range(2_500)))
    sent.pass_time()
    numbers = [report.number for report in sent.reports]
    assert numbers == [1, 2, 3]
    assert sum(len(unpack(report.links[OTHER])) for report in sent.reports) == 2_500
    sent.settled(3)
    sent.settled(2)
    assert sent.finished == []
    sent.settled(1)
    assert sent.finished == [("a", [])]


def test_of_a_line_only_the_last_state_is_told(sent: Sent) -> None:
    for state in ("waiting", "downloading", "ready"):
        sent.sender.emit(LineChanged(line=1, state=state))
    sent.sender.emit(Warned(message="x"))
    report = sent.pass_time()
    assert report is not None
    assert report.events == (Warned(message="x"), LineChanged(line=1, state="ready"))


def test_messages_that_are_safe_are_named_once(sent: Sent) -> None:
    sent.sender.acknowledge(7)
    sent.sender.acknowledge(9)
    first = sent.pass_time()
    sent.sender.hasten()
    second = sent.pass_time()
    assert first is not None
    assert second is not None
    assert (first.safe, first.number, second.safe) == ((7, 9), 0, ())
