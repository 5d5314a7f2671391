"""Feeds whose hubs push: the app subscribes, what is pushed is found at once, leases are renewed, and garbage is nothing."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

import pytest

from support.hub import PATIENCE, Hub, call, serving_hub
from support.waiting import until
from trasmallo.project.project import Project
from trasmallo.project.settings import write_values
from trasmallo.project.workspace import Workspace
from trasmallo.store.pushed import pushes
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.hub_gate import Hubs
from trasmallo.web.serve import listen, server_of

OLD = "La almadraba reparó sus redes en el muelle durante toda la semana pasada con ayuda de los vecinos."
NEW = "El ayuntamiento aprobó ayer la ampliación del rompeolas después de una larga sesión extraordinaria."
FIXED = "El ayuntamiento rechazó finalmente la ampliación del rompeolas después de una larga sesión extraordinaria."
TOKEN = "t" * 40


class App:
    """The app over a project, in a thread of this process, with a clock that the test moves."""

    def __init__(self, folder: Path) -> None:
        self.ahead = 0.0
        self._listening = listen("127.0.0.1", 0)
        host, port = self._listening.getsockname()
        self.home = f"http://{host}:{port}"
        self._door = AppDoor(TOKEN, frozenset({f"{host}:{port}"}))
        workspace = Workspace([folder])
        (self.name,) = workspace.names()
        self.hubs = Hubs(workspace, clock=lambda: time.time() + self.ahead, takes_in=False)
        self._app = build(workspace, self._door, self.hubs)
        self._server = server_of(self._app, self._door)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[self._listening])

        asyncio.run(serve())

    def __enter__(self) -> Self:
        self._thread.start()
        until(lambda: self._server.started, "the app")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()
        self._app.state.pool.close()

    def do(self, work: Callable[[], Coroutine[Any, Any, object]]) -> object:
        """Have something done in the app's loop."""
        assert self._loop is not None
        future: Future[object] = asyncio.run_coroutine_threadsafe(work(), self._loop)
        return future.result(PATIENCE)

    def found(self, query: str) -> list[str]:
        """What the app's search finds."""
        wanted = urllib.request.Request(
            f"{self.home}/api/p/{self.name}/search?query={query}", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(wanted, timeout=PATIENCE) as answer:
            return [hit["url"] for hit in json.load(answer)["hits"]]


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving_hub() as hub:
        hub.texts["/old"] = OLD
        yield hub


@pytest.fixture
def project(tmp_path: Path, hub: Hub) -> Project:
    project = Project.new(
        tmp_path / "puerto", [f"{hub.home}/feed"], delay=0.0, address_delay=0.0, sitemaps=False, retries=0, probe_missing=False
    )
    project.run()
    return project


def say_address(project: Project, app: App, **more: object) -> None:
    write_values(
        project.folder / "trasmallo.toml", {"web.public_address": app.home, **{f"web.{k}": v for k, v in more.items()}}
    )
    app.do(app.hubs.look)


def subscribed(app: App, hub: Hub) -> None:
    service = app.hubs.service(app.name)
    assert service is not None
    app.do(service.look)
    assert hub.called.acquire(timeout=PATIENCE), "the hub has not called back"


def test_a_pushed_entry_is_found_at_once_and_stays(project: Project, hub: Hub) -> None:
    (feed,) = project.table("feeds")
    assert (feed["hub"], feed["subscription"], feed["lease"]) == (f"{hub.home}/hub", "", None)
    with App(project.folder) as app:
        callback = f"{app.home}/websub/{app.name}"
        assert call(callback)[0] != 200, "nothing is there until the project says its address"
        say_address(project, app)
        subscribed(app, hub)
        (where,) = hub.subscribers
        assert where.startswith(f"{callback}?key=")
        (feed,) = project.table("feeds")
        assert feed["subscription"] == "active"
        assert feed["lease"] == pytest.approx(time.time() + 86_400, abs=60)

        assert app.found("almadraba") == [f"{hub.home}/old"]
        hub.texts["/new"] = NEW
        began = time.monotonic()
        assert hub.publish("/new") == [202]
        until(lambda: app.found("rompeolas"), "what was pushed")
        assert [hit.url for hit in project.find("rompeolas").hits] == [f"{hub.home}/new"]
        assert time.monotonic() - began < 5
        assert app.found("almadraba") == [f"{hub.home}/old"]

        hub.texts["/new"] = FIXED
        hub.publish("/other")
        until(lambda: app.found("rechaz%C3%B3"), "what was corrected")
        assert [hit.url for hit in project.find("rompeolas").hits] == [f"{hub.home}/new"], "the old text is not found any more"
        assert app.found("aprob%C3%B3") == []

    project.import_file(project.folder / "pushed")
    assert pushes(project.folder) == []
    assert [hit.url for hit in project.find("rompeolas").hits] == [f"{hub.home}/new"]
    rows = {row["url"]: row["reached"] for row in project.table("pages") if not row["drop"]}
    assert rows == {f"{hub.home}/old": "feed", f"{hub.home}/new": "push"}
    assert len(project.versions(f"{hub.home}/new").versions) == 2
    (feed,) = project.table("feeds")
    assert (feed["visits"], feed["entries"]) == (3, 3)
    assert list(project.check()) == []


def test_garbage_and_strangers_are_nothing(project: Project, hub: Hub) -> None:
    with App(project.folder) as app:
        say_address(project, app)
        subscribed(app, hub)
        (where,) = hub.subscribers
        hub.texts["/forged"] = "Falsificado rompeolas de mentira que nadie firmó con la clave acordada entre los dos."
        assert hub.publish("/forged", forged=True) == [202]
        for garbage in (b"", b"\x00\xff" * 500, b"<feed", b"{}", b"<rss><channel><item></item></channel></rss>"):
            assert hub.push(garbage) == [202]
        assert call(where.replace("key=", "key=x"), b"<feed/>")[0] == 410
        assert call(where.partition("?")[0], b"<feed/>")[0] == 410
        assert call(where, b"x" * (10 * 1024 * 1024 + 1))[0] == 413
        assert call(f"{app.home}/websub/nobody?key=1")[0] in (401, 404)
        hub.entries.remove("/forged")
        hub.texts["/last"] = NEW
        hub.publish("/last")
        until(lambda: app.found("rompeolas"), "what was pushed")
        assert app.found("falsificado") == []
        told = (project.folder / "pushed" / "events.jsonl").read_text()
        assert "a push without the agreed signature" in told
    assert len(pushes(project.folder)) == 1


def test_leases_are_renewed_in_time_and_ended_when_asked(project: Project, hub: Hub) -> None:
    with App(project.folder) as app:
        say_address(project, app)
        subscribed(app, hub)
        service = app.hubs.service(app.name)
        assert service is not None
        app.ahead = 0.7 * 86_400
        app.do(service.subscriber.tend)
        assert len(hub.forms) == 1
        app.ahead = 0.9 * 86_400
        app.do(service.subscriber.tend)
        assert hub.called.acquire(timeout=PATIENCE)
        first, second = hub.forms
        assert (second["hub.mode"], second["hub.callback"]) == ("subscribe", first["hub.callback"])
        (feed,) = project.table("feeds")
        assert feed["lease"] == pytest.approx(time.time() + 1.9 * 86_400, abs=60)
        say_address(project, app, subscribe=False)
        subscribed(app, hub)
        assert hub.forms[-1]["hub.mode"] == "unsubscribe"
        assert hub.subscribers == {}
        (feed,) = project.table("feeds")
        assert (feed["subscription"], feed["lease"]) == ("", None)
