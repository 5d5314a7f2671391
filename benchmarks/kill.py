"""kill -9 of any process at random moments: nothing acknowledged may be lost, the tables must be those of a quiet run.

    python benchmarks/kill.py [KILLS [SEED [PROCESSES]]]                the demo web, crawled and studied, over several projects
    python benchmarks/kill.py --revisits [KILLS [SEED [PROCESSES]]]     revisits of a web that changes
    python benchmarks/kill.py --follow [KILLS [SEED [PROCESSES]]]       sites that are followed
    python benchmarks/kill.py --web FOLDER [KILLS [SEED [PROCESSES]]]   one crawl of the test web with 100 lines

On the demo web processes of each kind are killed by turns: the run itself (main), those that crawl (share; PROCESSES are two
unless said otherwise), those that read, those that convert, and an app that is asked about the project meanwhile. Half of the
projects are crawled, and their tables compared with those of a quiet run but for the times of pages; the others read the quiet
run's pages again, and every file must be the same, octet for octet. (The rows of `texts` are in no order.)

Revisits are held against quiet ones of a copy of the same collection: their tables must be the same but for the times of pages.
So are sites that are followed; each must be on the timetable once.

FOLDER holds the test web's `check.py` and `site/`; it is started beforehand. There the run itself is killed, four times of five
when the archive has reached a random size, else within the first second of a session. Pages fetched twice are counted in the
archive. What the server sent more holds answers that nobody had read when the kill came (as many as there are lines), and what
others ask for at the same time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.changing_web import ChangingWeb
from support.killing import Killer, check_acknowledged, differences, first_difference, prepare, work_in_spite
from support.served_app import QUESTIONS, ServedApp
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog

_SEED = 20261115
_LINES = 100
_LOOK_S = 0.005
_LOG_DELAY_S = 2.5
_VISIT_S = 0.1
_KILLS_A_PROJECT = 12
_KILLS_A_REVISIT = 6
_PAGES, _ALL = 60, "1000"


class Crawled(msgspec.Struct):
    """What a crawl left: its rows, how often each URL is in the archive, and what the server sent meanwhile."""

    rows: set[tuple[str, str, str]]
    records: Counter[str]
    archived: int
    seconds: float
    server: dict[str, object]


def main() -> None:
    """Kill as often as asked."""
    options = _options()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        if options.web:
            _kill_web(options, chance, Path(scratch))
        elif options.revisits:
            _kill_revisits(options, chance, Path(scratch))
        elif options.follow:
            _kill_followed(options, chance, Path(scratch))
        else:
            _kill_demo(options, chance, Path(scratch))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=Path)
    parser.add_argument("--revisits", action="store_true")
    parser.add_argument("--follow", action="store_true")
    parser.add_argument("kills", type=int, nargs="?", default=100)
    parser.add_argument("seed", type=int, nargs="?", default=_SEED)
    parser.add_argument("processes", type=int, nargs="?", default=0)
    options = parser.parse_args()
    options.processes = options.processes or (1 if options.web else 2)
    return options


class Visitor:
    """Asks an app about a project all the time, and starts another app when that was killed."""

    def __init__(self, project: Path, data: Path) -> None:
        self.failures: list[str] = []
        self._app = ServedApp([project], data)
        self._project, self._data = project, data
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._visit)
        self._thread.start()

    def process(self) -> int:
        """The app's process."""
        return self._app.process.pid

    def _visit(self) -> None:
        number = 0
        while not self._over.wait(_VISIT_S):
            number += 1
            with suppress(OSError, http.client.HTTPException):
                path = f"/api/p/{self._project.name}{QUESTIONS[number % len(QUESTIONS)]}"
                status, body = self._app.ask(path)
                if status >= 500:
                    self.failures.append(f"{path} answered {status}: {body[:400].decode(errors='replace')}")
            if self._app.process.poll() is not None:
                self._app.close()
                self._app = ServedApp([self._project], self._data)

    def close(self) -> None:
        """Go."""
        self._over.set()
        self._thread.join()
        self._app.close()


