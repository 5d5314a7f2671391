"""The command that makes and edits lists of words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from commands import Done
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
    titles = trasmallo("stoplist", finished.folder, "--frequent", 3, "--field", "titles", "--json").value()
    anchors = trasmallo("stoplist", finished.folder, "--frequent", 3, "--field", "anchors", "--json").value()
    assert len(titles) == len(anchors) == 3
    assert titles != anchors


def test_frequent_words_need_a_project(trasmallo: Command) -> None:
    assert trasmallo("stoplist", "--frequent", 3).refusal().endswith("name its folder: trasmallo stoplist DIR --frequent 50")
