"""The live view reads what a run writes down, whoever started it and whatever became of it."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from trasmallo.config import Config
from trasmallo.events import Dropped, EventFile, Failed, Fetched
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.lock import hold
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import AgentStatus, HostStatus, LineStatus, RunCounts, RunStatus
from trasmallo.web import live
from trasmallo.web.live import Live, Watcher, Watchers, stream

ROBOTS = str(Outcome.ROBOTS)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run at which somebody seems to be at work; every look is a new one."""
    monkeypatch.setattr(live, "INTERVAL", 0.0)
    return start_run(tmp_path / "runs", Config(name="c"), "crawl", "t")


def write(run: Run, at: float, obtained: int, **more: object) -> None:
    run.progress.write_bytes(msgspec.json.encode({"at": at, "counts": {"obtained": obtained}} | more))


def test_nothing_has_run(tmp_path: Path) -> None:
    assert Watcher(tmp_path).look() == Live()


def test_a_run_that_was_killed_is_interrupted(run: Run, tmp_path: Path) -> None:
    write(run, 1.0, 5, lines=[{"line": 1}], waiting="for long")
    state = Watcher(tmp_path).look()
    assert (state.state, state.lines, state.waiting) == ("interrupted", (), "")
    assert state.counts == RunCounts(), "its files are counted, and hold nothing"


def test_answers_a_second_stand_beside_pages(run: Run, tmp_path: Path) -> None:
    watcher = Watcher(tmp_path)
    with hold(tmp_path):
        run.write_status(RunStatus(at=100.0))
        watcher.look()
        outcomes = {"fetched": 20, "missing": 5, ROBOTS: 9}
        run.write_status(RunStatus(at=102.0, counts=RunCounts(obtained=20, outcomes=outcomes)))
        state = watcher.look()
    assert (state.speed, state.answers) == (10.0, 12.5), "what robots.txt refuses is not asked for"


def test_what_waits_in_a_stopped_run_is_shown(run: Run, tmp_path: Path) -> None:
    host = HostStatus(host="http://a.es", queued=7, reason="rests", until=9.0)
    run.write_status(RunStatus(at=1.0, hosts=(host,), ended=True))
    assert Watcher(tmp_path).look().hosts == (HostStatus(host="http://a.es", queued=7, reason=""),)


def test_speed_and_lines_of_a_run_at_work(run: Run, tmp_path: Path) -> None:
    watcher = Watcher(tmp_path)
    with hold(tmp_path):
        write(run, 100.0, 10)
        assert watcher.look().speed == 0.0
        write(run, 102.0, 30, lines=[{"line": 1}], agents=[{"process": 5, "work": "reading"}], paused=True)
        state = watcher.look()
    assert (state.state, state.paused, state.speed, state.lines) == ("paused", True, 10.0, (LineStatus(line=1),))
    assert state.agents == (AgentStatus(process=5, work="reading"),)
    assert state.memory > 0
    assert (run.folder / "watched").exists(), "the run is told that somebody looks"


def test_incidents_come_as_they_happen_and_only_whole_lines_count(run: Run, tmp_path: Path) -> None:
    watcher = Watcher(tmp_path)
    file = EventFile(run.events)
    file(Fetched(url="http://a/", status=200, size=1, media="text/html", digest=""))
    file(Failed(url="http://b/", outcome="missing", cause="not found (status 404)"))
    assert [incident.url for incident in watcher.look().incidents] == ["http://b/"]
    with run.events.open("ab") as torn:
        torn.write(b'{"at":1,"type":"Dropped","url":"http://c/"')
    assert len(watcher.look().incidents) == 1
    with run.events.open("ab") as torn:
        torn.write(b',"reason":"no text","cause":""}\nnonsense\n')
    file(Dropped(url="http://d/", reason="no text"))
    file.close()
    assert [incident.url for incident in watcher.look().incidents] == ["http://d/", "http://c/", "http://b/"]


def test_of_a_flood_only_the_last_are_kept(run: Run, tmp_path: Path) -> None:
    file = EventFile(run.events)
    for number in range(3_000):
        file(Failed(url=f"http://a/{number}", outcome="missing", cause="x" * 50))
    file.close()
    state = Watcher(tmp_path).look()
    assert [incident.url for incident in state.incidents[:2]] == ["http://a/2999", "http://a/2998"]
    assert len(state.incidents) == 100


def test_a_new_run_takes_the_place_of_the_old_one(run: Run, tmp_path: Path) -> None:
    watcher = Watcher(tmp_path)
    file = EventFile(run.events)
    file(Failed(url="http://a/", outcome="missing", cause=""))
    file.close()
    assert watcher.look().incidents
    later = start_run(tmp_path / "runs", Config(name="c"), "crawl", "t")
    assert (watcher.look().run, watcher.look().incidents) == (later.name, [])


def test_events_that_were_lost_and_made_again_are_read_from_their_beginning(run: Run, tmp_path: Path) -> None:
    watcher = Watcher(tmp_path)
    with closing(EventFile(run.events)) as file:
        for number in range(9):
            file(Failed(url=f"http://a/{number}", outcome="missing", cause=""))
    assert len(watcher.look().incidents) == 9
    run.events.unlink()
    with closing(EventFile(run.events)) as file:
        file(Failed(url="http://b/", outcome="missing", cause=""))
    assert watcher.look().incidents[0].url == "http://b/"


def test_what_is_broken_is_told(run: Run, tmp_path: Path) -> None:
    (run.folder / "run.json").write_text("{")
    state = Watcher(tmp_path).look()
    assert state.state == "broken"
    assert "run.json" in state.error


def test_every_window_has_the_same_watcher(tmp_path: Path) -> None:
    watchers = Watchers()
    assert watchers.of(tmp_path) is watchers.of(tmp_path)


def test_only_changes_are_sent(run: Run, tmp_path: Path) -> None:
    async def listen() -> list[int]:
        found = []
        events = stream(Watcher(tmp_path))
        write(run, 1.0, 1, ended=True)
        found.append(await anext(events))
        later = asyncio.ensure_future(anext(events))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not later.done(), "nothing changed"
        write(run, 2.0, 2, ended=True)
        found.append(await later)
        return [msgspec.json.decode(event.removeprefix(b"data: "))["counts"]["obtained"] for event in found]

    assert asyncio.run(listen()) == [1, 2]


def test_pages_and_windows_may_look_at_once(run: Run, tmp_path: Path) -> None:
    """Each incident is told once, however many begin to look together; every turn of the interpreter is another thread's."""
    file = EventFile(run.events)
    for number in range(90):
        file(Failed(url=f"http://a/{number}", outcome="missing", cause="not found"))
    file.close()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):
            watcher = Watcher(tmp_path)
            with ThreadPoolExecutor(4) as threads:
                states = list(threads.map(lambda _, watcher=watcher: watcher.look(), range(4)))
            assert {len(state.incidents) for state in states} == {90}
    finally:
        sys.setswitchinterval(before)
