"""The web app in this process, over projects of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor

TOKEN = "a-token-that-only-the-tests-know-0123456789"
HOST = "127.0.0.1:7470"
ORIGIN = f"http://{HOST}"


class Client:
    """Asks the app as a browser does that was let in, or as anybody with `headers` of their own."""

    def __init__(self, app: Any, **headers: str) -> None:
        self._app = app
        self._headers = headers
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One answer; redirects are not followed."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, cookies=self.cookies) as client:
                headers = self._headers | options.pop("headers", {})
                return await client.request(method, path, headers=headers, **options)

        answer = asyncio.run(ask())
        self.cookies |= dict(answer.cookies)
        return answer

    def get(self, path: str, **options: Any) -> httpx.Response:
        """A page."""
        return self.ask("GET", path, **options)

    def page(self, path: str, **options: Any) -> str:
        """The markup of a page that must be there."""
        answer = self.get(path, **options)
        assert answer.status_code == 200, answer.text[-600:]
        return answer.text

    def json(self, path: str) -> Any:
        """The JSON twin of a page that must be there."""
        answer = self.get(path, headers={"Accept": "application/json"})
        assert answer.status_code == 200, answer.text[:600]
        return answer.json()

    def send(self, path: str, **fields: Any) -> httpx.Response:
        """A form of the app, with the key that its pages hold."""
        found = re.search(r'name="form_key" value="(\w+)"', self.page("/new"))
        assert found
        data = {"form_key": found[1]} | fields
        return self.ask("POST", path, data=data, headers={"Origin": ORIGIN})


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the lists and the timetable of who runs it; where they are instead."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "trasmallo"


@pytest.fixture
def door() -> AppDoor:
    return AppDoor(TOKEN, frozenset({HOST, "localhost:7470"}))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where projects are made."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def enter(home: Path, door: AppDoor) -> Callable[..., Client]:
    """Makes a client that was let in, of the app over `home` and other folders."""

    def run(*folders: Path, door: AppDoor = door, **limits: int) -> Client:
        client = Client(build(Workspace([home, *folders]), door, **limits), **{"Accept": "text/html", "Accept-Language": "en"})
        client.get(f"/?token={TOKEN}")
        return client

    return run


@pytest.fixture
def client(enter: Callable[..., Client]) -> Client:
    return enter()


@pytest.fixture
def cats(home: Path) -> Project:
    """A project that has not run."""
    return Project.new(home / "cats", ["https://cats.example/"])


@pytest.fixture(scope="session")
def played(finished: Project) -> Path:
    """The demo's project, finished; not to be changed."""
    return finished.folder
