"""The command that shows the sketch of a word."""

from __future__ import annotations

import csv
from collections.abc import Callable

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_a_sketch_as_tables_rows_and_json(finished: Project, trasmallo: Command) -> None:
    found = trasmallo("sketch", finished.folder, "hacer", "--json").value()
    assert (found["word"]["category"], found["other"]) == ("VERB", None)
    (objects,) = [one for one in found["relations"] if (one["relation"], one["side"]) == ("object", "head")]
    assert objects["partners"][0]["word"] == "falta"
    shown = trasmallo("sketch", finished.folder, "hacer").out
    assert "hacer (VERB, es): " in shown
    assert "objects" in shown
    rows = list(csv.DictReader(trasmallo("sketch", finished.folder, "hacer", "--format", "csv").out.splitlines()))
    assert [row["partner"] for row in rows] == [each["word"] for one in found["relations"] for each in one["partners"]]
    assert "per million" not in trasmallo("sketch", finished.folder, "hacer", "--quiet").out


def test_two_words_side_by_side_and_python(finished: Project, trasmallo: Command) -> None:
    told = trasmallo("sketch", finished.folder, "hacer", "dar", "--limit", "3", "--json").value()
    found = finished.sketch("hacer", "dar", number=3)
    assert [one["count"] for one in told["relations"]] == [one.count for one in found.relations]
    shown = trasmallo("sketch", finished.folder, "hacer", "dar").out
    assert "hacer ┃" in shown
    assert "dar ┃" in shown


def test_what_is_wrong_is_told(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("sketch", finished.folder, "haser")
    assert (done.code, "did you mean 'hacer'?" in done.err) == (2, True)
    assert trasmallo("sketch", finished.folder, "hacer", "--least", "0").code == 2
    none = trasmallo("sketch", finished.folder, "hacer", "--least", "1000")
    assert (none.code, "no pair of it occurs often enough" in none.err) == (0, True)


def test_a_scope_is_kept_to(finished: Project, trasmallo: Command) -> None:
    whole = trasmallo("sketch", finished.folder, "hacer", "--json").value()["word"]["count"]
    part = trasmallo("sketch", finished.folder, "hacer", "--scope", "words>100", "--json").value()["word"]["count"]
    assert 0 < part <= whole
