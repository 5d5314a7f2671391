"""The commands kinds, learn, entity and annotations."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import call
from support.entity_project import document_of, make_entity_project
from trasmallo.project.project import Project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_entity_project(tmp_path_factory.mktemp("commands"))


def test_kinds_are_shown_added_and_removed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("pan\n", "utf-8")
    assert [row["kind"] for row in call("kinds", project.folder, "--json").rows()] == ["DRUG", "DOSE"]
    added = call("kinds", project.folder, "--list", "FOOD", tmp_path / "more.txt", "--case", "--json").rows()
    assert [row["options"] for row in added if row["kind"] == "FOOD"] == ["case"]
    assert call("kinds", project.folder, "--remove", 2, "--quiet").code == 0
    assert len(call("kinds", project.folder, "--json").rows()) == 2
    document = tmp_path / "x.txt"
    document.write_text("Compra aspirinas en Soria.", "utf-8")
    found = call("entities", document, "--language", "es", "--kinds", project.folder, "--json").rows()
    assert [(row["text"], row["kind"]) for row in found] == [("aspirinas", "DRUG"), ("Soria", "LOC")]


def test_names_are_learnt_accepted_and_rejected(project: Project) -> None:
    asked = ("learn", project.folder, "PLACE", "--seed", "Madrid", "--seed", "Soria")
    assert call(*asked, "--json").code == 0
    assert "seeds met 4 times" in call(*asked, "--patterns").out
    told = call("learn", project.folder, "PLACE", "--accept", "Soria", "--reject", "Juan Gómez", "--json").value()
    assert told == {"accepted": 1, "rejected": 1}
    assert call("learn", project.folder, "PLACE", "--accept", "Lugo").out.startswith("Accepted 1, rejected 0.")
    (rule,) = (one for one in project.own_kinds() if one.kind == "PLACE")
    assert (project.folder / rule.what).read_text("utf-8") == "Soria\nLugo\n"
    project.undo_decision()
    project.remove_kinds(rule.number)


def test_entities_are_decided_and_undone(project: Project) -> None:
    assert call("entity", project.folder, "Juan Gómez", "--kind", "PER", "--into", "J. G.", "--json").value() == {
        "decisions": 1
    }
    assert [row["act"] for row in call("entity", project.folder, "--list", "--json").rows()] == ["merge"]
    assert call("entity", project.folder, "--undo", "--json").value()["undone"]["entity"] == "Juan Gómez"
    assert call("entity", project.folder, "--undo").out == "There was nothing.\n"


def test_annotations_are_shown_compared_and_exchanged(project: Project, tmp_path: Path) -> None:
    document = document_of(project, "c.txt")
    assert call("annotations", project.folder, "--json").rows() == []
    project.annotate(document, [(0, 9, "PER"), (21, 26, "LOC")], complete=True)
    (row,) = call("annotations", project.folder, "--json").rows()
    assert (row["document"], row["names"], row["complete"]) == (document, 2, True)
    assert call("annotations", project.folder, "--agreement", "--json").value()["documents"] == 1
    assert call("annotations", project.folder, "--doubts", "--limit", 1, "--json").rows()[0]["score"] <= 1
    target = tmp_path / "marks.jsonl"
    assert call("annotations", project.folder, "--export", target, "--json").value()["documents"] == 1
    assert call("annotations", project.folder, "--import", target).out == "1 document\n"
    told = call("annotations", project.folder, "--train", tmp_path / "own.model", "--method", "hmm", "--json").value()
    assert told["kinds"] == ["LOC", "PER"]
    used = call("kinds", project.folder, "--model", tmp_path / "own.model", "--json").rows()
    assert [row["by"] for row in used][-1] == "model"
    project.remove_kinds(len(used))


@pytest.mark.parametrize(
    "words",
    [
        ("kinds", "--list", "drug", "drugs.txt"),
        ("kinds", "--pattern", "X", "[pos="),
        ("kinds", "--remove", "99"),
        ("kinds", "--model", "none.model"),
        ("kinds", "--remove", "1", "--pattern", "X", '"a"'),
        ("learn", "NONE"),
        ("learn", "DRUG", "--accept", " "),
        ("learn", "DRUG", "--accept", "a", "--seed", "b"),
        ("learn", "drug", "--accept", "a"),
        ("entity",),
        ("entity", "Ana"),
        ("entity", "Ana", "--kind", "PER"),
        ("entity", "Ana", "Eva", "--kind", "PER", "--split", "x"),
        ("entity", "Ana", "--kind", "PER", "--into", "Ana"),
        ("entity", "--list", "--undo"),
        ("annotations", "--doubts", "--agreement"),
        ("annotations", "--import", "none.jsonl"),
    ],
)
def test_what_cannot_be_is_one_line(project: Project, words: tuple[str, ...]) -> None:
    done = call(words[0], project.folder, *words[1:])
    assert done.code == 2
    assert done.refusal()
