"""The chain of steps, and the same as a command."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec

from trasmallo.project.project import Project
from trasmallo.web.breadcrumb import HitSelection, command_of, python_of, steps_of


def test_only_what_was_chosen_is_in_the_addresses() -> None:
    (only,) = steps_of(HitSelection(project="p", query="casa"), "/k")
    assert only.here == "/k?query=casa"
    query, where, keep, sort = steps_of(
        HitSelection(project="p", query="casa", where=("language=es",), keep="longest", sort=("word/1", ""), reverse=True), "/k"
    )
    assert where.without == "/k?query=casa&keep=longest&sort=word%2F1&reverse=true"
    assert keep.here == "/k?query=casa&where=language%3Des&keep=longest"
    assert sort.without == "/k?query=casa&where=language%3Des&keep=longest"
    assert (query.without, sort.text) == ("", "word/1")


def test_commands_and_python(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "it's", ["http://a.es/"])
    chosen = HitSelection(project="p", query='[word="x"]', view="collocates", left=2, where=("a=b c",))
    words = shlex.split(command_of(project, chosen, 10, 20))
    assert words[:4] == ["trasmallo", "kwic", str(project.folder), '[word="x"]']
    assert words[4:] == [
        "--collocates", "lemma", "--window", "2,5", "--least", "3", "--measure", "log_dice", "--content-words",
        "--where", "a=b c", "--limit", "10", "--offset", "20",
    ]  # fmt: skip
    with_all = msgspec.structs.replace(chosen, function_words=True)
    assert "--content-words" not in command_of(project, with_all, 10)
    assert "Window(2, 5, 3, 'log_dice', content=False)" in python_of(project, with_all)
    compile(python_of(project, chosen), "copied", "exec")
    compile(python_of(project, HitSelection(project="p", query="x'y", sort=("word/1",))), "copied", "exec")
