"""The command that tags lines."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done, call
from trasmallo import tag

Command = Callable[..., Done]
LINES = ["La casa es blanca.", "", "Dándoselo todo, ella casa con él. Vámonos.", "e\u0301l  😀\t3"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "lines.txt").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return tmp_path / "lines.txt"


def test_every_line_is_a_text(file: Path, trasmallo: Command) -> None:
    rows = trasmallo("tag", file, "--json").rows()
    assert [(row["file"], row["line"], row["text"]) for row in rows] == [
        (str(file), at, line) for at, line in enumerate(LINES, 1)
    ]
    assert [[(one["word"], one["lemma"], one["start"]) for one in row["words"]] for row in rows] == [
        [(one.word, one.lemma, one.start) for one in tag(line)] for line in LINES
    ]


def test_a_word_has_a_row(file: Path, trasmallo: Command) -> None:
    rows = list(csv.DictReader(trasmallo("tag", file, file).out.splitlines(), dialect="excel-tab"))
    assert list(rows[0]) == ["file", "line", "start", "end", "word", "lemma", "category", "features", "clitics"]
    assert len(rows) == 2 * sum(len(tag(line)) for line in LINES)
    (found, _) = (row for row in rows if row["word"] == "Dándoselo")
    assert (found["line"], found["lemma"], found["category"], found["clitics"]) == ("3", "dar", "VERB", "se lo")


def test_standard_input_and_no_lines(tmp_path: Path, trasmallo: Command) -> None:
    rows = call("tag", "-", "--json", input="\ufeffLa casa.\nMi casa.\n").rows()
    assert [(row["file"], row["line"], row["words"][0]["word"]) for row in rows] == [
        ("standard input", 1, "La"),
        ("standard input", 2, "Mi"),
    ]
    (tmp_path / "empty.txt").touch()
    assert trasmallo("tag", tmp_path / "empty.txt", "--json").out == ""


def test_what_cannot_be_tagged_is_refused(file: Path, tmp_path: Path, trasmallo: Command) -> None:
    (tmp_path / "latin.txt").write_bytes("canción".encode("latin-1"))
    for wrong in ("latin.txt", "none.txt", "."):
        done = trasmallo("tag", tmp_path / wrong)
        assert (done.code, done.refusal().endswith("save it as UTF-8 in a file you may read")) == (2, True)
    assert trasmallo("tag", file, "--language", "fr").refusal().startswith("trasmallo: 'fr' is no language")
    assert trasmallo("tag", file, "--convention", "penn").refusal().endswith("choose ancora or gsd")
    assert trasmallo("tag").code == 2


def test_a_later_file_that_cannot_be_read_is_told_after_the_first_lines(file: Path, trasmallo: Command) -> None:
    done = trasmallo("tag", file, file.with_name("none.txt"), "--json")
    assert (done.code, "none.txt" in done.err) == (2, True)
