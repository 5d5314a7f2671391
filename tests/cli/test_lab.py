"""The command for experiments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done
from trasmallo.demo.site import Site
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_lines(trasmallo: Command, site: Site, tmp_path: Path) -> None:
    Project.new(tmp_path / "p", site.seeds[:1], delay=0.0)
    done = trasmallo("lab", "lines", tmp_path / "p", "1", "2", "--pages", "3", "--plot", tmp_path / "lines.svg", "--json")
    assert [(row["lines"], row["pages"]) for row in done.rows()] == [(1, 3), (2, 3)]
    assert "in all" in (tmp_path / "lines.svg").read_text(encoding="utf-8")


def test_cache(trasmallo: Command, finished: Project, tmp_path: Path) -> None:
    done = trasmallo("lab", "cache", finished.folder, "--words", "500", "--plot", tmp_path / "cache.svg")
    assert "with memory" in done.out
    assert (tmp_path / "cache.svg").exists()
    assert trasmallo("lab", "cache", finished.folder, "3").code == 2
    assert trasmallo("lab", "nothing", finished.folder).code == 2
