"""Nobody is told of a document that the system would not let them read: not by any command, any page, any count or suggestion.

`TRASMALLO_RIGHTS_CHANGES=5000` makes as many random changes; without it there are a few.
"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette

from support.command_line import PROGRAM
from support.shared_files import (
    BEGIN,
    ELSEWHERE,
    MARKERS,
    USERS,
    SharedFiles,
    addresses,
    change_right,
    commands,
    leaks,
    make_shared,
)
from trasmallo.cli import COMMANDS, program
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.results.registry import all_tables
from trasmallo.values.errors import TrasmalloError
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.views import all_pages
from web.conftest import HOST, TOKEN, Client

pytestmark = pytest.mark.timeout(1_200 if "TRASMALLO_RIGHTS_CHANGES" not in os.environ else 100_000)
_CHANGES = int(os.environ.get("TRASMALLO_RIGHTS_CHANGES", "12"))
_DOORS_A_CHANGE = 45 if _CHANGES < 100 else 3
"""So that a few changes ask every door once, and many do so again and again."""


def _can_be(user: str) -> bool:
    """Whether we may be another user, who can run the Python that we run."""
    if os.geteuid():
        return False
    asked = ["/bin/sh", "-c", '[ -x "$1" ]', "sh", sys.executable]
    return not subprocess.run(asked, user=int(user), group=int(user), extra_groups=[], check=False).returncode


Door = Callable[[str], str]
"""Asks as a user; all that was answered."""


@pytest.fixture(scope="module")
def base() -> Iterator[Path]:
    """A folder that every user of the system can go through, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="trasmallo-rights-"))
    folder.chmod(0o755)
    before = {name: os.environ.get(name) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
    os.environ |= {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}
    yield folder
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def files(base: Path) -> SharedFiles:
    return make_shared(base)


def _command(name: str, arguments: list[str], out: Path) -> Door:
    def ask(user: str) -> str:
        shutil.rmtree(out)
        out.mkdir()
        done = CliRunner().invoke(program, ["--as", user, name, *arguments])
        assert done.exception is None or isinstance(done.exception, TrasmalloError | SystemExit), done.exception
        said = str(done.exception or "") + done.output
        assert not any(words in said for words in ("No such option", "Missing argument", "Missing option")), said
        return said + "".join(_content(path) for path in sorted(out.rglob("*")) if path.is_file())

    return ask


def _content(path: Path) -> str:
    content = path.read_bytes()
    if content.startswith(b"\x1f\x8b"):
        with gzip.open(path) as file:
            content = file.read()
    return content.decode("utf-8", "replace")


def _page(address: str, clients: dict[str, Client]) -> Door:
    return lambda user: clients[user].get(address).text


@pytest.fixture(scope="module")
def doors(files: SharedFiles, base: Path) -> Iterator[dict[str, Door]]:
    """Every way to ask, by what is typed."""
    out = base / "out"
    out.mkdir()
    found: dict[str, Door] = {}
    for name, calls in commands(files, out).items():
        found |= {" ".join((name, *arguments)): _command(name, arguments, out) for arguments in calls}
    apps = {user: _app(files, user) for user in USERS}
    clients = {user: _client(app) for user, app in apps.items()}
    pages = [page for page in all_pages() if page.method == "GET"]
    listed = [(path, tuple(page.question.__struct_fields__)) for page in pages for path in {page.path, page.api_path}]
    yield found | {address: _page(address, clients) for address in addresses(files, listed)}
    for app in apps.values():
        app.state.pool.close()


def _app(files: SharedFiles, user: str) -> Starlette:
    return build(Workspace([files.project]), AppDoor(TOKEN, frozenset({HOST}), read_only=True, user=user))


def _client(app: Starlette) -> Client:
    client = Client(app, **{"Accept": "text/html", "Accept-Language": "es"})
    client.get(f"/?token={TOKEN}")
    return client


def test_every_command_is_asked(files: SharedFiles, tmp_path: Path) -> None:
    assert commands(files, tmp_path).keys() | ELSEWHERE >= COMMANDS.keys()


def test_no_door_tells_of_what_may_not_be_read(files: SharedFiles, doors: dict[str, Door]) -> None:
    """Each door once at least, each time after other rights have changed."""
    choice, turn = random.Random(23), list(doors)
    number, asked, told = 0, 0, set[str]()
    while number < _CHANGES or turn:
        number += 1
        change_right(files, choice)
        some = [turn.pop() for _ in range(min(_DOORS_A_CHANGE, len(turn)))] or choice.sample(list(doors), _DOORS_A_CHANGE)
        user = choice.choice(USERS)
        denied = files.denied(user)
        for name in some:
            answer = doors[name](user)
            asked, told = asked + 1, told | leaks(answer, set(MARKERS) - denied)
            assert not leaks(answer, denied), f"after {number} changes {user} is told by: {name}"
    assert told, "nobody was told anything"


def _made_of(files: SharedFiles, kept: set[str], place: Path) -> Project:
    """A project of some of the files alone."""
    folder = place / "notas"
    folder.mkdir(parents=True)
    for url, marker in files.markers.items():
        if marker in kept:
            shutil.copy2(files.file(url), folder)
    project = Project.new(place / "project", name="compartido")
    project.import_file(folder)
    return project


def _answers(project: Project) -> dict[str, Any]:
    """What a project tells in tables, searches, laws, counts and suggestions."""
    found: dict[str, Any] = {}
    for name, table in all_tables().items():
        rows = [_without(row, "access", "at", "date", "first_date") for row in project.table(name)]
        found[name] = sorted(rows, key=str) if table.large else rows
    for query in ("casa", f"{BEGIN}*", f"{BEGIN}uni", "barco azul"):
        results = project.find(query, facets=("site", "language"))
        hits = [(hit.document, round(hit.score, 6), hit.copies, hit.snippet) for hit in results.hits]
        found[f"find {query}"] = (results.total, results.documents, results.facets, results.suggestion, hits)
    found["laws"] = project.laws()
    page = project.kwic("casa", limit=100)
    found["kwic"] = (page.total, page.documents, page.tokens, [hit.document for hit in page.hits])
    summary = project.summary()
    found["summary"] = (summary.pages, summary.documents, summary.words, summary.types, summary.copies, summary.outcomes)
    return found


def _without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


@pytest.mark.parametrize("hidden", [{0}, {1, 4}, {0, 2, 3, 5, 6, 7}])
def test_answers_are_those_of_a_project_without_the_others(files: SharedFiles, tmp_path: Path, hidden: set[int]) -> None:
    """A copy whose original is hidden counts, and no figure is that of the whole collection."""
    for number, url in enumerate(files.markers):
        if os.geteuid() == 0:
            os.chown(files.file(url), 0, 0)
        files.file(url).chmod(0o600 if number in hidden else 0o644)
    expected = _answers(_made_of(files, {marker for number, marker in enumerate(MARKERS) if number not in hidden}, tmp_path))
    found = _answers(Project.open(files.project, user="60001"))
    for name, answer in expected.items():
        assert found[name] == answer, name


def test_a_right_that_is_lost_counts_at_once_and_comes_back(files: SharedFiles) -> None:
    project, url = Project.open(files.project, user="60001"), next(iter(files.markers))
    path = files.file(url)
    path.chmod(0o644)
    assert project.find(MARKERS[0]).total == 1
    path.chmod(0o600)
    assert project.find(MARKERS[0]).total == 0
    with pytest.raises(TrasmalloError):
        project.cached(url)
    path.chmod(0o644)
    assert project.find(MARKERS[0]).total == 1


def test_a_folder_that_is_closed_hides_what_is_in_it(files: SharedFiles) -> None:
    files.folder.chmod(0o700)
    try:
        assert not Project.open(files.project, user="60001").find("casa").total
    finally:
        files.folder.chmod(0o755)


@pytest.mark.skipif(not _can_be(USERS[0]), reason="no other user of the system can run this Python")
@pytest.mark.parametrize("user", USERS)
def test_real_users_of_the_system(files: SharedFiles, user: str) -> None:
    """A process of that user, over a project that everybody can read, is told what the kernel lets it read."""
    choice, number = random.Random(int(user)), int(user)
    for _ in MARKERS:
        change_right(files, choice)
    subprocess.run(["chmod", "-R", "a+rX", str(files.project)], check=True)
    home = files.project.parent / f"home-{user}"
    home.mkdir(exist_ok=True)
    os.chown(home, number, number)
    done = subprocess.run(
        [*PROGRAM, "list", str(files.project), "words", "--limit", "0", "--json"],
        user=number,
        group=number,
        extra_groups=[],
        env=os.environ | {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert leaks(done.stdout, set(MARKERS)) == set(MARKERS) - files.denied(user)
