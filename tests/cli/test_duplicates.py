"""The command that finds copies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done, call
from support.made_prose import edited, prose
from trasmallo.clean.copies import METHODS
from trasmallo.cli import duplicates as command

Command = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, words in {"a": prose(1), "b": prose(2), "c": edited(prose(1), 0.05, 1), "d": prose(2)}.items():
        (tmp_path / f"{name}.txt").write_text(" ".join(words), encoding="utf-8")
    return tmp_path


def names(done: Done) -> list[tuple[str, str]]:
    assert done.code == 0, done.err
    return [(Path(row["first"]).stem, Path(row["second"]).stem) for row in done.rows()]


@pytest.mark.parametrize("method", ["minhash", "simhash", "fingerprint"])
def test_pairs_of_a_folder(folder: Path, trasmallo: Command, method: str) -> None:
    done = trasmallo("duplicates", folder, "--method", method, "--json")

    assert names(done) == [("a", "c"), ("b", "d")]
    assert done.rows()[1]["similarity"] == 1.0


def test_exact_copies_and_a_threshold(folder: Path, trasmallo: Command) -> None:
    assert names(trasmallo("duplicates", folder, "--method", "exact", "--json")) == [("b", "d")]
    assert names(trasmallo("duplicates", folder, "--least", "0.99", "--json")) == [("b", "d")]


def test_a_table_for_people(folder: Path, trasmallo: Command) -> None:
    shown = trasmallo("duplicates", folder)
    assert "4 documents, 45 % or more alike" in shown.out
    assert "1.00" in shown.out
    assert "original" in trasmallo("duplicates", folder, "--groups").out
    assert "documents" not in trasmallo("duplicates", folder, "--quiet").out


def test_what_is_like_a_document(folder: Path, trasmallo: Command) -> None:
    assert names(trasmallo("duplicates", folder, "--like", folder / "d.txt", "--json")) == [("d", "b")]
    done = call("duplicates", folder, "--like", "-", "--json", input=" ".join(prose(1)))
    assert [Path(row["second"]).stem for row in done.rows()] == ["a", "c"]


def test_files_without_text_are_told_unless_quiet(folder: Path, trasmallo: Command) -> None:
    for number in range(5):
        (folder / f"{number}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    told = trasmallo("duplicates", folder).err.splitlines()

    assert [line.startswith("Left out: ") for line in told] == [True] * 4
    assert told[-1] == "Left out: 2 more files"
    assert trasmallo("duplicates", folder, "--quiet").err == ""


@pytest.mark.parametrize(
    ("arguments", "repair"),
    [
        (["none.txt"], "give a file, a URL, or - for standard input"),
        ([".", "--method", "magic"], "see trasmallo duplicates --help"),
        ([".", "--method", "simhash", "--bits", "100"], "choose a multiple of 64 from 64 to 384"),
        ([".", "--like", "."], "give one document: a file, a URL, or - for standard input"),
        ([".", "--least", "0"], "see trasmallo duplicates --help"),
        ([], "see trasmallo duplicates --help"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], repair: str, trasmallo: Command, folder: Path) -> None:
    done = trasmallo("duplicates", *(folder if word == "." else word for word in arguments))

    assert done.code == 2
    assert done.refusal().endswith(repair)


def test_the_command_knows_every_method() -> None:
    assert list(METHODS) == command._METHODS
