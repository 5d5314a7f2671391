"""The command of names in texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done

Command = Callable[..., Done]
TEXT = "Ana Pérez vive en Soria desde el 3 de mayo de 2020."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "text.txt"


def test_entities_are_rows(file: Path, trasmallo: Command) -> None:
    rows = trasmallo("entities", file, "--language", "es", "--json").rows()
    assert [(row["text"], row["kind"], row["value"]) for row in rows] == [
        ("Ana Pérez", "PER", ""),
        ("Soria", "LOC", ""),
        ("3 de mayo de 2020", "DATE", "2020-05-03"),
    ]
    assert [row["kind"] for row in trasmallo("entities", file, "--kind", "per", "--language", "es", "--json").rows()] == ["PER"]


@pytest.mark.parametrize(
    ("form", "part"),
    [("xml", "<sn>Pérez</sn>"), ("tei", "<placeName>Soria</placeName>"), ("csv", "Soria,LOC"), ("conll", "Soria\tB-LOC")],
)
def test_entities_in_other_forms(file: Path, trasmallo: Command, form: str, part: str) -> None:
    assert part in trasmallo("entities", file, "--language", "es", "--format", form).out


def test_a_model_is_trained_tested_and_used(file: Path, tmp_path: Path, trasmallo: Command) -> None:
    columns, model = tmp_path / "a.conll", tmp_path / "a.model"
    columns.write_text(trasmallo("entities", file, "--language", "es", "--format", "conll").out, "utf-8")
    told = trasmallo("entities", "train", columns, "-o", model, "--method", "hmm", "--json").value()
    assert told["kinds"] == ["DATE", "LOC", "PER"]
    tested = trasmallo("entities", "test", columns, "--model", model, "--json").value()
    assert tested["scores"][-1]["f1"] == 100.0
    assert trasmallo("entities", file, "--language", "es", "--model", model, "--json").rows()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("train", "none.conll"), "-o MODEL"),
        (("train", "none.conll", "-o", "m"), "cannot read"),
        (("test", "none.conll"), "cannot read"),
        (("one.txt", "two.txt"), "too many documents"),
    ],
)
def test_what_was_typed_wrong_is_told(trasmallo: Command, arguments: tuple[str, ...], said: str) -> None:
    assert said in trasmallo("entities", *arguments).refusal()


def test_a_language_without_a_model_of_names_is_told(file: Path, trasmallo: Command) -> None:
    done = trasmallo("entities", file, "--language", "fr")
    assert (done.code, "no names are looked for in French (fr)" in done.err) == (0, True)
    assert trasmallo("entities", file, "--language", "fr", "--quiet").err == ""
    assert trasmallo("entities", file, "--language", "es").err == ""
