"""A run is started, watched, paused, narrowed and stopped through the app, as a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.waiting import until
from trasmallo.demo.play import make_project
from trasmallo.demo.site import Site
from trasmallo.project.lock import hold, holder
from trasmallo.project.project import Project
from trasmallo.web.guard import AppDoor
from web.conftest import HOST, TOKEN, Client


@pytest.fixture
def slow(home: Path) -> Iterator[Project]:
    """The demo's project, not run, with hosts that rest long enough to be watched."""
    with Site() as site:
        project = make_project(home / "slow", site.seeds, delay=0.3, lines=3)
        yield project
        if holder(project.folder):
            project.stop(at_once=True)
            until(lambda: not holder(project.folder), "the run to end", 90)


def counts(client: Client) -> Any:
    return client.json("/p/slow/live")["live"]["counts"]


def test_a_run_from_start_to_stop(client: Client, slow: Project) -> None:
    assert client.send("/p/slow/run").headers["location"] == "/p/slow/live"
    until(lambda: counts(client).get("studied", 0) > 3, "documents")
    live = client.json("/p/slow/live")["live"]
    assert live["state"] == "running"
    assert [line["line"] for line in live["lines"]] == [1, 2, 3]
    assert any(host["reason"] for host in live["hosts"])
    assert client.send("/p/slow/run").status_code == 409, "one at a time"

    host = next(host["host"] for host in live["hosts"] if host["queued"])
    waiting = client.json(f"/p/slow/pending?host={host}")["seen"]
    assert all(found["url"].startswith(host) for found in waiting["found"])
    everything = client.json("/p/slow/pending")["seen"]
    assert everything["matching"] >= waiting["matching"] > 0

    client.send("/p/slow/steer", wish="pause")
    until(lambda: client.json("/p/slow/live")["live"]["state"] == "paused", "the pause")
    still = client.json("/p/slow/pending?text=noticias")["seen"]["matching"]
    excluded = client.json("/p/slow/exclude?texts=http")["removes"]
    assert excluded["waiting"] == client.json("/p/slow/pending")["seen"]["matching"] >= still
    assert excluded["stored"] > 0
    client.send("/p/slow/exclude", texts="/notas/\n")
    until(lambda: not client.json("/p/slow/pending?text=/notas/")["seen"]["matching"], "the exclusion")
    client.send("/p/slow/steer", wish="resume")
    until(lambda: client.json("/p/slow/live")["live"]["state"] == "running", "the run to go on")

    client.send("/p/slow/steer", wish="stop")
    until(lambda: not holder(slow.folder), "the run to end", 90)
    live = client.json("/p/slow/live")["live"]
    assert (live["state"], live["ended"], live["lines"]) == ("stopped", "stopped", [])
    assert client.json("/p/slow")["summary"]["documents"] > 0, "what was there is analysed"
    assert client.json("/p/slow/pending")["seen"]["matching"] > 0, "the queue can be looked at when nobody works on it"
    assert client.json("/p/slow/live")["pace"]


def test_a_run_of_the_command_line_is_seen_and_finished(client: Client, slow: Project) -> None:
    slow.start()
    until(lambda: counts(client).get("obtained", 0) > 0, "pages")
    client.send("/p/slow/steer", wish="finish")
    until(lambda: not holder(slow.folder), "the run to end", 90)
    assert client.json("/p/slow/live")["live"]["state"] == "stopped"


def test_pages_that_were_sent_are_studied(client: Client, cats: Project) -> None:
    from web.views.test_inbox import BEARER, PAGE

    html = "<html lang=es><p>El gato duerme en la cocina y el perro ladra en la calle.</p></html>"
    client.ask("POST", "/api/pages", json=PAGE | {"html": html}, headers=BEARER)
    assert client.send("/p/cats/sent").status_code == 303
    until(lambda: not holder(cats.folder), "the study", 90)
    assert [row["url"] for row in cats.table("pages")] == ["http://p.example/"]


@pytest.mark.parametrize("wish", ["stop", "finish", "pause", "resume"])
def test_nobody_is_there_to_be_told(client: Client, cats: Project, wish: str) -> None:
    assert client.send("/p/cats/steer", wish=wish).status_code == 400


def test_what_does_not_fit_is_refused(client: Client, cats: Project, home: Path) -> None:
    assert client.send("/p/cats/steer", wish="dance").status_code == 400
    assert client.send("/p/cats/sent").status_code == 400
    assert client.get("/p/cats/exclude?texts=$").status_code == 409
    assert client.get("/p/cats/pending?limit=0").status_code == 400
    assert client.get("/p/nobody/live/events").status_code == 404
    Project.new(home / "empty")
    refused = client.send("/p/empty/run")
    assert refused.status_code == 409
    assert "no addresses to start from" in refused.text


def test_an_exclusion_of_a_project_that_has_not_run(client: Client, cats: Project) -> None:
    assert client.json("/p/cats/exclude?texts=pdf")["removes"] == {"waiting": 0, "stored": 0, "examples": [], "complete": True}
    client.send("/p/cats/exclude", texts=".pdf$")
    assert ".pdf$" in client.page("/p/cats/live")
    client.send("/p/cats/exclude", texts=".pdf$", remove="true")
    assert client.json("/p/cats/live")["exclude"] == []


def test_a_project_without_runs_can_be_looked_at(client: Client, cats: Project) -> None:
    assert "not run yet" in client.page("/p/cats/live")
    assert client.json("/p/cats/pending")["seen"]["found"] == []


def test_a_broken_file_is_told(client: Client, cats: Project) -> None:
    (cats.folder / "trasmallo.toml").write_text("x")
    assert "is not valid TOML" in client.page("/p/cats/live")
    assert client.send("/p/cats/run").status_code == 409


def test_an_app_that_only_shows_results_tells_what_waits_unless_a_run_is_asked(
    enter: Callable[..., Client], slow: Project
) -> None:
    reader = enter(door=AppDoor(TOKEN, frozenset({HOST}), read_only=True))
    assert reader.json("/p/slow/pending")["seen"]["matching"] == 0
    with hold(slow.folder):
        refused = reader.get("/p/slow/pending", headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["error"]["problem"]) == (400, "this app only shows results")
