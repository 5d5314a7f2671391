"""Decisions about entities in the tables: they show at once and are undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.entity_project import make_entity_project
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_entity_project(tmp_path_factory.mktemp("names"))


@pytest.fixture
def project(made: Project) -> Iterator[Project]:
    yield made
    (made.folder / "entities.tsv").unlink(missing_ok=True)


def counts(project: Project, kind: str) -> dict[object, object]:
    return {row["entity"]: row["count"] for row in project.table("entities", where=[f"kind={kind}"])}


def test_variants_are_one_with_their_evidence(project: Project) -> None:
    found = {row["entity"]: (row["name"], row["evidence"]) for row in project.table("variants")}
    assert found == {
        "Ana Perez": ("Ana Pérez", "spelling"),
        "A. Pérez": ("Ana Pérez", "initials"),
        "UPM": ("Universidad Politécnica de Madrid", "beside"),
    }
    assert counts(project, "PER") == {"Ana Pérez": 4, "Juan Gómez": 2}
    assert counts(project, "ORG") == {"Universidad Politécnica de Madrid": 3}
    mentions = project.table("mentions", where=["entity=Ana Pérez"])
    assert sorted(str(row["text"]) for row in mentions) == ["A. Pérez", "Ana Perez", "Ana Pérez", "Pérez"]


def test_people_merge_split_rename_and_block(project: Project) -> None:
    project.merge_entities(["Juan Gómez"], "Juan Gómez Ruiz", "PER")
    project.split_entity("Ana Pérez", ["A. Pérez", "Pérez"], "PER")
    assert counts(project, "PER") == {"Ana Pérez": 2, "Juan Gómez Ruiz": 2, "A. Pérez": 1, "Pérez": 1}
    project.merge_entities("A. Pérez", "Alba Pérez", "PER")
    project.block_entities(["Soria"], "LOC")
    assert "Soria" not in counts(project, "LOC")
    project.change_kind("aspirina", "DRUG", "MEDICINE")
    project.undo_decision()
    project.undo_decision()
    assert counts(project, "LOC")["Soria"] == 3
    assert [one.act for one in project.entity_decisions()] == ["merge", "split", "split", "merge"]


def test_a_kind_may_be_another(project: Project) -> None:
    project.change_kind(["Juan Gómez"], "PER", "MISC")
    assert counts(project, "PER") == {"Ana Pérez": 4}
    assert counts(project, "MISC") == {"Juan Gómez": 2}


def test_a_broken_file_is_told(project: Project) -> None:
    (project.folder / "entities.tsv").write_text("join\tPER\ta\tb\n", "utf-8")
    with pytest.raises(UsageError, match="line 1"):
        list(project.table("entities"))


def test_decisions_hold_for_a_study_that_is_made_again(tmp_path: Path) -> None:
    project = make_entity_project(tmp_path)
    project.merge_entities(["Juan Gómez"], "Juan Gómez Ruiz", "PER")
    project.study()
    assert counts(project, "PER")["Juan Gómez Ruiz"] == 2
