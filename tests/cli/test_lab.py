"""The command for experiments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.demo.site import Site
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.mark.timeout(600)  # two whole runs, each of several processes: minutes where others have the cores
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


def test_age(trasmallo: Command, tmp_path: Path) -> None:
    done = trasmallo("lab", "age", "1/7", "--days", "7", "--days", "14", "--plot", tmp_path / "age.svg", "--json")
    assert [(row["days"], round(row["age"], 3)) for row in done.rows()] == [(7, 2.575), (14, 7.947)]
    assert "one change in 7 days" in (tmp_path / "age.svg").read_text(encoding="utf-8")
    assert "2.575" in trasmallo("lab", "age").out, "the textbook's rate and days"
    for words in (["age", "x"], ["age", "--days", "0"], ["lines"], ["lines", tmp_path, "none"]):
        assert trasmallo("lab", *words).code == 2, words


def test_capacity(trasmallo: Command, finished: Project, tmp_path: Path) -> None:
    told = {(row["pages"], row["what"]): row["amount"] for row in trasmallo("lab", "capacity", "--json").rows()}
    assert (told[0, "hosts"], told[0, "connections, near"], told[0, "connections, far"]) == (3_000, 5, 30)
    assert {pages for pages, _ in told} == {0, 10**7, 10**9, 10**10}
    own = trasmallo("lab", "capacity", finished.folder, "5000", "--pages", "0", "--figure", "window=10", "--json").rows()
    assert {row["pages"] for row in own} == {0, 5_000}
    assert next(row["amount"] for row in own if row["what"] == "hosts") == 1_000
    assert "100/s × 30 s" in trasmallo("lab", "capacity", "1000").out
    for words in (["0"], ["--figure", "rates=3"], ["--plot", tmp_path / "x.svg"], [tmp_path / "none"], ["--figure", "rate=x"]):
        assert trasmallo("lab", "capacity", *words).code == 2, words
