"""The command that makes and edits lists of words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_a_list_is_made_edited_and_saved(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    done = trasmallo("stoplist", finished.folder, "--standard", "es", "--frequent", 20, "--remove", "él", "-o", own)
    assert done.out == f"Wrote {len(own.read_text('utf-8').splitlines())} words to {own}.\n"
    words = trasmallo("stoplist", "--from", own, "--add", "Barco", "--remove", "ella").out.splitlines()
    assert {"el", "según", "barco"} <= set(words)
    assert not {"él", "ella"} & set(words)
    assert words == sorted(words)


def test_words_of_a_field(finished: Project, trasmallo: Command) -> None:
    titles = trasmallo("stoplist", finished.folder, "--frequent", 3, "--field", "titles", "--json").rows()
    anchors = trasmallo("stoplist", finished.folder, "--frequent", 3, "--field", "anchors", "--json").rows()
    assert len(titles) == len(anchors) == 3
    assert titles != anchors


def test_frequent_words_need_a_project(trasmallo: Command) -> None:
    assert trasmallo("stoplist", "--frequent", 3).refusal().endswith("name its folder: trasmallo stoplist DIR --frequent 50")


def test_lists_are_shared_by_name(trasmallo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert trasmallo("stoplist", "--names") == Done(0, "", "")
    path = tmp_path / "trasmallo" / "lists" / "leyes.txt"
    assert trasmallo("stoplist", "--add", "Artículo", "--save", "leyes").out == f"Wrote 1 words to {path}.\n"
    assert trasmallo("stoplist", "--from", "shared:leyes", "--add", "ley").out == "artículo\nley\n"
    assert trasmallo("stoplist", "--names", "--json").rows() == [{"list": "leyes"}]
    assert (
        trasmallo("stoplist", "--save", "../leyes")
        .refusal()
        .startswith("trasmallo: '../leyes' is no name of a list: use letters")
    )
    assert "no-hay.txt (No such file" in trasmallo("stoplist", "--from", "shared:no-hay").refusal()


def test_the_words_that_are_typical_of_a_project(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    reference = tmp_path / "general.tsv"
    reference.write_text("de\t50000\nla\t40000\nel\t30000\nbarcoteca\t1\n", "utf-8")
    found = trasmallo("stoplist", finished.folder, "--key", 30, "--against", reference, "--json").rows()
    words = [row["word"] for row in found]
    assert 0 < len(words) <= 30
    assert not {"de", "la", "el"} & set(words)
    assert "add --against with a project" in trasmallo("stoplist", finished.folder, "--key", 5).refusal()
    assert "name its folder: trasmallo stoplist DIR --key 50" in trasmallo("stoplist", "--key", 5).refusal()
