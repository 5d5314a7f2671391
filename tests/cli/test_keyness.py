"""The command that shows what is typical of a corpus."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    (tmp_path / "general.tsv").write_text("de\t60000\nla\t40000\ny\t30000\nmuelle\t3\nel\t900000\n", encoding="utf-8")
    return tmp_path / "general.tsv"


@pytest.mark.parametrize("measure", ["ll", "ratio", "least-ratio", "diff"])
def test_key_words_by_each_measure(finished: Project, trasmallo: Command, reference: Path, measure: str) -> None:
    done = trasmallo("keyness", finished.folder, "--against", reference, "--measure", measure, "--format", "tsv", "--limit", 9)
    rows = list(csv.DictReader(done.out.splitlines(), dialect="excel-tab"))
    assert (len(rows), done.err) == (9, "")
    assert all(float(row["log_ratio"]) > 0 and float(row["p"]) <= 0.0001 for row in rows)
    assert "el" not in [row["word"] for row in rows]


def test_key_lemmas(finished: Project, trasmallo: Command, reference: Path) -> None:
    rows = trasmallo("keyness", finished.folder, "--against", reference, "--by", "lemma", "--json", "--limit", 200).rows()
    words = [row["word"] for row in rows]
    assert "ser" in words
    assert "es" not in words


def test_a_table_and_json(finished: Project, trasmallo: Command, reference: Path) -> None:
    shown = trasmallo("keyness", finished.folder, "--against", reference).out
    assert shown.startswith("Against")
    assert "95 %" in shown
    rows = trasmallo("keyness", finished.folder, "--against", reference, "--negative", "--json").rows()
    assert rows[0]["word"] == "el"
    assert all(row["log_ratio"] < 0 for row in rows)


def test_a_missing_reference_is_told(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    done = trasmallo("keyness", finished.folder, "--against", tmp_path / "none")
    assert done.code == 2
    assert done.refusal().endswith("give a project's folder, a file of counts, general:CODE or wordfreq:CODE")
