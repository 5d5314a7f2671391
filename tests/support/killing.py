"""Kill a running project at random moments, look whether anything acknowledged is lost, compare the end with a quiet run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from trasmallo.demo.play import make_project
from trasmallo.events import Fetched, read_events
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog

COMPARED = {
    "pages": ("url", "title", "language", "charset", "media", "size", "digest", "words", "types", "drop", "cause"),
    "words": ("word", "count", "capitalised", "documents", "sites"),
    "copies": ("url", "original", "similarity"),
    "links": ("document", "url", "anchor", "rel"),
    "segments": ("segment", "length", "count", "documents"),
    "collocations": ("first", "second", "count", "log_likelihood", "log_dice", "delta_p"),
    "profiles": ("document", "part", "words", "new"),
    "texts": ("document", "text"),
}
"""What must be the same after any number of kills: everything but times."""

PROGRAMS = {
    "share": b"trasmallo.pipeline.crawl_worker",
    "reader": b"trasmallo.pipeline.reading.worker",
    "converter": b"trasmallo.clean.sandbox_child",
}
"""The programs that a run starts, by what they do."""

KINDS = ("main", *PROGRAMS, "app")
"""Processes that may be killed."""

_TIMES = frozenset({"at", "first_at", "first_url"})
"""Columns that tell when a page was fetched, or which one was the first."""

_WAYS = frozenset({"seed", "reached", "via", "depth"})
"""Columns that say how a page was come upon, which is the way of who came first."""

_UNSORTED = frozenset({"texts.parquet", "texts.base.parquet"})

RUN_AGAIN = b"run again; all that was stored is there"
"""What an error ends with that the same command mends."""


def prepare(folder: Path, seeds: tuple[str, ...], processes: int = 1) -> Project:
    """The sample project, in a hurry."""
    make_project(folder, seeds, delay=0.0, retry_after=0.05, processes=processes)
    return Project.open(folder)


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Run the project in a process that can be killed."""
    return subprocess.Popen([sys.executable, "-m", "trasmallo", "run", str(folder), "--quiet"], stderr=subprocess.PIPE)


def kill_after(process: subprocess.Popen[bytes], seconds: float | None) -> bool:
    """Kill -9 after some time, None is never; False when the process ended before, which must be without an error."""
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return True
    assert process.returncode == 0, errors.decode()
    return False


def is_alive(process: int) -> bool:
    """Whether a process is there and not dead; one that nobody has waited for yet is dead."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def has_begun(process: int) -> bool:
    """Whether a program of ours has come to its first lines, in which it makes sure that nobody else prints its answers."""
    with suppress(OSError):
        files = Path(f"/proc/{process}/fd")
        return (files / "1").readlink() == (files / "2").readlink()
    return False


def descendants(process: int) -> list[int]:
    """The living processes that a process has started, and those that these have."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [child, *descendants(child)]
    return found


def crawlers_of(process: int) -> list[int]:
    """The crawling processes that a coordinator has started."""
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [int(child) for child in listed if is_crawler(int(child))]


def is_crawler(process: int) -> bool:
    """Whether a process lives and crawls."""
    try:
        return b"trasmallo.pipeline.crawl_worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def check_acknowledged(project: Project) -> int:
    """Every page that was acknowledged is in the catalog and can be read with its digest; how many those are."""
    found = run_folders.find(project.runs)
    if not found or not (project.store / "catalog").exists() or not found[-1].events.exists():
        return 0
    acknowledged = {event.url: event.digest for _, event in read_events(found[-1].events) if isinstance(event, Fetched)}
    with Catalog(project.store / "catalog", read_only=True) as catalog, ArchiveReader(project.store / "archive") as reader:
        for url, digest in acknowledged.items():
            fetch = catalog.latest(url)
            assert fetch is not None, f"{url} was acknowledged and is not in the catalog"
            assert fetch.locator is not None, url
            assert fetch.digest == digest, url
            assert reader.read(fetch.locator, verify=True).digest == digest, url
    return len(acknowledged)


def results(project: Project) -> dict[str, list[tuple[object, ...]]]:
    """All that a run found, without its times."""
    from trasmallo.results.database.planner import Question

    with project.tables() as tables:
        return {table: sorted(tables.ask(table, Question(columns=columns)), key=repr) for table, columns in COMPARED.items()}


def kill_until_done(project: Project, chance: random.Random, longest: float, most: int | None = None) -> int:
    """Start and kill the project until a start survives to the end, or `most` times; the number of kills."""
    kills = 0
    while True:
        killed = kill_after(start(project.folder), chance.uniform(0.05, longest) if kills != most else None)
        check_acknowledged(project)
        if not killed:
            return kills
        kills += 1


