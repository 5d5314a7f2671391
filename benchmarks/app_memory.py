"""What the app's memory grows by: an hour of the soak's questions and of its new runs in a minute each.

    python benchmarks/app_memory.py [--minutes 15] [--pages 60] [--json FILE]

An app serves a project of three runs of a web that changes. For a quarter of the time it is asked the soak's questions as fast
as it answers; then a copy of one of the runs is put in place as a new run again and again, the oldest goes, and the app is
asked all questions of each. Told are its private memory that was written to (Private_Dirty in smaps_rollup, the least of some
looks after the same phase of each cycle), its growth for 10,000 answers and for 100 new runs by least squares after a warm-up
of a fifth, each with its standard error, and what both make in an hour of the soak (`soak.py`: 5,500 answers and 100 runs an
app). The exit code is 1 when that is beyond 1 MB by more than twice its standard error, or an answer had a status from 500 on.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from soak import MOST_GROWTH

from support.changing_web import ChangingWeb
from support.served_app import QUESTIONS, ServedApp
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run

ANSWERS_AN_HOUR = 5_500
RUNS_AN_HOUR = 100
ANSWERING = 0.25
"""Share of the time in which questions are asked and nothing changes."""
WARM_UP = 0.2
"""Share of the looks before the growth is measured."""
BLOCK = 300
"""Answers between two looks at the memory."""
RUNS_MADE, RUNS_KEPT = 3, 3
LOOKS, LOOK_S = 4, 0.05

Points = list[tuple[float, float]]


class Growth(msgspec.Struct, frozen=True):
    """How much memory grows with each of what was counted, in megabytes, and the standard error of that."""

    each: float
    error: float

    def times(self, number: float) -> Growth:
        """The growth of so many."""
        return Growth(number * self.each, number * self.error)


class Measured(msgspec.Struct):
    """Megabytes after so many answers, and after so many new runs; answers by status."""

    by_answers: Points = []
    by_runs: Points = []
    statuses: Counter[int] = msgspec.field(default_factory=Counter)

    @property
    def an_hour(self) -> Growth:
        """What an hour of the soak adds."""
        answers, runs = growth(self.by_answers).times(ANSWERS_AN_HOUR), growth(self.by_runs).times(RUNS_AN_HOUR)
        return Growth(answers.each + runs.each, math.hypot(answers.error, runs.error))

    @property
    def is_well(self) -> bool:
        """Whether all is within the limits."""
        return max(self.statuses, default=0) < 500 and self.an_hour.each - 2 * self.an_hour.error <= MOST_GROWTH


def growth(points: Points) -> Growth:
    """The growth by points, by least squares, without those of the warm-up."""
    kept = points[math.ceil(WARM_UP * len(points)) :]
    return Growth(slope(kept), standard_error(kept))


def slope(points: Points) -> float:
    """How much the second of each pair grows with the first, by least squares; 0 for fewer than two places."""
    middle = sum(at for at, _ in points) / max(len(points), 1)
    spread = sum((at - middle) ** 2 for at, _ in points)
    return sum((at - middle) * value for at, value in points) / spread if spread else 0.0


def standard_error(points: Points) -> float:
    """How far such a slope may be off by chance; 0 for fewer than three places."""
    if len(points) < 3:
        return 0.0
    middles = [sum(column) / len(points) for column in zip(*points, strict=True)]
    grows = slope(points)
    left = sum((value - middles[1] - grows * (at - middles[0])) ** 2 for at, value in points)
    return math.sqrt(left / (len(points) - 2) / sum((at - middles[0]) ** 2 for at, _ in points))


def private_memory(process: int) -> float:
    """Megabytes that only this process holds and has written to."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("Private_Dirty")).split()[1]) * 1024 / 1e6


class AppMemory:
    """A project whose runs change, and an app that is asked about it."""

    def __init__(self, folder: Path, pages: int) -> None:
        self.found = Measured()
        self.project = _make_project(folder / "memory", pages)
        self._made = run_folders.find(self.project.runs)
        self._shown: deque[Path] = deque()
        self._number = self._asked = 0
        self.app = ServedApp([self.project.folder], folder / "app")

    def run(self, seconds: float) -> Measured:
        """Ask, then change runs, for so long; each at least twice."""
        try:
            began = time.monotonic()
            while len(self.found.by_answers) < 2 or time.monotonic() - began < ANSWERING * seconds:
                self._ask(BLOCK)
                self.found.by_answers.append((self._asked, self._memory()))
            while len(self.found.by_runs) < 2 or time.monotonic() - began < seconds:
                self._put_run()
                self._ask(2 * len(QUESTIONS))
                self.found.by_runs.append((self._number, self._memory()))
        finally:
            self.app.close()
        return self.found

    def _ask(self, number: int) -> None:
        for _ in range(number):
            path = f"/api/p/{self.project.folder.name}{QUESTIONS[self._asked % len(QUESTIONS)]}"
            self.found.statuses[self.app.ask(path)[0]] += 1
            self._asked += 1

    def _memory(self) -> float:
        """The least of some looks: what an answer needs for a moment is no growth."""
        looks = []
        for _ in range(LOOKS):
            time.sleep(LOOK_S)
            looks.append(private_memory(self.app.process.pid))
        return min(looks)

    def _put_run(self) -> None:
        """Put a copy of a run in place as the newest; the oldest copy goes when nobody asks for it any more."""
        self._number += 1
        folder = self.project.runs / f"memory-{self._number:06d}"
        draft = self.project.folder / "draft"
        shutil.copytree(self._made[self._number % len(self._made)].folder, draft, copy_function=os.link)
        (draft / "run.json").unlink()
        manifest = msgspec.structs.replace(self._made[0].manifest, name=folder.name, began=time.time(), base="")
        Run(draft, manifest).save()
        draft.rename(folder)
        self._shown.append(folder)
        if len(self._shown) > RUNS_KEPT:
            shutil.rmtree(self._shown.popleft())


def _make_project(folder: Path, pages: int) -> Project:
    with ChangingWeb(pages) as web:
        project = Project.new(folder, web.seeds, name="memory", delay=0.0, address_delay=0.0, retry_after=0.1, retries=4)
        for _ in range(RUNS_MADE):
            subprocess.run([sys.executable, "-P", "-m", "trasmallo", "run", str(folder), "--new", "--quiet"], check=True)
            web.step()
    return project


def show(found: Measured) -> None:
    """Print what happened."""
    for what, points, number in (("answers", found.by_answers, 10_000), ("new runs", found.by_runs, 100)):
        grown = growth(points).times(number)
        print(f"{points[-1][0] if points else 0:>8,} {what}: from {points[0][1]:.1f} to {points[-1][1]:.1f} MB", end="; ")
        print(f"after the warm-up {grown.each:+.2f} ± {grown.error:.2f} MB for {number:,} {what}")
    print(f"an hour of the soak: {found.an_hour.each:+.2f} ± {found.an_hour.error:.2f} MB")
    print("answers: " + ", ".join(f"{count} with {status}" for status, count in sorted(found.statuses.items())))


def main() -> int:
    """Measure for as long as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--json", type=Path, help="a file for all that was measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found = AppMemory(Path(scratch), options.pages).run(60 * options.minutes)
    show(found)
    if options.json:
        options.json.write_bytes(msgspec.json.encode(found))
    return 0 if found.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
