"""Entities together as a graph, and the months in which one is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.entity_project import make_entity_project
from trasmallo.project.project import Project
from web.conftest import Client


def test_entities_that_documents_name_together(enter: Callable[..., Client], home: Path, tmp_path: Path) -> None:
    make_entity_project(tmp_path).folder.rename(home / "names")
    visitor = enter()
    twin = visitor.json("/p/names/entity-graph?least=2")
    names = [node["name"] for node in twin["graph"]["nodes"]]
    pairs = {(names[edge["source"]], names[edge["target"]]): edge["count"] for edge in twin["graph"]["edges"]}
    assert pairs["Ana Pérez", "Soria"] == 3
    assert "<svg" in visitor.page("/p/names/entity-graph?least=2")
    around = visitor.json("/p/names/entity-graph?entity=Juan+G%C3%B3mez&least=1")
    assert around["graph"]["nodes"][around["graph"]["centre"]]["name"] == "Juan Gómez"
    centre = around["graph"]["centre"]
    assert all(centre in (edge["source"], edge["target"]) for edge in around["graph"]["edges"])
    persons = visitor.json("/p/names/entity-graph?kind=PER&least=1")["graph"]["nodes"]
    assert {node["title"] for node in persons} == {"PER"}
    exec(twin["python"], {})
    assert visitor.json("/p/names/entity-graph?entity=Nadie")["graph"]["edges"] == []
    assert "No entities are named together" in visitor.page("/p/names/entity-graph?entity=Nadie")


def test_months_in_which_one_is_named(enter: Callable[..., Client], home: Path, tmp_path: Path) -> None:
    source = tmp_path / "pages"
    source.mkdir()
    told = {
        "2021-03-04": "El portavoz Juan Gómez visitó la biblioteca nueva de Soria con muchos vecinos del barrio alto.",
        "2021-03-09": "En Soria llovió toda la semana y las carreteras secundarias siguen cortadas por la nieve caída.",
        "2021-05-01": "Los agricultores piden ayudas urgentes tras la helada que arruinó los frutales cerca de Soria capital.",
    }
    for number, (day, text) in enumerate(told.items()):
        head = f'<meta property="article:published_time" content="{day}T10:00:00Z"><title>x</title>'
        body = f"<p>{text}</p>"
        (source / f"{number}.html").write_text(
            f"<html lang=es><head>{head}</head><body><main>{body}</main></body></html>", "utf-8"
        )
    project = Project.new(home / "dated", language="es")
    project.import_file(source)
    twin = enter().json("/p/dated/entity-graph?entity=Soria&least=1")
    assert [row[0] for row in twin["months"]] == ["2021-03", "2021-05"]
    assert twin["months"][0][2] == 2
