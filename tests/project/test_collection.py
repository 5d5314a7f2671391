"""What a project answers about its pages over time; whole collections are in journey/test_collection.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.values.errors import NoResults, NotFound, UrlError, UsageError


def test_a_project_without_results_says_how_to_make_some(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p", ["http://a.es/"], name="p")
    for ask in (project.planned_visits, project.freshness, lambda: project.versions("http://a.es/")):
        with pytest.raises(NoResults, match="trasmallo run"):
            ask()


def test_versions_of_a_finished_project(finished: Project) -> None:
    url = str(finished.table("pages", where=["drop="], limit=1)[0]["url"])
    history = finished.versions(url)
    assert [version.visits for version in history.versions] == [1]
    assert finished.version_text(url, history.versions[0].at)
    assert finished.version_as_of(url, "2999").version == history.versions[0]
    with pytest.raises(NotFound, match="choose a later date"):
        finished.version_as_of(url, "1999")
    with pytest.raises(UsageError, match="is no date"):
        finished.version_as_of(url, "ayer")
    with pytest.raises(UsageError, match="has one version"):
        finished.compare_versions(url)
    with pytest.raises(NotFound, match="never asked for"):
        finished.versions("http://nobody.example/")
    with pytest.raises(UrlError):
        finished.versions("no address")


def test_a_project_whose_pages_were_visited_once_has_no_measured_age(finished: Project) -> None:
    found = finished.freshness()
    assert found.measured.visits == 0
    assert found.findings["new"] == found.expected.pages > 0
    assert 0 < found.expected.fresh <= 1
