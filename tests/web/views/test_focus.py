"""The focus of a crawl through the app."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from web.conftest import Client


def test_a_topic_and_marks_are_made_and_undone(enter: Callable[..., Client], tmp_path: Path) -> None:
    project = Project.new(tmp_path / "velas", ["https://example.org/"])
    client = enter(tmp_path)
    assert "No page was judged yet" in client.page("/p/velas/focus")
    client.send("/p/velas/focus/topic", words="vela latina")
    client.send("/p/velas/focus/mark", url="https://example.org/a", answer="yes")
    page = client.page("/p/velas/focus")
    assert "vela, latina" in page
    assert "https://example.org/a" in page
    twin = client.json("/p/velas/focus")
    assert (twin["marked"], twin["topics"][0]["terms"]) == (1, ["vela", "latina"])
    client.send("/p/velas/focus/mark", url="https://example.org/a", answer="none")
    client.send("/p/velas/focus/topic")
    assert project.marks() == []
    assert project.topics() == []


def test_a_topic_by_a_search_reaches_the_collection(enter: Callable[..., Client], played: Path, home: Path) -> None:
    shutil.copytree(played, home / "demo")
    enter().send("/p/demo/focus/topic", search="mar pesca", name="found")
    assert Project.open(home / "demo").topics()[0].examples


@pytest.mark.parametrize("like", ["-", "/etc/hostname", "notes.txt"])
def test_the_app_reads_no_files_of_its_machine(enter: Callable[..., Client], cats: Project, like: str) -> None:
    answer = enter().send("/p/cats/focus/topic", like=like)
    assert answer.status_code >= 400
    assert "is not a web address" in answer.text
    assert cats.topics() == []
