"""A long day in an hour: crawls of a web that changes, questions to the app, and kills of any process, again and again.

    python benchmarks/soak.py [--minutes 1] [--seed N] [--pages N] [--json FILE]     (python3 go.py soak --minutes 60)

Each round the web changes (pages change, appear, vanish; servers fail), and a new run crawls it in two processes while anybody
may be killed: the run, a process that crawls, reads or converts, and one of two apps. Both apps are asked for searches,
concordances and tables all the time. After each round the run's pages must be those that the web has; after every fifth one the
pages are read again undisturbed, and every table must be the same, octet for octet.

Printed are the memory of the other app, which is never killed, and the largest of each run, and how much the app's grows in an
hour: the least of each minute, which is what it keeps between two answers, after a warm-up of a third of the time, 20 minutes
at most (until then caches fill and heaps find their size). The growth is the median of the slopes between any two minutes
(Theil 1950, Sen 1968), which a step up or down does not carry away as it does least squares. One minute is much like the next,
so its interval comes from blocks of five minutes drawn again and again (moving-block bootstrap, Künsch 1989). The exit code is
1 beyond the limits: no answer with a status from 500 on, no traceback, no difference; growth whose whole 95 % interval is
beyond 1 MB an hour, where half an hour or more was measured.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import random
import shutil
import statistics
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
from support.killing import Killer, differences, first_difference, work_in_spite
from support.served_app import QUESTIONS, ServedApp
from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Outcome

SEED = 20261116
PAGES = 120
LONGEST_S = 4.0
"""Seconds between two kills, at most."""
SAMPLE_S = 1.0
VISIT_S = 0.2
ROUNDS_A_COMPARISON = 5
WARM_UP = 1 / 3
"""Share of the time before the growth of memory is measured, of an hour at most."""
LONGEST_WARM_UP_S = 1_200.0
"""Seconds of warm-up at most. Measured: the app reaches its size in 15 to 20 minutes on two busy cores."""
BLOCK = 5
"""Minutes that are drawn together."""
DRAWS = 400
MOST_GROWTH = 1.0
"""Megabytes an hour."""
LEAST_MINUTES = 30.0
"""Minutes without which growth is printed and not judged."""
SHOWN = 12


class Sample(msgspec.Struct, frozen=True):
    """Megabytes at a time, in seconds since the beginning."""

    at: float
    app: float
    session: float


class Soaked(msgspec.Struct):
    """What happened: samples of memory, rounds, kills by kind, answers by status, and what went wrong, in words."""

    samples: list[Sample] = []
    rounds: int = 0
    compared: int = 0
    kills: dict[str, int] = {}
    answers: Counter[int] = msgspec.field(default_factory=Counter)
    wrong: list[str] = []

    @property
    def measured(self) -> list[tuple[float, float]]:
        """The least memory of the app in each minute after the warm-up, with its time in seconds."""
        begin = min(WARM_UP * self.samples[-1].at, LONGEST_WARM_UP_S) if self.samples else 0.0
        return kept([(one.at, one.app) for one in self.samples if one.at >= begin])

    @property
    def growth(self) -> float:
        """Megabytes an hour that the app's memory grows by after the warm-up; 0 when nothing was measured."""
        return 3_600 * slope(self.measured)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the growth is with 95 %, in megabytes an hour; both ends are the growth where too little was measured."""
        low, high = slope_interval(self.measured)
        return 3_600 * low, 3_600 * high

    @property
    def minutes(self) -> float:
        """How long growth was measured."""
        points = self.measured
        return (points[-1][0] - points[0][0]) / 60 if points else 0.0

    @property
    def is_well(self) -> bool:
        """Whether all is within the limits."""
        return not self.wrong and (self.minutes < LEAST_MINUTES or self.interval[0] <= MOST_GROWTH)


def kept(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The least of each minute: what an answer needs for a moment is no growth, and hides one."""
    minutes: dict[int, tuple[float, float]] = {}
    for at, value in points:
        minute = int(at // 60)
        minutes[minute] = min(minutes.get(minute, (at, value)), (at, value), key=lambda one: one[1])
    return list(minutes.values())


def slope(points: list[tuple[float, float]]) -> float:
    """How much the second of each pair grows with the first: the median of the slopes of any two; 0 for fewer than two."""
    slopes = [
        (after[1] - before[1]) / (after[0] - before[0])
        for before, after in itertools.combinations(points, 2)
        if after[0] != before[0]
    ]
    return statistics.median(slopes) if slopes else 0.0


def slope_interval(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The 95 % interval of such a slope; what is left beside the line is drawn again in blocks."""
    grows = slope(points)
    if len(points) < 2 * BLOCK:
        return grows, grows
    chance = random.Random(SEED)
    left = [value - grows * at for at, value in points]
    drawn = sorted(slope(_drawn_again(points, left, grows, chance)) for _ in range(DRAWS))
    return drawn[int(0.025 * DRAWS)], drawn[int(0.975 * DRAWS)]


def _drawn_again(
    points: list[tuple[float, float]], left: list[float], grows: float, chance: random.Random
) -> list[tuple[float, float]]:
    """The same times with what is left beside the line from blocks drawn by chance."""
    blocks = -(-len(points) // BLOCK)
    starts = [chance.randrange(len(points) - BLOCK + 1) for _ in range(blocks)]
    drawn = [left[start + step] for start in starts for step in range(BLOCK)]
    return [(at, grows * at + rest) for (at, _), rest in zip(points, drawn, strict=False)]


class Soak:
    """A project, its web and its apps, for some time."""

    def __init__(self, folder: Path, seconds: float, seed: int = SEED, pages: int = PAGES) -> None:
        self.found = Soaked()
        self._folder = folder
        self._seconds = seconds
        self._chance = random.Random(seed)
        self._web = ChangingWeb(pages, seed)
        self._over = threading.Event()
        self._errors = folder / "run.errors"
        self._errors.touch()

    def run(self) -> Soaked:
        """Work until the time is over; the round at work is ended."""
        with self._web:
            self._project = _make_project(self._folder / "soak", self._web.seeds)
            self._steady = self._app("steady")
            self._killed = self._app("killed")
            threads = [threading.Thread(target=work) for work in (self._sample, self._visit)]
            self._began = time.monotonic()
            for thread in threads:
                thread.start()
            try:
                self._work()
            finally:
                self._over.set()
                for thread in threads:
                    thread.join()
                self._steady.close()
                self._killed.close()
        self._look_for_tracebacks()
        return self.found

    def _app(self, name: str) -> ServedApp:
        return ServedApp([self._project.folder], self._folder / name)

    def _work(self) -> None:
        killer = Killer(self._chance, most=sys.maxsize)
        folder = self._project.folder
        while not self.found.rounds or time.monotonic() - self._began < self._seconds:
            again = ("run", folder)
            # The last kills of a round come too early for the next: who is killed for ever never ends.
            killer.most = killer.counts.total() + self._chance.randint(2, 8)
            work_in_spite(("run", folder, "--new"), again, killer, LONGEST_S, self._killed_process, self._errors)
            self.found.rounds += 1
            self.found.kills = dict(killer.counts)
            self._check()
            self._web.step()

    def _killed_process(self) -> int:
        return self._killed.process.pid

    def _check(self) -> None:
        """Hold the last run against the web, and now and then against an undisturbed reading."""
        truth, found = self._web.truth(), {str(row["url"]) for row in self._project.table("pages", columns=["url"])}
        # A page that one run did not find stays in the collection until another did not find it either.
        if odd := (truth - found) | (found - truth - self._missed()):
            self._note(f"round {self.found.rounds}: {len(odd)} pages too many or too few, such as {min(odd)}")
        if self.found.rounds % ROUNDS_A_COMPARISON == 1:
            self.found.compared += 1
            copy = self._folder / "copy"
            shutil.copytree(self._project.folder, copy)
            subprocess.run([sys.executable, "-P", "-m", "trasmallo", "clean", str(copy), "--quiet"], check=True)
            undisturbed = Project.open(copy)
            for table in differences(self._project, undisturbed):
                rows = first_difference(table, self._project, undisturbed)
                self._note(f"round {self.found.rounds}: {table} is not that of an undisturbed reading: {rows[:800]}")
            shutil.rmtree(copy)

    def _missed(self) -> set[str]:
        """Addresses at which the last run found nothing."""
        with Catalog(self._project.store / "catalog", read_only=True) as catalog:
            return {fetch.url for fetch in catalog.of_run(run_folders.latest(self._project.runs).name, Outcome.MISSING)}

    def _note(self, trouble: str) -> None:
        self.found.wrong.append(trouble)

    def _visit(self) -> None:
        """Ask both apps, and start another one when one was killed."""
        number = 0
        while not self._over.wait(VISIT_S):
            number += 1
            path = f"/api/p/{self._project.folder.name}{QUESTIONS[number % len(QUESTIONS)]}"
            self._ask(self._steady, path)
            with suppress(OSError, http.client.HTTPException):
                self._ask(self._killed, path)
            if self._killed.process.poll() is not None:
                self._killed.close()
                self._killed = self._app("killed")

    def _ask(self, app: ServedApp, path: str) -> None:
        status, body = app.ask(path)
        self.found.answers[status] += 1
        if status >= 500:
            self._note(f"{path} answered {status}: {body[:200].decode(errors='replace')}")

    def _sample(self) -> None:
        while not self._over.wait(SAMPLE_S):
            at = time.monotonic() - self._began
            session = holder(self._project.folder)
            self.found.samples.append(Sample(at, _memory(self._steady.process.pid), _memory(session) if session else 0.0))

    def _look_for_tracebacks(self) -> None:
        for path in (self._errors, self._steady.errors, self._killed.errors):
            if count := path.read_bytes().count(b"Traceback"):
                self._note(f"{count} tracebacks in {path.name} of {path.parent.name}")


def _make_project(folder: Path, seeds: tuple[str, ...]) -> Project:
    return Project.new(
        folder, seeds, name="soak", delay=0.0, address_delay=0.0, retry_after=0.1, retries=4, lines=4, processes=2
    )


def _memory(process: int) -> float:
    """Megabytes of memory that a process holds, 0 when it is gone."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1e3
    return 0.0


def show(found: Soaked) -> None:
    """Print what happened."""
    print(f"{'minutes':>10}{'app MB':>10}{'run MB':>10}")
    step = max(1, len(found.samples) // SHOWN)
    for first in range(0, len(found.samples), step):
        part = found.samples[first : first + step]
        largest = max(one.session for one in part)
        print(f"{part[-1].at / 60:>10.1f}{part[-1].app:>10.1f}{largest:>10.1f}")
    judged = "" if found.minutes >= LEAST_MINUTES else f" (not judged below {LEAST_MINUTES:.0f} minutes)"
    low, high = found.interval
    print(f"growth of the app's memory: {found.growth:.2f} MB an hour (95 %: {low:.2f} to {high:.2f}){judged}")
    print(f"{found.rounds} runs, {found.compared} of them compared with an undisturbed reading")
    print("kills: " + ", ".join(f"{count} {kind}" for kind, count in found.kills.items()))
    print("answers of the apps: " + ", ".join(f"{count} with {status}" for status, count in sorted(found.answers.items())))
    print(f"errors: {len(found.wrong)}")
    for trouble in found.wrong[:SHOWN]:
        print("  " + trouble)


def main() -> int:
    """Soak for as long as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--json", type=Path, help="a file for every sample and all that was found")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found = Soak(Path(scratch), 60 * options.minutes, options.seed, options.pages).run()
    show(found)
    if options.json:
        options.json.write_bytes(msgspec.json.encode(found))
    return 0 if found.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