def _kill_demo(options: argparse.Namespace, chance: random.Random, scratch: Path) -> None:
    """Over as many projects as the kills take."""
    began = time.monotonic()
    killer = Killer(chance, 0)
    with Site(drip=0.0) as site:
        quiet = prepare(scratch / "quiet", site.seeds, options.processes)
        quiet.run()
        projects = acknowledged = failures = 0
        while killer.counts.total() < options.kills:
            killer.most = min(options.kills, killer.counts.total() + _KILLS_A_PROJECT)
            folder = scratch / f"killed{projects}"
            crawls = projects % 2 == 0
            killer.absent = () if crawls else ("share",)
            project = prepare(folder, site.seeds, options.processes) if crawls else _copy_of(quiet, folder)
            visitor = Visitor(folder, scratch / "data")
            try:
                again = ("run" if crawls else "clean", folder)
                work_in_spite(again, again, killer, longest=2.0, app=visitor.process)
            finally:
                visitor.close()
            acknowledged += check_acknowledged(project)
            odd = differences(quiet, project, times=not crawls)
            assert not odd, f"{folder}: {', '.join(odd)} differ"
            failures += len(visitor.failures)
            projects += 1
            print(*visitor.failures, sep="\n", end="\n" if visitor.failures else "")
            print(
                f"{killer.counts.total()} kills, {projects} projects, {acknowledged} pages acknowledged and readable",
                flush=True,
            )
    kinds = {f"{kind}s": count for kind, count in killer.counts.items()}
    figures = kinds | {"projects": projects, "pages lost": 0, "tables differ": 0, "app failed": failures}
    figures["seconds"] = round(time.monotonic() - began)
    print("".join(f"{name:>15}" for name in figures))
    print("".join(f"{figure:>15}" for figure in figures.values()))


def _kill_revisits(options: argparse.Namespace, chance: random.Random, scratch: Path) -> None:
    """Revisits of a web that changes each time, as many as the kills take."""
    killer, rounds = Killer(chance, 0), 0
    killer.absent = ("app",)
    with ChangingWeb(_PAGES, options.seed) as web:
        project = prepare(scratch / "killed", web.seeds, options.processes)
        project.run()
        while killer.counts.total() < options.kills:
            web.step()
            quiet = _copy_of(project, scratch / "quiet")
            quiet.revisit(_ALL)
            killer.most = min(options.kills, killer.counts.total() + _KILLS_A_REVISIT)
            visit = ("revisit", project.folder, "--budget", _ALL)
            work_in_spite(visit, visit, killer, longest=2.0)
            odd = differences(quiet, project, times=False)
            assert not odd, f"{', '.join(odd)} differ: {first_difference(odd[0], quiet, project)[:800]}"
            shutil.rmtree(quiet.folder)
            rounds += 1
            print(f"{killer.counts.total()} kills, {rounds} revisits, tables the same", flush=True)
    print("kills: " + ", ".join(f"{count} {kind}" for kind, count in killer.counts.items()))


def _kill_followed(options: argparse.Namespace, chance: random.Random, scratch: Path) -> None:
    """Projects that are begun to be followed, as many as the kills take."""
    killer, rounds = Killer(chance, 0), 0
    killer.absent = ("app",)
    with ChangingWeb(_PAGES, options.seed) as web:
        quiet = prepare(scratch / "quiet", web.seeds, options.processes)
        quiet.follow(budget=_ALL, timetable=scratch / "quiet.sqlite")
        while killer.counts.total() < options.kills:
            project = prepare(scratch / f"killed{rounds}", web.seeds, options.processes)
            killer.most = min(options.kills, killer.counts.total() + _KILLS_A_REVISIT)
            table = scratch / f"killed{rounds}.sqlite"
            follow = ("follow", project.folder, "--budget", _ALL, "--timetable", table)
            work_in_spite(follow, follow, killer, longest=2.0)
            odd = differences(quiet, project, times=False)
            assert not odd, f"{', '.join(odd)} differ: {first_difference(odd[0], quiet, project)[:800]}"
            assert [entry.work for entry in Timetable(table).entries()] == ["revisit"]
            rounds += 1
            print(f"{killer.counts.total()} kills, {rounds} sites followed, tables the same", flush=True)
    print("kills: " + ", ".join(f"{count} {kind}" for kind, count in killer.counts.items()))


def _copy_of(project: Project, folder: Path) -> Project:
    shutil.copytree(project.folder, folder)
    return Project.open(folder)


