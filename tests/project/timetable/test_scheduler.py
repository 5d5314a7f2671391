"""The scheduler in virtual time: weeks pass in a moment, and nothing is ever run twice at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.timetable.runner import Ended
from trasmallo.project.timetable.scheduler import Notice, RealClock, Scheduler
from trasmallo.project.timetable.timetable import Timetable, TimetableEntry
from trasmallo.values.errors import ProjectBusy

HOUR = 3_600.0


class Clock:
    """A clock that goes on when somebody waits; at the end of time it stops the scheduler."""

    def __init__(self, until: float = 0.0) -> None:
        self.time = 0.0
        self.until = until
        self.at_end: Callable[[], None] = lambda: None
        self.hooks: dict[float, Callable[[], None]] = {}

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += 360.0
        for at in [at for at in self.hooks if at <= self.time]:
            self.hooks.pop(at)()
        if self.time >= self.until:
            self.at_end()

    def wake(self) -> None:
        pass


class Job:
    def __init__(self, runner: Runner, folder: str, ends: float) -> None:
        self.runner, self.folder, self.ends, self.stops = runner, folder, ends, 0

    def poll(self) -> Ended | None:
        if self.runner.clock.time < self.ends:
            return None
        self.runner.working.discard(self.folder)
        return Ended("stopped" if self.stops else "finished", "", f"run-{len(self.runner.began)}")

    def stop(self) -> None:
        self.stops += 1
        self.ends = min(self.ends, self.runner.clock.time + 60)


class Runner:
    """Runs that last some virtual hours; it complains when two go on at once."""

    def __init__(self, clock: Clock, hours: float = 0.5) -> None:
        self.clock, self.hours = clock, hours
        self.by_hand: set[str] = set()
        self.working: set[str] = set()
        self.began: list[tuple[float, str, bool]] = []
        self.left = Ended("finished")

    def busy(self, folder: str) -> int:
        return 42 if folder in self.by_hand | self.working else 0

    def start(self, entry: TimetableEntry) -> Job:
        assert not self.working, "one at a time"
        self.working.add(entry.folder)
        self.began.append((self.clock.time / HOUR, Path(entry.folder).name, not entry.resume))
        return Job(self, entry.folder, self.clock.time + self.hours * HOUR)

    def last(self, folder: str, began: float) -> Ended:
        return self.left


class World:
    """A timetable, a clock and a runner together."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table = Timetable(folder / "data" / "timetable.sqlite")
        self.clock = Clock()
        self.runner = Runner(self.clock)
        self.notices: list[Notice] = []

    def add(self, name: str, when: str, **options: str) -> None:
        self.table.add(self.folder / name, when, self.clock.time, zone="UTC", **options)  # type: ignore[arg-type]

    def pass_hours(self, hours: float, *, once: bool = False) -> None:
        """A scheduler's life of some hours, ended politely."""
        scheduler = Scheduler(self.table, self.runner, self.clock, self.notices.append)
        self.clock.until, self.clock.at_end = self.clock.time + hours * HOUR, scheduler.stop
        scheduler.run(once=once)

    def said(self, what: str) -> list[str]:
        return [Path(notice.folder).name for notice in self.notices if notice.what == what]

    @property
    def began(self) -> list[tuple[float, str]]:
        return [(round(hour, 1), name) for hour, name, _ in self.runner.began]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_each_at_its_time_day_after_day(world: World) -> None:
    world.add("night", "03:00")
    world.add("often", "every 10h")
    world.pass_hours(48)
    assert world.began == [(3, "night"), (10, "often"), (20, "often"), (27, "night"), (30, "often"), (40, "often")]
    assert all(new for _, _, new in world.runner.began)
    assert {past.state for past in world.table.history()} == {"finished"}
    assert [past.run for past in world.table.history(1)] == ["run-6"]


def test_the_next_begins_as_soon_as_the_running_one_ends(world: World) -> None:
    world.runner.hours = 2
    for name in ("a", "b", "c"):
        world.add(name, "01:00")
    world.pass_hours(12)
    assert world.began == [(1, "a"), (3, "b"), (5, "c")]
    ends = [past.ended for past in world.table.history()][::-1]
    assert ends[0] == [past.began for past in world.table.history()][::-1][1]


def test_what_takes_longer_than_its_period_is_not_run_for_every_time_it_missed(world: World) -> None:
    world.runner.hours = 5
    world.add("long", "every 2h")
    world.pass_hours(19)
    assert world.began == [(2, "long"), (7, "long"), (12, "long"), (17, "long")]


def test_missed_runs_are_caught_up_once_or_skipped(world: World) -> None:
    world.add("caught", "every 1h")
    world.add("skipped", "every 1h", missed="skip")
    world.clock.time = 10.5 * HOUR
    world.pass_hours(1)
    assert world.began == [(10.5, "caught"), (11, "caught")]
    assert world.said("skipped") == ["skipped"]
    assert [past.state for past in world.table.history(folder=world.folder / "skipped")][-1] == "skipped"


