"""Clean and study of the same pages by the process pool and by Ray: the same octets, CPU seconds, wall seconds.

`python benchmarks/corpus.py FOLDER [--pages N] [--agents N] [--kill]`: FOLDER holds pages (.html), such as those of a test web.
They are taken into a project once; its results are then made again by the processes of this machine and by Ray on loopback, in
turns, each in a process of its own. CPU is that of all processes that descend from it, Ray's own among them, as the kernel
counts it, looked at ten times a second. With --kill a worker of Ray is killed (SIGKILL) twenty seconds after it began to read.

Ray (`pip install 'trasmallo[cluster]'`) is the peer here: its figures are ours on it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from trasmallo import Project
from trasmallo.events import Bus
from trasmallo.pipeline.balance import cpu_seconds
from trasmallo.pipeline.executors.interface import Executor
from trasmallo.pipeline.executors.on_ray import LOCAL, RayExecutor
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.stages import Stages
from trasmallo.store import run_folders

QUESTIONS = ("casa", "agua OR tierra", "house", "el mundo", "people time")
KILL_AFTER = 20.0


def main() -> None:
    """Measure both in turns and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--agents", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--work", choices=("processes", "ray"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        work(asked.folder, asked.work, asked.agents)
        return
    with tempfile.TemporaryDirectory(prefix="trasmallo-corpus-") as name:
        project = make_project(asked.folder, asked.pages, Path(name))
        results = {how: measure(project, how, asked.agents, kill=asked.kill and how == "ray") for how in ("processes", "ray")}
    show(results)


def make_project(folder: Path, pages: int, place: Path) -> Path:
    """A project with some of the pages, read and studied once."""
    chosen = place / "pages"
    for path in sorted(folder.rglob("*.html"))[:pages]:
        (chosen / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, chosen / path.relative_to(folder))
    Project.new(place / "project").import_file(chosen)
    return place / "project"


def work(folder: Path, how: str, agents: int) -> None:
    """Make the results of a project again, and print digests of them and answers of its index."""
    project = Project.open(folder)
    executor: Executor = RayExecutor(LOCAL, agents) if how == "ray" else ProcessExecutor(agents)
    with executor:
        Stages(folder, project.config, Bus(), executor).clean()
    run = run_folders.latest(project.runs)
    files = [*run.folder.glob("*.parquet"), run.folder / "tokens.columns", run.folder / "copies.jsonl"]
    told = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    for question in QUESTIONS:
        found = Project.open(folder).find(question, limit=50)
        told[question] = f"{found.total} {[(hit.score, hit.url) for hit in found.hits]}"
    print(json.dumps(told))


def measure(project: Path, how: str, agents: int, *, kill: bool) -> dict[str, object]:
    """What a process takes that makes the results again, with all that it starts."""
    twin = project.with_name(how)
    shutil.copytree(project, twin)
    command = [sys.executable, __file__, str(twin), "--work", how, "--agents", str(agents)]
    began, used, killed = time.monotonic(), dict[int, float](), 0
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            for each in descendants(process.pid):
                used[each] = max(used.get(each, 0.0), cpu_seconds(each))
            if kill and not killed and time.monotonic() - began > KILL_AFTER:
                killed = kill_reader(process.pid)
            time.sleep(0.1)
        assert process.stdout is not None
        told = process.stdout.read()
    if process.returncode:
        sys.exit(f"{how} ended with {process.returncode}")
    return {
        "cpu": sum(used.values()),
        "wall": time.monotonic() - began,
        "killed": killed,
        "told": json.loads(told.splitlines()[-1]),
    }


def kill_reader(ancestor: int) -> int:
    """Kill a worker of Ray that reads at the moment; 0 when there is none."""
    for process in descendants(ancestor):
        with suppress(OSError):
            if Path(f"/proc/{process}/cmdline").read_text().startswith("ray::read_batch"):
                os.kill(process, signal.SIGKILL)
                return process
    return 0


def descendants(ancestor: int) -> list[int]:
    """A process and all that it started, directly or not."""
    children: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(place.name))
    found = [ancestor]
    for process in found:
        found += children.get(process, [])
    return found


def show(results: dict[str, dict[str, object]]) -> None:
    """Both beside each other, and what differs."""
    for how, result in results.items():
        print(f"{how:<10} {result['cpu']:>8.1f} CPU s {result['wall']:>8.1f} s   killed: {result['killed'] or 'none'}")
    one, other = (result["told"] for result in results.values())
    assert isinstance(one, dict)
    assert isinstance(other, dict)
    differ = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    cpu = [result["cpu"] for result in results.values()]
    print(f"CPU ratio {float(str(cpu[1])) / float(str(cpu[0])):.2f} (bar 2); {len(one) - len(differ)} of {len(one)} the same")
    if differ:
        print("differ:", ", ".join(sorted(differ)))


if __name__ == "__main__":
    main()