def _kill_web(options: argparse.Namespace, chance: random.Random, scratch: Path) -> None:
    """One quiet crawl, one that is killed, and how they differ."""
    quiet = _crawl(options, scratch / "quiet", [])
    sizes = sorted(chance.randrange(quiet.archived) for _ in range(options.kills))
    moments = [chance.uniform(0.02, 1.0) if chance.random() < 0.2 else float(size) for size in sizes]
    killed = _crawl(options, scratch / "killed", moments)
    _print_figures(quiet, killed)
    odd = sorted(quiet.rows ^ killed.rows)
    assert not odd, f"{len(odd)} rows differ, such as {odd[:4]}"


def _crawl(options: argparse.Namespace, folder: Path, moments: list[float]) -> Crawled:
    """Crawl to the end in spite of kills: below 2 after so many seconds, else when the archive has so many bytes."""
    time.sleep(_LOG_DELAY_S)
    offset = (options.web / "site" / "logs" / "access.log").stat().st_size
    began = time.monotonic()
    kills = 0
    for moment in moments:
        kills += _killed_at(_start(options, folder), folder, moment)
    last = _start(options, folder)
    _, errors = last.communicate()
    assert last.returncode == 0, errors.decode()
    seconds = time.monotonic() - began
    print(f"{kills} kills, {seconds:.0f} s", flush=True)
    time.sleep(_LOG_DELAY_S)
    server = json.loads(subprocess.check_output([sys.executable, "check.py", str(offset)], cwd=options.web))
    rows, records = _stored(folder)
    return Crawled(rows, records, _archived(folder), seconds, server)


def _start(options: argparse.Namespace, folder: Path) -> subprocess.Popen[bytes]:
    """The crawl as a user starts it and goes on with it, in a process group of its own."""
    seeds = options.web / "site" / "seeds.txt"
    given = [
        "--lines",
        str(_LINES),
        "--delay",
        "0",
        "--scope",
        "any",
        "--private",
        "127.0.0.0/8",
        "--processes",
        str(options.processes),
        "--quiet",
    ]
    command = [sys.executable, "-m", "trasmallo", "crawl", "--seeds", str(seeds), "--into", str(folder), *given]
    return subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)


def _killed_at(process: subprocess.Popen[bytes], folder: Path, moment: float) -> bool:
    """Kill the group when the moment has come; False when the crawl ended before, which must be without an error."""
    began = time.monotonic()
    while process.poll() is None:
        reached = time.monotonic() - began >= moment if moment < 2 else _archived(folder) >= moment
        if reached and (folder / "runs").exists():
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return True
        time.sleep(_LOOK_S)
    assert process.returncode == 0, process.communicate()[1].decode()
    return False


def _archived(folder: Path) -> int:
    """Bytes in the archive so far."""
    return sum(path.stat().st_size for path in (folder / "store" / "archive").glob("*.warc.gz"))


def _stored(folder: Path) -> tuple[set[tuple[str, str, str]], Counter[str]]:
    """URL, outcome and digest of every row, each of which must be readable, and the answers in the archive by URL."""
    project = Project.open(folder)
    run = run_folders.latest(project.runs)
    with Catalog(project.store / "catalog", read_only=True) as catalog, ArchiveReader(project.store / "archive") as reader:
        rows = set()
        for fetch in catalog.of_run(run.name):
            if fetch.locator is not None:
                assert reader.read(fetch.locator, verify=True).digest == fetch.digest, fetch.url
            rows.add((fetch.url, fetch.outcome.value, fetch.digest))
        records = Counter(record.url for _, record in reader.records() if record.kind in ("response", "revisit"))
    return rows, records


def _print_figures(quiet: Crawled, killed: Crawled) -> None:
    heads = ("", "URLs", "lost", "differ", "answers", "twice", "twice %", "robots twice", "server sent", "seconds")
    print("".join(f"{head:>13}" for head in heads))
    for name, one in (("quiet", quiet), ("killed", killed)):
        again = {url: count - 1 for url, count in one.records.items() if count > 1}
        robots = sum(count for url, count in again.items() if url.endswith("/robots.txt"))
        twice = sum(again.values()) - robots
        answers = one.records.total()
        lost = len({row[0] for row in quiet.rows} - {row[0] for row in one.rows})
        differ = len(quiet.rows ^ one.rows)
        figures = (len(one.rows), lost, differ, answers, twice, round(100 * twice / answers, 2), robots, one.server["requests"])
        print(f"{name:>13}" + "".join(f"{figure:>13}" for figure in figures) + f"{one.seconds:>13.0f}")


if __name__ == "__main__":
    main()
