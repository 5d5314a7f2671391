"""Kill a running project at random moments, look whether anything acknowledged is lost, compare the end with a quiet run."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

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
