"""The command of saved queries and the history."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Path:
    shutil.copytree(finished.folder, tmp_path / "own", ignore=shutil.ignore_patterns("queries"))
    return tmp_path / "own"


def test_a_query_is_saved_listed_asked_again_and_removed(own: Path, trasmallo: Command) -> None:
    assert "there is no query" in trasmallo("queries", own).out
    asked = trasmallo("kwic", own, "red", "--sort", "word/1", "--per-document", "1", "--save", "nets", "--json").value()
    (row,) = trasmallo("queries", own, "--json").rows()
    assert (row["name"], row["query"], row["options"]) == ("nets", "red", {"sort": "word/1", "per_document": 1})
    assert "--sort word/1" in trasmallo("queries", own).out
    assert trasmallo("queries", own, "nets", "--json").value() == asked
    assert f"of {asked['total']} hits" in trasmallo("queries", own, "nets", "--limit", "3").out
    assert "'nets' removed" in trasmallo("queries", own, "nets", "--remove").err
    failed = trasmallo("queries", own, "nets")
    assert (failed.code, "there is no saved query 'nets'" in failed.err) == (2, True)


def test_the_history_has_what_was_asked(own: Path, trasmallo: Command) -> None:
    trasmallo("kwic", own, "red")
    trasmallo("kwic", own, '[lemma="mar"]', "--breakdown", "word")
    trasmallo("kwic", own, '[lemma="mar"')
    rows = trasmallo("queries", own, "--history", "--json").rows()
    assert [row["query"] for row in rows] == ['[lemma="mar"]', "red"]
    assert [row["query"] for row in trasmallo("queries", own, "--history", "--matching", "RED", "--json").rows()] == ["red"]
    assert "queries forgotten: 2" in trasmallo("queries", own, "--forget-history").err
    assert trasmallo("queries", own, "--history", "--json").rows() == []


def test_without_a_name_there_is_nothing_to_remove(own: Path, trasmallo: Command) -> None:
    assert "write its name behind the folder" in trasmallo("queries", own, "--remove").err
