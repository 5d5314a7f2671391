"""The session's side of the worker processes."""

from __future__ import annotations

import asyncio
import itertools
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop

from support.stored_pages import RUN, html, setup, store
from trasmallo.events import Dropped, Event, Studied
from trasmallo.pipeline.reading.deaths import Deaths
from trasmallo.pipeline.reading.messages import Setup
from trasmallo.pipeline.reading.pending import Pending
from trasmallo.pipeline.reading.pool import Readers
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, documents_done, next_serial, remove_drafts
from trasmallo.values.errors import ProjectError, StoreFull
from trasmallo.values.model import Drop, Fetch
from trasmallo.values.run_status import AgentStatus

URLS = {f"http://a.es/{number}": html(f"página {number}") for number in range(5)}

FAKE = """
import os, sys, signal
from trasmallo.pipeline.reading import worker
real = worker.read_page
def read_page(fetch, *arguments, **options):
    if fetch.url.endswith("/2"):
        {deed}
    return real(fetch, *arguments, **options)
worker.read_page = read_page
ANSWERS = os.dup(1)
worker.main()
"""
"""A worker to which something happens at one page: the real one otherwise."""


def read_with(folder: Path, how: Setup, workers: int, tell: Callable[[Event], None]) -> Readers:
    """The readers after one session: what was read before is not read again."""
    serials = itertools.count(next_serial(Path(how.parts)))

    async def read() -> Readers:
        with Catalog(folder / "catalog") as catalog:
            remove_drafts(Path(how.parts))
            pending = Pending(lambda: catalog.of_run(RUN), documents_done(Path(how.parts)))
            deaths = Deaths(folder / "deaths.json")
            reading = Readers(
                how, workers=workers, emit=tell, next_part=lambda: f"{next(serials):08d}", pending=pending, deaths=deaths
            )
            reading.close()
            await reading.run()
            return reading

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(read())


def read_all(folder: Path, how: Setup, workers: int = 1) -> list[Event]:
    """What one session tells."""
    told: list[Event] = []
    counts = read_with(folder, how, workers, told.append).counts
    assert counts.studied == sum(isinstance(event, Studied) for event in told)
    assert counts.dropped == sum(isinstance(event, Dropped) for event in told)
    return told


def with_worker(monkeypatch: pytest.MonkeyPatch, folder: Path, program: str) -> None:
    """Start workers that run this program instead."""
    script = folder / "fake-python"
    (folder / "fake.py").write_text(program)
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder / "fake.py"}"\n')
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


def test_every_page_is_read_once_by_several(tmp_path: Path) -> None:
    store(tmp_path, URLS)
    told = read_all(tmp_path, setup(tmp_path), workers=2)
    assert sorted(event.url for event in told if isinstance(event, Studied)) == sorted(URLS)
    assert sorted(documents_done(tmp_path / "parts")) == sorted(map(document_id, URLS))


def test_the_start_of_a_process_does_not_count_as_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a small site would seem to need a second one, which takes as long to start."""
    store(tmp_path, {"http://a.es/1": html("página")})
    start = "import time\nnow = time.monotonic()\nwhile time.monotonic() < now + 0.5: pass\n"
    with_worker(monkeypatch, tmp_path, start + FAKE.format(deed="pass"))
    began = time.monotonic()
    reading = read_with(tmp_path, setup(tmp_path), 1, lambda _event: None)
    assert 0 < reading.seconds < time.monotonic() - began - 0.5


def test_a_page_that_kills_is_dropped_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, FAKE.format(deed="os.kill(os.getpid(), signal.SIGKILL)"))
    told = read_all(tmp_path, setup(tmp_path))
    cause = "the reading process was killed"
    assert [event for event in told if isinstance(event, Dropped)] == [
        Dropped(url="http://a.es/2", reason=Drop.BROKEN, cause=cause)
    ]
    assert len([event for event in told if isinstance(event, Studied)]) == len(URLS) - 1
    assert sorted(documents_done(tmp_path / "parts")) == sorted(map(document_id, URLS))


@pytest.mark.parametrize(
    ("deed", "drop", "cause"),
    [
        ("os._exit(3)", Drop.BROKEN, "the reading process died (exit 3)"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", Drop.BROKEN, "the reading process died (signal 11)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", Drop.BROKEN, "the reading process was killed"),
        ("os._exit(77)", Drop.TOO_BIG, "more memory than a reading process may have"),
        ("os._exit(78)", Drop.BROKEN, "the converter was killed"),
        ("signal.pause()", Drop.TOO_SLOW, "more than 0.2 s"),
        (
            "os.write(ANSWERS, b'\\xff' * 100), signal.pause()",
            Drop.BROKEN,
            f"the reading process talked nonsense (a message of {2**32 - 1} bytes)",
        ),
    ],
)
def test_the_cause_of_a_death_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, drop: Drop, cause: str
) -> None:
    store(tmp_path, {"http://a.es/2": html("mala")})
    with_worker(monkeypatch, tmp_path, FAKE.format(deed=deed))
    (dropped,) = read_all(tmp_path, setup(tmp_path, seconds=0.2))
    assert dropped == Dropped(url="http://a.es/2", reason=drop, cause=cause)
    assert list(documents_done(tmp_path / "parts")) == [document_id("http://a.es/2")]


def dies(folder: Path, times: int) -> str:
    """The deed of readers that are killed at the page so often, and then no more."""
    died = str(folder / "died")
    note = f"os.write(os.open({died!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND), b'x')"
    kill = f"({note}, os.kill(os.getpid(), signal.SIGKILL))"
    return f"os.path.exists({died!r}) and os.path.getsize({died!r}) >= {times} or {kill}"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_deaths_from_outside_cost_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Readers of a page are killed, also those that read it alone."""
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, FAKE.format(deed=dies(tmp_path, times)))
    assert [type(event) for event in read_all(tmp_path, setup(tmp_path))] == [Studied] * len(URLS)
    assert Deaths(tmp_path / "deaths.json").documents == []


