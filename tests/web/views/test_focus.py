"""The focus of a crawl through the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
