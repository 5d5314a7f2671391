"""What went wrong, as a page and as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from web.conftest import Client


@pytest.fixture
def demo(enter: Callable[..., Client], played: Path) -> Client:
    return enter(played)


def test_incidents_are_those_of_the_project(demo: Client, played: Path) -> None:
    twin = demo.json("/p/demo/incidents")
    known = list(Project.open(played).incidents())
    assert [incident["url"] for incident in twin["incidents"]] == [incident.url for incident in known]
    assert sum(twin["kinds"].values()) == twin["number"] == len(known)


def test_incidents_are_filtered_and_exported(demo: Client) -> None:
    missing = demo.json("/p/demo/incidents?what=missing")
    assert {incident["what"] for incident in missing["incidents"]} == {"missing"}
    found = demo.json("/p/demo/incidents?text=PRIVADO")
    assert found["number"] == len([row for row in found["incidents"] if "privado" in row["url"]])
    assert len(demo.get("/p/demo/incidents/export?what=missing").text.splitlines()) == missing["number"] + 1
    assert len(demo.get("/p/demo/incidents/export?kind=jsonl").text.splitlines()) > missing["number"]


def test_kinds_are_told_in_the_language_of_the_reader(demo: Client) -> None:
    assert "rechazadas por robots.txt" in demo.page("/p/demo/incidents", headers={"Accept-Language": "es"})


def test_a_project_without_results(client: Client, cats: Project) -> None:
    assert client.get("/p/cats/incidents").status_code == 400
    assert client.get("/p/cats/incidents/export").status_code == 400


def test_help_is_there(client: Client) -> None:
    assert "Ctrl K" in client.page("/help")