def test_a_page_that_killed_is_read_once_more_in_the_next_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, FAKE.format(deed=dies(tmp_path, 5)))
    assert len([event for event in read_all(tmp_path, setup(tmp_path)) if isinstance(event, Dropped)]) == 1
    assert (tmp_path / "died").stat().st_size == 1 + 3, "once among others, three times alone"
    (again,) = read_all(tmp_path, setup(tmp_path))
    assert (type(again), (tmp_path / "died").stat().st_size) == (Dropped, 5)
    (well,) = read_all(tmp_path, setup(tmp_path))
    assert (type(well), well.url) == (Studied, "http://a.es/2")  # type: ignore[attr-defined]
    assert sorted(documents_done(tmp_path / "parts")) == sorted(map(document_id, URLS))
    assert read_all(tmp_path, setup(tmp_path)) == []


def test_a_suspect_is_read_by_a_fresh_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What earlier pages left in a process must not be what kills the suspect: each of two dies of having company."""
    store(tmp_path, URLS)
    deed = "READ and os._exit(1)"
    program = FAKE.format(deed=deed).replace("    return real", "    READ.append(fetch.url)\n    return real")
    with_worker(monkeypatch, tmp_path, "READ = []\n" + program.replace('endswith("/2")', 'endswith(("/2", "/4"))'))
    assert [type(event) for event in read_all(tmp_path, setup(tmp_path))] == [Studied] * len(URLS)


def test_a_death_after_the_pages_were_written_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, URLS)
    program = FAKE.format(deed="pass").replace("worker.main()", "written = worker.write_part\n")
    program += "def write_part(*given, **more):\n    written(*given, **more)\n    os._exit(1)\n"
    with_worker(monkeypatch, tmp_path, program + "worker.write_part = write_part\nworker.main()\n")
    told = read_all(tmp_path, setup(tmp_path))
    assert sorted(event.url for event in told if isinstance(event, Studied)) == sorted(URLS)
    assert sorted(documents_done(tmp_path / "parts")) == sorted(map(document_id, URLS))


def test_when_no_worker_can_start_no_page_is_blamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, "import a_module_that_is_not_there")
    with pytest.raises(
        ProjectError, match=r"no process .* can start \(.*a_module_that_is_not_there.*\): install trasmallo again"
    ):
        read_all(tmp_path, setup(tmp_path))
    assert list(documents_done(tmp_path / "parts")) == []


def test_who_is_killed_before_it_begins_need_not_be_installed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(ProjectError, match=r"are killed before they begin \(signal 9\): find out who kills them") as trouble:
        read_all(tmp_path, setup(tmp_path))
    assert "install" not in str(trouble.value)
    assert list(documents_done(tmp_path / "parts")) == []


def test_a_process_that_is_killed_at_once_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pipe may be closed before it was said anything: the first three end before Python does."""
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, FAKE.format(deed="pass"))
    script, died = tmp_path / "fake-python", tmp_path / "died"
    again = script.read_text().partition("\n")[2]
    script.write_text(
        f'#!/bin/sh\n[ "$(cat "{died}" 2>/dev/null | wc -c)" -ge 3 ] || {{ printf x >> "{died}"; kill -9 $$; }}\n{again}'
    )
    told = read_all(tmp_path, setup(tmp_path), workers=2)
    assert [type(event) for event in told] == [Studied] * len(URLS)


