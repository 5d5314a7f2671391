"""The border of a queue: moved while it is used, and between two sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.scope_log import ScopeLog, read_dropped
from trasmallo.events import Discarded, Event
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Target

SEED = "http://a.test/"


class Table:
    """A queue of six addresses, and its border."""

    def __init__(self, folder: Path) -> None:
        self.events: list[Event] = []
        self.path = folder / "border"
        self.frontier = EmbeddedFrontier(folder / "frontier")
        names = ("", "sport/1", "Sport/2", "news/1", "news/2", "pdf")
        asyncio.run(self.frontier.add([Target(SEED + name) for name in names]))
        self.border = self.sit()
        asyncio.run(self.border.open((), ()))

    def sit(self) -> ScopeLog:
        """What another session begins with."""
        self.scope = Scope(CrawlConfig(seeds=(SEED,)))
        return ScopeLog(self.path, self.scope, self.frontier, self.events.append, clock=lambda: 5.0)

    @property
    def queued(self) -> int:
        return asyncio.run(self.frontier.stats()).queued


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    asyncio.run(table.frontier.control(Close()))


def test_a_first_session_drops_nothing(table: Table) -> None:
    assert (table.queued, table.events, table.scope.changed) == (6, [], False)


def test_what_is_excluded_is_dropped_told_and_kept_for_the_incidents(table: Table) -> None:
    asyncio.run(table.border.change(("sport", "pdf"), ()))
    assert table.queued == 3
    assert table.scope.changed
    assert set(table.events) == {
        Discarded(number=2, cause="excluded by 'sport'"),
        Discarded(number=1, cause="excluded by 'pdf'"),
    }
    (sport,) = [gone for gone in read_dropped(table.path) if "sport" in gone.cause]
    assert (sport.number, sport.example, sport.at) == (2, SEED + "sport/1", 5.0)


def test_patterns_to_include_leave_the_seeds(table: Table) -> None:
    asyncio.run(table.border.change((), ("/news/*",)))
    assert table.queued == 3
    asyncio.run(table.border.change((), ("/news/*", "pdf")))
    assert (table.queued, len(table.events)) == (3, 1), "a wider border drops nothing"


def test_a_border_moved_between_sessions_is_held_against_the_queue_once(table: Table) -> None:
    asyncio.run(table.sit().open(("sport",), ()))
    assert (table.queued, table.scope.changed) == (4, True)
    asyncio.run(table.frontier.add([Target(SEED + "sport/3")]))
    asyncio.run(table.sit().open(("sport",), ()))
    assert (table.queued, len(table.events)) == (5, 1)
    assert table.scope.changed, "what came from elsewhere is looked at when its turn comes"
    asyncio.run(table.sit().open((), ()))
    assert table.queued == 5
    assert len(read_dropped(table.path)) == 1


@pytest.mark.parametrize("damage", [lambda kept: b"{", lambda kept: kept.replace(b"sport", b"spurt")])
def test_damage_is_told_and_never_taken_for_other_rules(table: Table, damage: Callable[[bytes], bytes]) -> None:
    asyncio.run(table.sit().open(("sport",), ()))
    table.path.write_bytes(damage(table.path.read_bytes()))
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        read_dropped(table.path)
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        table.sit()