class Killer:
    """Kills processes of any kind, those that were killed least first; `counts` has the kills of each kind.

    Nobody waits for the kinds that are `absent`, because what is disturbed has none of them.
    """

    def __init__(self, chance: random.Random, most: int, kinds: Sequence[str] = KINDS) -> None:
        self.counts: Counter[str] = Counter(dict.fromkeys(kinds, 0))
        self.most = most
        self.absent: Sequence[str] = ()
        self.chance = chance

    @property
    def is_done(self) -> bool:
        """Whether as many were killed as there should be."""
        return self.counts.total() >= self.most

    def kill(self, main: int, app: int = 0, *, patient: bool = False) -> bool:
        """Kill one process of the kind that was killed least, or of any that lives; False where a `patient` one waits."""
        living = {kind: found for kind, found in by_kind(main, app).items() if kind in self.counts and found}
        awaited = [kind for kind in self.counts if kind not in self.absent]
        least = min(self.counts[kind] for kind in (awaited if patient else living or awaited))
        wanted = [kind for kind in living if self.counts[kind] <= least]
        if not wanted:
            return not patient
        kind = self.chance.choice(wanted)
        with suppress(ProcessLookupError):
            os.kill(self.chance.choice(living[kind]), signal.SIGKILL)
            self.counts[kind] += 1
        return True

    def disturb(self, process: subprocess.Popen[bytes], app: Callable[[], int], longest: float) -> None:
        """Kill processes of a run and an app at random moments until the run has ended, or as many are killed as should be.

        Those that were killed least are waited for, up to ten times as long.
        """
        while process.poll() is None and not self.is_done:
            waits = [self.chance.uniform(0.05, longest), *[longest / 4] * 40]
            for turn, seconds in enumerate(waits, 1):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(seconds)
                if process.poll() is not None or self.kill(process.pid, app(), patient=turn < len(waits)):
                    break
        process.wait()


def by_kind(main: int, app: int = 0) -> dict[str, list[int]]:
    """The living processes of a run and of an app by what they do."""
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    found["main"] = [main] if is_alive(main) else []
    found["app"] = [app] if app and is_alive(app) else []
    for process in descendants(main):
        with suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            for kind, program in PROGRAMS.items():
                if program in command:
                    found[kind].append(process)
    return found


def work_in_spite(
    first: Sequence[object],
    then: Sequence[object],
    killer: Killer,
    longest: float,
    app: Callable[[], int] = lambda: 0,
    errors: Path | None = None,
) -> None:
    """Have a command done, and `then` another one until that ends by itself, however many are killed meanwhile.

    Who ends badly without having been killed must say that the same command mends it. `app` gives the app's process.
    """
    command = first
    while True:
        with tempfile.TemporaryFile() as said:
            line = [sys.executable, "-P", "-m", "trasmallo", *map(str, command), "--quiet"]
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=said)
            killer.disturb(process, app, longest)
            said.seek(0)
            told = said.read()
        if errors:
            with errors.open("ab") as file:
                file.write(told)
        if process.returncode == 0:
            return
        assert process.returncode == -signal.SIGKILL or RUN_AGAIN in told, (process.returncode, told.decode())
        command = then


def tables_of(project: Project) -> dict[str, Path]:
    """The files of the latest run's tables and tokens, by their names."""
    folder = run_folders.latest(project.runs).folder
    return {path.name: path for path in sorted([*folder.glob("*.parquet"), *folder.glob("*.columns")])}


def differences(one: Project, other: Project, *, times: bool = True) -> list[str]:
    """Tables that are not the same, octet for octet.

    `texts`, which is in no order, may have its rows in another one. Without `times` those of pages may be others, and the ways
    on which pages were come upon, since another crawl is later and its order another: then such tables are compared row by row
    without them.
    """
    first, second = tables_of(one), tables_of(other)
    odd = [name for name in first if name in second and first[name].read_bytes() != second[name].read_bytes()]
    untimed = [name for name in odd if name in _UNSORTED or (not times and name.endswith(".parquet"))]
    same = [name for name in untimed if _rows(first[name], times=times) == _rows(second[name], times=times)]
    return sorted({*(set(first) ^ set(second)), *odd} - {*same})


def _rows(table: Path, *, times: bool) -> list[tuple[object, ...]]:
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(table))
        kept = [name for name in found.columns if times or name not in _TIMES | _WAYS]
        rows = found.select(*kept).fetchall()
    return sorted(rows, key=repr) if table.name in _UNSORTED or not times else rows


def first_difference(table: str, one: Project, other: Project) -> str:
    """The first rows in which two tables differ, in words; "" for what is no table of rows, or is there only once."""
    first, second = (tables_of(project).get(table) for project in (one, other))
    if not table.endswith(".parquet") or first is None or second is None:
        return ""
    rows = zip(_rows(first, times=True), _rows(second, times=True), strict=False)
    return next((f"{here} / {there}" for here, there in rows if here != there), "another number of rows")
