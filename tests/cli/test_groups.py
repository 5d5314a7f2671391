"""The command that shows line groups, and the options that fill them."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Path:
    shutil.copytree(finished.folder, tmp_path / "own")
    return tmp_path / "own"


def test_lines_are_put_together_counted_and_printed(own: Path, trasmallo: Command) -> None:
    assert "no line group yet" in trasmallo("groups", own).out
    assert "4 lines put into 'mar y red'" in trasmallo("kwic", own, "red", "--sample", "4", "--into", "mar y red").err
    (row,) = trasmallo("groups", own, "--json").rows()
    assert (row["name"], row["lines"], row["lost"]) == ("mar y red", 4, 0)
    within = trasmallo("kwic", own, "red", "--in", "mar y red", "--json").value()
    assert within["total"] == 4
    assert all(hit["groups"] == ["mar y red"] for hit in within["hits"])
    every = trasmallo("kwic", own, "red", "--json").value()["total"]
    assert trasmallo("kwic", own, "red", "--not-in", "mar y red", "--json").value()["total"] == every - 4
    rows = list(csv.DictReader(trasmallo("groups", own, "mar y red", "--format", "csv").out.splitlines()))
    assert [(one["hit"].lower(), one["state"], one["query"]) for one in rows] == [("red", "here", "red")] * 4
    assert trasmallo("groups", own, "mar y red", "--json").rows()[0]["url"].startswith("http")


def test_lines_are_taken_out_and_groups_renamed_and_removed(own: Path, trasmallo: Command) -> None:
    trasmallo("kwic", own, "red", "--limit", "0", "--into", "a", "--quiet")
    before = len(trasmallo("groups", own, "a", "--json").rows())
    assert "1 line taken out" in trasmallo("kwic", own, "red", "--limit", "1", "--out-of", "a").err
    assert len(trasmallo("groups", own, "a", "--json").rows()) == before - 1
    assert trasmallo("groups", own, "a", "--rename", "b").code == 0
    assert f"'b' with {before - 1} lines removed" in trasmallo("groups", own, "b", "--remove").err
    assert trasmallo("groups", own, "--json").rows() == []


def test_what_cannot_be_is_refused(own: Path, trasmallo: Command) -> None:
    assert "no line group" in trasmallo("kwic", own, "red", "--in", "x").refusal()
    assert "no name for a line group" in trasmallo("kwic", own, "red", "--into", "../x").refusal()
    assert "no group is named" in trasmallo("groups", own, "--remove").refusal()
    assert "are for lines" in trasmallo("kwic", own, "red", "--into", "x", "--collocates").refusal()


def test_groups_outlive_a_new_study_and_are_seen_in_a_subcorpus(own: Path, trasmallo: Command) -> None:
    trasmallo("kwic", own, "red", "--limit", "0", "--into", "a", "--quiet")
    before = trasmallo("kwic", own, "red", "--in", "a", "--json").value()["total"]
    assert trasmallo("study", own, "--quiet").code == 0
    assert trasmallo("kwic", own, "red", "--in", "a", "--json").value()["total"] == before
    scoped = trasmallo("kwic", own, "red", "--in", "a", "--scope", "words>300", "--json").value()["total"]
    assert 0 < scoped < before
