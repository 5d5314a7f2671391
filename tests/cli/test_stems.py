"""The command that compares stemmers."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from support.stored_pages import html

Command = Callable[..., Done]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    body = "The policies of the organization were described by several strategies, and every strategy described a policy. "
    (tmp_path / "a.html").write_text(f"<html lang=en><title>Policy</title><body><p>{body * 3}</p>", encoding="utf-8")
    return tmp_path / "a.html"


def rows_of(done: Done) -> list[dict[str, str]]:
    assert (done.code, done.err) == (0, "")
    return list(csv.DictReader(done.out.splitlines(), dialect="excel-tab"))


def test_words_side_by_side(page: Path, trasmallo: Command) -> None:
    rows = rows_of(trasmallo("stems", page, "--stemmer", "porter,porter2,krovetz,s", "--language", "en"))
    assert list(rows[0]) == ["word", "count", "porter", "porter2", "krovetz", "s"]
    found = next(row for row in rows if row["word"] == "policies")
    assert list(found.values()) == ["policies", "3", "polici", "polici", "policy", "policie"]


def test_classes_of_each_stemmer(page: Path, trasmallo: Command) -> None:
    rows = {row["stemmer"]: row for row in rows_of(trasmallo("stems", page, "--classes", "--language", "en"))}
    assert list(rows) == ["s", "porter", "porter2", "krovetz"]
    assert "strategy: strategies strategy" in rows["krovetz"]["examples"]
    assert float(rows["porter"]["class_size"]) > float(rows["s"]["class_size"]) >= 1


def test_a_spanish_page_gets_the_stemmers_of_its_language(tmp_path: Path, trasmallo: Command) -> None:
    (tmp_path / "a.html").write_bytes(html("Las farolas de la plaza alumbran a quienes cantan y cantaban canciones."))
    found = trasmallo("stems", tmp_path / "a.html", "--json").rows()
    stemmers = trasmallo("stems", tmp_path / "a.html", "--classes", "--json").rows()
    assert [stemmer["stemmer"] for stemmer in stemmers] == ["s", "snowball"]
    stems = {row["word"]: row["stems"]["snowball"] for row in found}
    assert stems["cantan"] == stems["cantaban"] == "cant"


def test_an_unknown_stemmer_is_refused(page: Path, trasmallo: Command) -> None:
    done = trasmallo("stems", page, "--stemmer", "lovins")
    assert done.code == 2
    assert "there is no stemmer 'lovins': did you mean" in done.refusal()
