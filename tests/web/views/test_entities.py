"""Own kinds, decisions and marks in the app."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.entity_project import document_of, make_entity_project
from trasmallo.project.project import Project
from web.conftest import Client


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_entity_project(tmp_path_factory.mktemp("app")).folder


@pytest.fixture
def project(made: Path, home: Path) -> Project:
    shutil.copytree(made, home / "names")
    return Project.open(home / "names")


@pytest.fixture
def visitor(enter: Callable[..., Client], project: Project) -> Client:
    assert project.folder.exists()
    return enter()


def test_kinds_are_added_tried_and_removed(visitor: Client, project: Project) -> None:
    assert "drugs.txt" in visitor.page("/p/names/kinds")
    sent = visitor.send("/p/names/kinds/list", kind="FOOD", name="food", words="pan\nqueso\tQ1", inflected="true")
    assert sent.status_code == 303
    assert visitor.send("/p/names/kinds/pattern", kind="MEAL", pattern='[ent="FOOD"] "con" [ent="FOOD"]').status_code == 303
    found = visitor.json("/p/names/kinds?text=Come+panes+con+queso.")["found"]
    assert [(one["text"], one["kind"]) for one in found] == [("panes con queso", "MEAL")]
    assert "panes con queso" in visitor.page("/p/names/kinds?text=Come+panes+con+queso.")
    assert visitor.send("/p/names/kinds/remove", number="4").status_code == 303
    assert [one.kind for one in project.own_kinds()] == ["DRUG", "FOOD", "DOSE"]
    refused = (
        {"kind": "food", "name": "x", "words": "a"},
        {"kind": "X", "name": "../x", "words": "a"},
        {"kind": "X", "name": "x"},
    )
    for bad in refused:
        assert visitor.send("/p/names/kinds/list", **bad).status_code == 400
    assert visitor.send("/p/names/kinds/pattern", kind="X", pattern="[pos=").status_code == 400


def test_names_are_learnt_from_seeds(visitor: Client, project: Project) -> None:
    page = visitor.page("/p/names/kinds?learn=TOWN&seeds=Soria,+Madrid")
    assert "Known names were met 4 times" in page
    shown = visitor.json("/p/names/kinds?learn=TOWN&seeds=Soria,+Ana+P%C3%A9rez")["learnt"]
    assert shown["met"] > 3
    assert visitor.send("/p/names/kinds/learnt", kind="TOWN", act="accept", name="Soria", seeds="Lugo").status_code == 303
    assert (project.folder / "learnt-town.txt").read_text("utf-8") == "Soria\n"
    assert visitor.send("/p/names/kinds/learnt", kind="TOWN", act="reject", name="Juan Gómez").status_code == 303
    assert [one.act for one in project.entity_decisions()] == ["block"]
    assert visitor.send("/p/names/kinds/learnt", kind="TOWN", act="reject").status_code == 400
    assert visitor.get("/p/names/kinds?learn=NOTHING").status_code == 400


def test_entities_are_decided_and_undone(visitor: Client, project: Project) -> None:
    page = visitor.page("/p/names/entities?kind=PER")
    assert "Ana Pérez" in page and "initials of one person alone" in page

    def names() -> set[str]:
        return {row[0] for row in visitor.json("/p/names/entities?kind=PER")["rows"]}

    assert names() == {"Ana Pérez", "Juan Gómez"}
    visitor.send("/p/names/entities/decide", act="merge", entity="PER Juan Gómez", other="Juan Gómez Ruiz")
    assert names() == {"Ana Pérez", "Juan Gómez Ruiz"}
    visitor.send("/p/names/entities/decide", act="split", entity="PER Ana Pérez", other="A. Pérez")
    assert "A. Pérez" in names()
    visitor.send("/p/names/entities/decide", act="undo")
    visitor.send("/p/names/entities/decide", act="block", entity="PER Ana Pérez")
    assert names() == {"Juan Gómez Ruiz"}
    visitor.send("/p/names/entities/decide", act="kind", entity="PER Juan Gómez", other="MISC")
    assert [one.act for one in project.entity_decisions()] == ["merge", "block", "kind"]
    assert visitor.send("/p/names/entities/decide", act="block").status_code == 400


def test_names_are_marked_and_counted(visitor: Client, project: Project) -> None:
    assert "Most doubtful" in visitor.page("/p/names/marking")
    document = document_of(project, "c.txt")
    shown = visitor.json(f"/p/names/marking/{document}")
    assert shown["marks"] == [] and [0, 9, "PER"] in [one[:3] for one in shown["doubts"]]
    assert "data-marking" in visitor.page(f"/p/names/marking/{document}")
    sent = visitor.send(f"/p/names/marking/{document}", spans="0 9 PER\n21 26 LOC\n", complete="true")
    assert sent.status_code == 303
    assert visitor.json(f"/p/names/marking/{document}")["doubts"] == []
    assert visitor.json("/p/names/marking")["agreement"]["documents"] == 1
    assert "complete" in visitor.page("/p/names/marking")
    told = visitor.get("/p/names/annotations?kind=jsonl")
    assert '"complete":true' in told.text and "attachment" in told.headers["content-disposition"]
    assert "B-PER" in visitor.get("/p/names/annotations?kind=conll").text
    project.train_names(project.folder / "names.model", method="hmm")
    assert "Find names with this model" in visitor.page("/p/names/marking")
    assert visitor.send("/p/names/kinds/model").status_code == 303
    assert [one.by for one in project.own_kinds()][-1] == "model"
    assert "Find names with this model" not in visitor.page("/p/names/marking")
    for bad in ("0 9", "a b PER", "0 9 per", "0 9 PER\n5 12 LOC", "0 9999 PER"):
        assert visitor.send(f"/p/names/marking/{document}", spans=bad).status_code == 400
    assert visitor.get("/p/names/marking/0123456789abcdef").status_code == 404
    assert len(project.annotations()[0].spans) == 2
