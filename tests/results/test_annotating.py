"""Marks of people beside what the program found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.entity_project import document_of, make_entity_project
from trasmallo.project.project import Project
from trasmallo.study.entities.labelled_files import read_labelled
from trasmallo.values.errors import UsageError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_entity_project(tmp_path_factory.mktemp("annotating"))


@pytest.fixture
def project(made: Project) -> Iterator[Project]:
    yield made
    for one in made.annotations():
        made.forget_annotation(one.document)


def test_suggestions_begin_with_the_greatest_doubt(project: Project) -> None:
    found = project.suggestions()
    assert [one.score for one in found] == sorted(one.score for one in found)
    document = found[0].document
    project.annotate(document, [], complete=True)
    assert document not in {one.document for one in project.suggestions()}
    assert {one.kind for one in project.suggestions(kind="LOC", limit=1)} == {"LOC"}


def test_agreement_counts_complete_documents_of_the_same_text(project: Project) -> None:
    assert (project.agreement().documents, project.agreement().scores) == (0, ())
    document = document_of(project, "c.txt")
    project.annotate(document, [(0, 9, "PER"), (21, 26, "LOC")], complete=True)
    project.annotate(document_of(project, "a.txt"), [(0, 9, "PER")])
    found = project.agreement()
    assert (found.documents, found.partial, found.stale) == (1, 1, 0)
    scores = {one.kind: (one.right, one.found, one.wanted) for one in found.scores}
    assert scores["PER"] == (1, 2, 1)
    assert scores["LOC"] == (1, 1, 1)
    assert [(one.wanted, one.found) for one in found.confusion] == [("none", "PER")]


def test_marks_show_at_once_in_the_tables(project: Project) -> None:
    document = document_of(project, "c.txt")

    def mentions() -> set[tuple[object, object, object]]:
        rows = project.table("mentions", where=[f"document={document}"])
        return {(row["text"], row["kind"], row["source"]) for row in rows}

    before = mentions()
    project.annotate(document, [(4, 9, "ORG")])
    assert mentions() == (before - {("Ana Perez", "PER", "model")}) | {("Perez", "ORG", "human")}
    project.annotate(document, [(4, 9, "ORG")], complete=True)
    assert mentions() == {("Perez", "ORG", "human")}
    project.forget_annotation(document)
    assert mentions() == before


def test_what_goes_out_comes_back_as_it_was(project: Project, tmp_path: Path) -> None:
    project.annotate(document_of(project, "c.txt"), [(0, 9, "PER"), (21, 26, "LOC")], complete=True)
    project.annotate(document_of(project, "a.txt"), [(0, 9, "PER")])
    kept = project.annotations()
    assert project.export_annotations(tmp_path / "marks.jsonl") == 2
    for one in kept:
        project.forget_annotation(one.document)
    assert project.import_annotations(tmp_path / "marks.jsonl") == 2
    assert project.annotations() == kept
    (tmp_path / "bad.jsonl").write_text('{"document": 1}\n', "utf-8")
    with pytest.raises(UsageError, match="line 1"):
        project.import_annotations(tmp_path / "bad.jsonl")
    with pytest.raises(UsageError, match="cannot read"):
        project.import_annotations(tmp_path / "none.jsonl")


def test_complete_documents_train(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no name is marked"):
        project.train_names(tmp_path / "own.model", method="hmm")
    project.annotate(document_of(project, "c.txt"), [(0, 9, "PER"), (21, 26, "LOC")], complete=True)
    assert project.export_annotations(tmp_path / "marks.conll") == 1
    sentences = read_labelled(tmp_path / "marks.conll")
    assert sentences[0][:2] == [("Ana", "B-PER"), ("Perez", "I-PER")]
    told = project.train_names(tmp_path / "own.model", method="hmm")
    assert (told.kinds, told.sentences) == (("LOC", "PER"), len(sentences))
    assert (tmp_path / "own.model").stat().st_size


def test_marks_of_another_text_do_not_count(project: Project) -> None:
    document = document_of(project, "c.txt")
    project.annotate(document, [(0, 9, "ORG")], complete=True)
    path = project.folder / "annotations" / f"{document}.json"
    digest = project.annotations()[0].digest
    path.write_text(path.read_text("utf-8").replace(digest, "0" * 32), "utf-8")
    assert project.agreement().stale == 1
    assert all(row["source"] != "human" for row in project.table("mentions"))
