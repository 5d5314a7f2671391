"""The command that judges words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.new(tmp_path / "p")


def test_words_are_judged_listed_and_forgotten(project: Project, trasmallo: Command) -> None:
    folder = project.folder
    done = trasmallo("verdict", folder, "Barcoteca", "flumbear", "--accept", "--note", "del puerto")
    assert done == Done(0, "Judged 2 words; 2 have a verdict.\n", "")
    assert trasmallo("verdict", folder, "flumbear", "--typo", "--json").value() == {"words": 1, "verdict": "typo"}
    rows = trasmallo("verdict", folder, "--list", "--json").rows()
    assert [(row["word"], row["verdict"], row["note"]) for row in rows] == [
        ("barcoteca", "accepted", "del puerto"),
        ("flumbear", "typo", ""),
    ]
    assert trasmallo("verdict", folder, "barcoteca", "--forget", "--quiet") == Done(0, "", "")
    assert "barcoteca" not in trasmallo("verdict", folder, "--list").out


@pytest.mark.parametrize("flag", ["accept", "reject", "typo", "name", "foreign", "later"])
def test_every_flag_is_a_verdict(project: Project, trasmallo: Command, flag: str) -> None:
    assert trasmallo("verdict", project.folder, "red", f"--{flag}").code == 0
    (found,) = project.verdicts()
    assert found.verdict.startswith(flag)


def test_verdicts_are_shared_between_projects(project: Project, trasmallo: Command, tmp_path: Path) -> None:
    other = Project.new(tmp_path / "other")
    project.judge(["barcoteca", "-ismo", "'-ismo"], "accepted", note="=nota")
    shared = tmp_path / "shared.tsv"
    assert trasmallo("verdict", project.folder, "--export", shared) == Done(0, "", "")
    assert trasmallo("verdict", project.folder, "--export", "-").out == shared.read_text("utf-8")
    assert trasmallo("verdict", other.folder, "--import", shared).out == "Judged 3 words; 3 have a verdict.\n"
    assert "'-ismo\taccepted" in shared.read_text("utf-8"), "no spreadsheet computes it"
    assert other.verdicts() == project.verdicts()
    (tmp_path / "plain.txt").write_text("uno\ndos\n")
    assert trasmallo("verdict", other.folder, "--import", tmp_path / "plain.txt", "--reject", "--json").value()["words"] == 2
    assert [one.verdict for one in other.verdicts()] == [*["accepted"] * 3, "rejected", "rejected"]


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ((), "nothing or too much to do: give words or --where and a verdict"),
        (("red",), "no verdict: give one of --accept, --reject"),
        (("red", "--list"), "nothing or too much to do"),
        (("red", "--reject", "--accept"), "--reject and --accept contradict each other: give one of them"),
        (("--import", "none.tsv"), "cannot read none.tsv (No such file or directory)"),
        (("#red", "--accept"), "'#red' is no word"),
        (("--evidence",), "--evidence is of words, and judges none: give words and no verdict"),
        (("red", "--evidence", "--accept"), "--evidence is of words, and judges none"),
    ],
)
def test_what_makes_no_sense_is_refused(project: Project, trasmallo: Command, arguments: tuple[str, ...], refusal: str) -> None:
    done = trasmallo("verdict", project.folder, *arguments)
    assert done.code == 2
    assert done.refusal().startswith(f"trasmallo: {refusal}")
    assert project.verdicts() == []


def test_evidence_of_words_is_shown(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("verdict", finished.folder, "barcoteca", "--evidence")
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0].startswith("barcoteca: candidate (")
    assert any(line.startswith("  sites: ") for line in lines)
    assert sum(line.startswith("  “") and "barcoteca" in line.lower() for line in lines) >= 3
    (row,) = trasmallo("verdict", finished.folder, "barcoteca", "--evidence", "--json").rows()
    assert row["contexts"][0]["quotation"]
    assert row["figures"]["sources"] >= 2
    assert trasmallo("verdict", finished.folder, "casa", "--evidence").refusal().startswith("trasmallo: 'casa' is no word of")
