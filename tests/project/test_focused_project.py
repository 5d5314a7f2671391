from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.new(tmp_path / "p", ["https://example.org/"])


def test_marks_are_made_changed_and_taken_back(project: Project) -> None:
    assert project.mark("HTTPS://Example.org/a", True).url == "https://example.org/a"
    told = project.mark("https://example.org/a", False)
    assert (told.before, told.on_topic, told.marks) == (True, False, 1)
    assert [(mark.url, mark.on_topic) for mark in project.marks()] == [("https://example.org/a", False)]
    assert project.mark("https://example.org/a", None).marks == 0
    assert project.marks() == []
