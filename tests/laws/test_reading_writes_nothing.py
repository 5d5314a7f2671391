"""Reading a project changes no byte of it, and needs no permission to write there."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.command_line import fetched, hurried, start, wait_for
from support.reading import read_everything
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.kept_queries import FOLDER as QUERIES
from trasmallo.store.parts import finished_parts

TESTS = Path(__file__).resolve().parent.parent
_UNSHARE = ("unshare", "--mount", "sh", "-c")
_READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


def snapshot(folder: Path, *, content: bool = False) -> dict[str, tuple[int, int, str]]:
    """Name, size and time of change of everything in a folder but the history of queries, and a digest of its content."""
    found = {}
    for path in (folder, *folder.rglob("*")):
        if path.relative_to(folder).parts[:1] == (QUERIES,):
            continue
        stat, digest = path.lstat(), ""
        if content and path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path.relative_to(folder))] = (stat.st_size if path.is_file() else 0, stat.st_mtime_ns, digest)
    return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


@pytest.fixture
def interrupted(site: Site, tmp_path: Path) -> Project:
    """A project whose run was killed when some documents were there."""
    project = hurried(tmp_path / "interrupted", site.seeds, delay=0.2)
    with start("run", project.folder, "--quiet") as process:
        wait_for(lambda: has_parts(project), process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return project


def has_parts(project: Project) -> bool:
    return fetched(project) > 3 and len(finished_parts(run_folders.latest(project.runs).parts)) > 1


@contextmanager
def stopped(site: Site, folder: Path) -> Iterator[Project]:
    """A project at whose run the system has stopped all processes, so that only who reads it could change it."""
    project = hurried(folder, site.seeds, delay=0.2)
    command = [sys.executable, "-P", "-m", "trasmallo", "run", str(folder), "--quiet"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: has_parts(project), process)
        everybody = stop_family(process.pid)
        try:
            yield project
        finally:
            for each in everybody:
                os.kill(each, signal.SIGKILL)


def stop_family(process: int) -> list[int]:
    """Stop a process and all that it started, which may be in groups of their own; their numbers."""
    os.kill(process, signal.SIGSTOP)
    listed = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for path in listed for child in path.read_text().split()]
    return [process, *(one for child in children for one in stop_family(child))]


def check(folder: Path, out: Path) -> None:
    """Everything is read, nothing is changed; that a corpus query was asked is remembered, where it can be."""
    (folder / QUERIES).mkdir(exist_ok=True)
    before, times = snapshot(folder, content=True), snapshot(folder)
    for told in read_everything(folder, out):
        assert changed(times, snapshot(folder)) == [], told
        assert told["code"] == 0, told
        assert "Traceback" not in told["said"]
    assert changed(before, snapshot(folder, content=True)) == []


def test_a_finished_project_stays_as_it_is(finished: Project, out: Path, tmp_path: Path) -> None:
    shutil.copytree(finished.folder, tmp_path / "copy")
    check(tmp_path / "copy", out)


def test_an_interrupted_project_stays_as_it_is(interrupted: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(interrupted.folder, tmp_path_factory.mktemp("out"))


def test_a_project_at_work_stays_as_it_is(site: Site, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with stopped(site, tmp_path / "running") as project:
        check(project.folder, tmp_path / "out")


def can_mount_read_only(folder: Path) -> bool:
    if shutil.which("unshare") is None or os.geteuid() != 0:
        return False
    test = [*_UNSHARE, _READ_ONLY, "sh", str(folder), "sh", "-c", f'! touch "{folder}/x" 2> /dev/null']
    return subprocess.run(test, check=False, capture_output=True).returncode == 0


@contextmanager
def without_permission(folder: Path) -> Iterator[None]:
    """A folder in which nobody may write; root may nevertheless."""
    paths = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    try:
        for path in paths:
            path.chmod(modes[path] & ~0o222)
        yield
    finally:
        for path in paths:
            path.chmod(modes[path])


@pytest.mark.parametrize("state", ["finished", "interrupted"])
def test_a_project_is_read_where_nothing_can_be_written(
    state: str, request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(request.getfixturevalue(state).folder, folder)
    command = [sys.executable, "-m", "support.reading", str(folder), str(tmp_path_factory.mktemp("out"))]
    if os.geteuid() == 0:
        if not can_mount_read_only(folder):
            pytest.skip("root writes everywhere, and read-only mounts (unshare, mount) are not allowed here")
        command = [*_UNSHARE, _READ_ONLY, "sh", str(folder), *command]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(TESTS), os.environ["PYTHONPATH"]))}
    with without_permission(folder):
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(told) > 60
    assert [one for one in told if one["code"]] == []
