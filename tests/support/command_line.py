"""The command `trasmallo` as tests call it: in this process where that is enough, in one of its own for signals and pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from support.waiting import until
from trasmallo import config, config_text
from trasmallo.cli import main
from trasmallo.demo.play import make_project
from trasmallo.demo.site import Site
from trasmallo.events import Fetched, read_events
from trasmallo.project.project import Project
from trasmallo.store import run_folders

PROGRAM = (sys.executable, "-P", "-m", "trasmallo")
_PATIENCE = 30.0


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    def rows(self) -> list[Any]:
        """The JSON values of its output, one a line."""
        return [msgspec.json.decode(line) for line in self.out.splitlines()]

    def value(self) -> Any:
        """The JSON value of its output."""
        return msgspec.json.decode(self.out)

    def refusal(self) -> str:
        """Its only line on standard error; it printed nothing else and no traceback."""
        assert self.out == ""
        (line,) = self.err.splitlines()
        return line


def call(*arguments: object, **options: Any) -> Done:
    """A command in a process of its own."""
    done = subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, **options)
    return Done(done.returncode, done.stdout, done.stderr)


def start(*arguments: object) -> subprocess.Popen[str]:
    """A command that can be watched, interrupted and killed."""
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(happened: Callable[[], Any], process: subprocess.Popen[str]) -> None:
    """Until something has happened, while the process lives."""

    def told() -> bool:
        found = bool(happened())
        assert found or process.poll() is None, process.communicate()
        return found

    until(told, "something to happen", _PATIENCE)


def hurried(folder: Path, seeds: tuple[str, ...], clean: dict[str, Any] | None = None, **crawl: Any) -> Project:
    """The sample project without pauses, read by one process."""
    project = make_project(folder, seeds, **({"delay": 0.0, "retry_after": 0.05} | crawl))
    reading = msgspec.structs.replace(project.config.clean, **({"workers": 1} | (clean or {})))
    project.config = msgspec.structs.replace(project.config, clean=reading)
    config_text.write(project.config, folder / config.FILE_NAME)
    return project


def fetched(project: Project) -> int:
    """Pages that the latest run has acknowledged."""
    found = run_folders.find(project.runs)
    if not found or not found[-1].events.exists():
        return 0
    return sum(isinstance(event, Fetched) for _, event in read_events(found[-1].events))


@pytest.fixture
def trasmallo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """A command in this process, through the program's own door."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["trasmallo", *map(str, arguments)])
        capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        return Done(int(code or 0), *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The demo's web, without its slowness."""
    with Site(drip=0.0) as site:
        yield site


@pytest.fixture(scope="session")
def finished(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The sample project after a quiet run; tests only read it."""
    project = hurried(tmp_path_factory.mktemp("finished") / "demo", site.seeds)
    project.run()
    return project


@pytest.fixture
def unfinished(site: Site, tmp_path: Path) -> Project:
    """The sample project before its first run."""
    return hurried(tmp_path / "project", site.seeds)
