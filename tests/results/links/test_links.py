"""The tables of links, from parts and from Parquet."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import linked_run as web
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.store.run_folders import Run

A, B, C = "http://a.es/", "http://b.es/x", "http://b.es/y"


@pytest.fixture(params=[False, True], ids=["parts", "parquet"])
def run(tmp_path: Path, request: pytest.FixtureRequest) -> Run:
    run = web.start(tmp_path)
    links = [web.link(A, B, "Redes"), web.link(A, C, "Mareas"), web.link(B, C, "mareas vivas"), web.link(C, A, "Inicio")]
    web.write(run, "1", [web.page(A), web.page(B), web.page(C)], links)
    if request.param:
        compile_tables(run)
    return run


def rows(run: Run, table: str, *names: str) -> list[tuple[object, ...]]:
    with Tables(run) as tables:
        return list(tables.ask(table, Question(columns=names)))


def test_every_document_has_a_rank(run: Run) -> None:
    found: dict[object, object] = dict(rows(run, "ranks", "url", "pagerank"))  # type: ignore[arg-type]
    assert list(found) == [C, A, B]
    assert sum(found.values()) == pytest.approx(1)  # type: ignore[arg-type]


def test_what_links_say(run: Run) -> None:
    said = {(A, "Inicio"), (B, "Redes"), (C, "Mareas"), (C, "mareas vivas")}
    assert set(rows(run, "anchors", "url", "anchor")) == said


@pytest.mark.parametrize("table", ["ranks", "anchors", "farms"])
def test_a_run_without_pages(tmp_path: Path, table: str) -> None:
    assert rows(web.start(tmp_path), table) == []
