"""The page of jobs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from web.conftest import Client


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> Client:
    shutil.copytree(played, tmp_path / "own")
    return enter(tmp_path / "own")


def test_jobs_are_shown_answered_and_forgotten(own: Client, tmp_path: Path) -> None:
    assert "No long question" in own.page("/p/own/jobs")
    project = Project.open(tmp_path / "own")
    project.wait_for_job(project.start_job("table", name="sketches"))
    project.wait_for_job(project.start_job("laws", language="xx"))
    page = own.page("/p/own/jobs", headers={"Accept-Language": "es"})
    assert 'href="/p/own/tables/sketches"' in page
    assert "no tiene palabras" in page or "no words" in page
    assert own.get("/p/own/jobs/1/answer").json()["table"] == "sketches"
    assert [one["state"] for one in own.json("/p/own/jobs")["jobs"]] == ["failed", "finished"]
    assert own.send("/p/own/jobs/stop", number="1").status_code == 400
    assert own.send("/p/own/jobs/remove", number="1").headers["location"].endswith("said=job_removed")
    assert len(own.json("/p/own/jobs")["jobs"]) == 1
    assert own.get("/p/own/jobs/1/answer").status_code == 404


def test_nobody_is_led_elsewhere(own: Client) -> None:
    for to in ("https://elsewhere.example/", "//elsewhere.example/p/own", "/p/other/jobs"):
        assert own.json(f"/p/own/jobs?number=1&to={to}")["to"] == ""
