"""What went wrong, as a page and as files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from trasmallo.crawl.retries import FAILED, requested_retries
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.web.guard import AppDoor
from web.conftest import Client


@pytest.fixture
def demo(enter: Callable[..., Client], played: Path) -> Client:
    return enter(played)


def test_incidents_are_those_of_the_project(demo: Client, played: Path) -> None:
    twin = demo.json("/p/demo/incidents")
    known = list(Project.open(played).incidents())
    assert [incident["url"] for incident in twin["incidents"]] == [incident.url for incident in known]
    assert twin["number"] == len(known)
    assert twin["kinds"] == twin["report"]["causes"] | twin["report"]["left_out"]


def test_the_report_stands_above_the_list(demo: Client, played: Path) -> None:
    told = Project.open(played).incident_report()
    assert demo.json("/p/demo/incidents")["report"]["asked"] == told.asked
    page = demo.page("/p/demo/incidents", headers={"Accept-Language": "es"})
    assert all(word in page for word in ("Pedidas", "No obtenidas", "Redirigidas", "Páginas descartadas"))


def test_incidents_are_filtered_and_exported(demo: Client) -> None:
    missing = demo.json("/p/demo/incidents?what=missing")
    assert {incident["what"] for incident in missing["incidents"]} == {"missing"}
    found = demo.json("/p/demo/incidents?text=PRIVADO")
    assert found["number"] == len([row for row in found["incidents"] if "privado" in row["url"]])
    assert len(demo.get("/p/demo/incidents/export?what=missing").text.splitlines()) == missing["number"] + 2
    assert len(demo.get("/p/demo/incidents/export?kind=jsonl").text.splitlines()) > missing["number"]


def test_kinds_are_told_in_the_language_of_the_reader(demo: Client) -> None:
    assert "rechazadas por robots.txt" in demo.page("/p/demo/incidents", headers={"Accept-Language": "es"})


def test_a_project_without_results(client: Client, cats: Project) -> None:
    assert client.get("/api/p/cats/incidents").status_code == 400
    assert client.get("/p/cats/incidents/export").status_code == 400


def test_help_is_there(client: Client) -> None:
    assert "Ctrl K" in client.page("/help")


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> tuple[Client, Project]:
    """A copy of the demo's project that a test may change."""
    folder = tmp_path / "own"
    shutil.copytree(played, folder)
    return enter(folder), Project.open(folder)


def test_what_failed_is_tried_again(own: tuple[Client, Project]) -> None:
    client, project = own
    known = [incident for incident in project.incidents() if incident.what in FAILED]
    twin = client.json("/p/own/incidents")
    assert (twin["failed"], twin["wished"], twin["process"]) == (len(known), 0, 0)
    missing = client.json("/p/own/incidents?what=missing")
    assert missing["again"]["command"] == (f"trasmallo retry {project.folder} --what missing && trasmallo run {project.folder}")
    assert "project.retry(what='missing')" in missing["again"]["python"]
    answer = client.send("/p/own/incidents/retry", what="missing")
    assert answer.headers["location"] == f"/p/own/incidents?what=missing&said=retried&detail={missing['number']}"
    assert client.json("/p/own/incidents")["wished"] == missing["number"]
    page = client.page(answer.headers["location"], headers={"Accept-Language": "es"})
    assert "se probará otra vez" in page
    assert "/p/own/run" in page


def test_one_of_them_is_tried_again_from_its_row(own: tuple[Client, Project]) -> None:
    client, project = own
    first = next(incident for incident in project.incidents() if incident.what == "missing")
    assert f'name="urls" value="{first.url}"' in client.page("/p/own/incidents")
    assert client.send("/p/own/incidents/retry", urls=first.url, text=first.cause).status_code == 303
    assert requested_retries(run_folders.latest(project.runs).retry_folders) == {first.url}


def test_what_did_not_fail_is_not_tried_again(own: tuple[Client, Project]) -> None:
    client, project = own
    for fields in ({"urls": "http://a.es/"}, {"what": "no text"}, {"text": "nothing like this"}):
        assert client.send("/p/own/incidents/retry", **fields).status_code == 400
    assert requested_retries(run_folders.latest(project.runs).retry_folders) == set()


def test_who_only_looks_is_offered_no_retry(enter: Callable[..., Client], played: Path, door: AppDoor) -> None:
    page = enter(played, door=msgspec.structs.replace(door, read_only=True)).page("/p/demo/incidents")
    assert "incidents/retry" not in page