@pytest.mark.parametrize("end", ["os._exit(77)", "raise MemoryError"])
def test_who_has_too_little_memory_to_begin_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    store(tmp_path, URLS)
    with_worker(monkeypatch, tmp_path, f"import os\n{end}")
    with pytest.raises(ProjectError, match=r"^300 MB are too little .*: give it more with megabytes in \[clean\]"):
        read_all(tmp_path, setup(tmp_path, megabytes=300))


def test_the_workers_trouble_is_the_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, URLS)
    deed = "raise OSError(28, 'No space left on device')"
    program = FAKE.format(deed="pass").replace("worker.main()", f"def write_part(*_, **__):\n    with DISK:\n        {deed}\n")
    program += "from pathlib import Path\nfrom trasmallo.values.errors import disk_errors\nDISK = disk_errors(Path('parts'))\n"
    with_worker(monkeypatch, tmp_path, program + "worker.write_part = write_part\nworker.main()\n")
    with pytest.raises(StoreFull, match=r"^cannot write parts: the disk is full: free some space"):
        read_all(tmp_path, setup(tmp_path))


def test_the_memory_of_a_worker_is_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, {"http://a.es/2": html("voraz")})
    with_worker(monkeypatch, tmp_path, FAKE.format(deed="bytearray(500_000_000)"))
    (dropped,) = read_all(tmp_path, setup(tmp_path, megabytes=256))
    assert dropped == Dropped(url="http://a.es/2", reason=Drop.TOO_BIG, cause="more than 256 MB")


def test_a_worker_that_holds_too_much_is_replaced_and_no_page_is_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page leaves 60 MB behind, and a worker may have 400: nobody could read all of them."""
    store(tmp_path, {f"http://a.es/{number}/2": html(f"página {number}") for number in range(12)})
    deed = "(HELD.append(b'x' * 60_000_000), os.write(STARTED, b'x') if len(HELD) == 1 else 0)"
    started = (
        f"HELD = []\nimport os\nSTARTED = os.open({str(tmp_path / 'started')!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)\n"
    )
    with_worker(monkeypatch, tmp_path, started + FAKE.format(deed=deed))
    told = read_all(tmp_path, setup(tmp_path, megabytes=400))
    assert [type(event) for event in told] == [Studied] * 12
    assert (tmp_path / "started").stat().st_size > 2


def test_who_is_not_wanted_rests_until_it_is(tmp_path: Path) -> None:
    """Of two places one reads as long as one is wanted; then the other begins, and what each does is told."""
    store(tmp_path, URLS)
    how, seen, serials = setup(tmp_path), list[list[AgentStatus]](), itertools.count(1)

    async def read() -> Readers:
        three = asyncio.Event()

        def note(_event: Event) -> None:
            seen.append(reading.agents())
            if len(seen) == 3:
                three.set()

        with Catalog(tmp_path / "catalog") as catalog:
            reading = Readers(
                how, workers=2, emit=note, next_part=lambda: f"{next(serials):08d}", pending=SmallBatches(catalog)
            )
            reading.wanted = 1
            reading.close()
            run = asyncio.create_task(reading.run())
            await three.wait()
            assert all(len(agents) == 1 for agents in seen), "one process does what one can"
            reading.wanted = 2
            reading.wake()
            await run
            return reading

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        reading = runner.run(read())
    assert reading.counts.studied == len(URLS)
    assert reading.work == 0
    assert reading.agents() == []
    assert reading.seconds > 0


class SmallBatches(Pending):
    """Pages that are handed out one at a time."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__(lambda: catalog.of_run(RUN), ())

    def take(self, most: int) -> tuple[Fetch, ...]:
        return super().take(min(most, 1))


def test_what_waits_is_told_in_seconds_of_work(tmp_path: Path) -> None:
    store(tmp_path, URLS)
    with Catalog(tmp_path / "catalog") as catalog:
        pending = Pending(lambda: catalog.of_run(RUN), ())
        readers = Readers(setup(tmp_path), workers=2, emit=lambda _event: None, next_part=lambda: "1", pending=pending)
        assert readers.work == math.inf, "nobody has looked into the catalog"
        fetches = pending.take(10)
        assert pending.take(10) == ()
        assert readers.work == 0
        for fetch in fetches:
            pending.add(fetch)
        assert 0 < readers.work < 1
        before = readers.work
        readers.seconds, readers.counts.pages[""] = 99.0, 10
        assert readers.work > before


def test_reading_and_study_together_have_the_time_of_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that says again and again that it studies its page does not get more time for it."""
    store(tmp_path, {"http://a.es/2": html("mala")})
    deed = "[options['was_read']() or signal.sigtimedwait([], 0.05) for _ in range(100000)]"
    with_worker(monkeypatch, tmp_path, FAKE.format(deed=deed))
    (dropped,) = read_all(tmp_path, setup(tmp_path, seconds=0.3))
    assert dropped == Dropped(url="http://a.es/2", reason=Drop.TOO_SLOW, cause="more than 0.3 s")