def test_a_project_busy_by_hand_waits_and_others_go_before_it(world: World) -> None:
    world.add("busy", "01:00")
    world.add("other", "01:00")
    world.runner.by_hand.add(str(world.folder / "busy"))
    world.clock.hooks[4 * HOUR] = world.runner.by_hand.clear
    world.pass_hours(8)
    assert world.began == [(1, "other"), (4, "busy")]
    assert world.said("waits") == ["busy"], "told once"


def test_entries_added_changed_and_removed_while_it_runs(world: World) -> None:
    world.add("gone", "05:00")
    world.add("off", "05:00")
    world.clock.hooks[2 * HOUR] = lambda: world.add("new", "04:00")
    world.clock.hooks[3 * HOUR] = lambda: world.table.remove(world.folder / "gone")
    world.clock.hooks[3.5 * HOUR] = lambda: world.table.change(world.folder / "off", world.clock.time, on=False) and None
    world.pass_hours(10)
    assert world.began == [(4, "new")]


def test_that_it_stops_is_seen_until_it_has_ended(world: World) -> None:
    """Also when one before it was killed while it stopped."""
    world.table.path.parent.mkdir()
    world.table.stopping.touch()
    world.runner.hours = 9
    world.add("long", "01:00")
    seen: list[bool] = []
    look = lambda: seen.append(world.table.stopping.exists())  # noqa: E731
    scheduler = Scheduler(world.table, world.runner, world.clock, world.notices.append)
    world.clock.until = 100 * HOUR
    world.clock.hooks = {2 * HOUR: look, 3 * HOUR: scheduler.stop, 3 * HOUR + 1: look}
    scheduler.run()
    assert seen == [False, True]
    assert not world.table.stopping.exists()


def test_stopped_politely_and_gone_on_with_later(world: World) -> None:
    world.runner.hours = 6
    world.add("long", "01:00")
    world.add("next", "01:30")
    world.pass_hours(2)
    (past,) = world.table.history()
    assert (past.state, past.cause) == ("stopped", "the scheduler was stopped")
    assert world.runner.working == set(), "it waited for the end"
    world.clock.time = 20 * HOUR
    world.runner.hours = 1
    world.pass_hours(3)
    assert [(name, new) for _, name, new in world.runner.began] == [("long", True), ("next", True), ("long", False)]


def test_killed_it_waits_for_the_run_that_goes_on_by_itself(world: World) -> None:
    world.add("alive", "01:00")
    world.add("next", "01:30")
    world.clock.time = 1.1 * HOUR
    past = world.table.begin(world.table.due(world.clock.time)[0], world.clock.time)
    world.runner.by_hand.add(past.folder)
    world.clock.hooks[5 * HOUR] = world.runner.by_hand.clear
    world.clock.time = 3 * HOUR
    world.pass_hours(5)
    assert world.began == [(5, "next")]
    assert [(run.state, Path(run.folder).name) for run in world.table.history()] == [
        ("finished", "next"),
        ("finished", "alive"),
    ]


def test_killed_together_with_its_run_it_goes_on_with_it(world: World) -> None:
    world.add("dead", "01:00")
    world.clock.time = 1.1 * HOUR
    world.table.begin(world.table.due(world.clock.time)[0], world.clock.time)
    world.runner.left = Ended("interrupted", "its process was killed", "run-0")
    world.pass_hours(2)
    assert [(name, new) for _, name, new in world.runner.began] == [("dead", False)]
    assert [past.state for past in world.table.history()] == ["finished", "interrupted"]


def test_a_run_that_outlives_two_schedulers_keeps_neither(world: World) -> None:
    world.add("alive", "01:00")
    world.clock.time = 1.1 * HOUR
    past = world.table.begin(world.table.due(world.clock.time)[0], world.clock.time)
    world.runner.by_hand.add(past.folder)
    world.pass_hours(1)
    assert world.clock.time < 2.2 * HOUR
    assert [run.id for run in world.table.unended()] == [past.id]


def test_once_runs_what_is_due_and_ends(world: World) -> None:
    world.add("a", "01:00")
    world.add("b", "02:00")
    world.add("later", "09:00")
    world.clock.time = 3 * HOUR
    world.pass_hours(100, once=True)
    assert [name for _, name in world.began] == ["a", "b"]
    assert world.clock.time < 5 * HOUR


def test_two_schedulers_of_one_timetable_refuse_politely(world: World) -> None:
    refusals: list[str] = []

    def second() -> None:
        with pytest.raises(
            ProjectBusy, match=r"already runs the timetable .*: let it, or stop it with: kill -INT \d+"
        ) as found:
            Scheduler(world.table, world.runner, world.clock, world.notices.append).run(once=True)
        refusals.append(str(found.value))

    world.clock.hooks[HOUR] = second
    world.pass_hours(2)
    assert len(refusals) == 1


def test_the_real_clock_can_be_woken() -> None:
    clock = RealClock()
    clock.wake()
    clock.wait(60.0)
    assert clock.now() > 1.7e9
