"""The verbs of a project about entities."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.study.entities.learning import train_model
from trasmallo.study.entities.model_files import save
from trasmallo.values.errors import DocumentError, NotFound, UsageError


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.new(tmp_path / "project", language="es")


def test_own_kinds_are_added_tried_and_removed(project: Project, tmp_path: Path) -> None:
    (project.folder / "drugs.txt").write_text("aspirina\n", "utf-8")
    (tmp_path / "far.txt").write_text("Zzyx\n", "utf-8")
    assert project.own_kinds() == []
    assert project.add_list("DRUG", project.folder / "drugs.txt")[0].what == "drugs.txt"
    assert project.add_list("THING", tmp_path / "far.txt")[1].what == str((tmp_path / "far.txt").resolve())
    project.add_pattern("PAIR", '[ent="DRUG"] "y" [ent="THING"]')
    (pair,) = project.entities("Toma aspirina y Zzyx.")
    assert (pair.text, pair.kind, pair.source) == ("aspirina y Zzyx", "PAIR", "pattern")
    assert [one.kind for one in project.remove_kinds(1, 3)] == ["THING"]
    with pytest.raises(UsageError, match="no list"):
        project.add_list("X", tmp_path / "none.txt")


def test_a_trained_model_is_used_once_it_is_added(project: Project) -> None:
    sentences = [[("Toma", "O"), (drug, "B-DRUG"), (".", "O")] for drug in ("zirpam", "zolfen")] * 5
    save(train_model(sentences, "hmm", "es", "here"), project.folder / "names.model")
    assert [(one.by, one.what) for one in project.add_model(project.folder / "names.model")] == [("model", "names.model")]
    assert [(one.text, one.kind, one.source) for one in project.entities("Toma zirpam.")] == [("zirpam", "DRUG", "trained")]
    (project.folder / "bad.model").write_bytes(b"x")
    with pytest.raises(DocumentError, match="no model"):
        project.add_model(project.folder / "bad.model")


def test_decisions_are_listed_and_undone(project: Project) -> None:
    project.merge_entities(["a", "b"], "c", "PER")
    project.split_entity("c", "d", "PER")
    project.block_entities("e", "LOC")
    project.change_kind("f", "LOC", "ORG")
    assert [one.act for one in project.entity_decisions()] == ["merge", "merge", "split", "block", "kind"]
    assert (project.undo_decision() is not None, len(project.entity_decisions())) == (True, 4)


def test_learning_needs_seeds_and_accepts_names(project: Project) -> None:
    with pytest.raises(UsageError, match="no seeds"):
        project.learn_kind("DRUG")
    assert [one.what for one in project.accept_names("DRUG", "aspirina")] == ["learnt-drug.txt"]
    assert len(project.accept_names("DRUG", ["ibuprofeno"])) == 1
    (found,) = project.entities("Toma ibuprofeno.")
    assert (found.kind, found.source) == ("DRUG", "list")
    with pytest.raises(UsageError, match="kind"):
        project.accept_names("drug", ["x"])


def test_marks_need_a_document(project: Project) -> None:
    assert project.annotations() == []
    with pytest.raises((NotFound, UsageError)):
        project.annotate("0123456789abcdef", [])
