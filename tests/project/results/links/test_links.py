"""What search takes of links: a rank and a text for each document, from parts and from Parquet."""

from __future__ import annotations

from pathlib import Path

import pytest

import linkweb as web
from trasmallo.project.reading.parts import document_id
from trasmallo.project.results.links import anchor_texts, page_ranks
from trasmallo.project.results.tables import Tables, compile_tables
from trasmallo.project.runs import Run

A, B, C = "http://a.es/", "http://b.es/x", "http://b.es/y"


@pytest.fixture(params=[False, True], ids=["parts", "parquet"])
def run(tmp_path: Path, request: pytest.FixtureRequest) -> Run:
    run = web.start(tmp_path)
    links = [web.link(A, B, "Redes"), web.link(A, C, "Mareas"), web.link(B, C, "mareas vivas"), web.link(C, A, "Inicio")]
    web.write(run, "1", [web.page(A), web.page(B), web.page(C)], links)
    if request.param:
        compile_tables(run)
    return run


def test_every_document_has_a_rank(run: Run) -> None:
    with Tables(run) as tables:
        found = {document: (rank, inlinks) for document, rank, inlinks in page_ranks(tables)}
    assert [found[document_id(url)][1] for url in (A, B, C)] == [1, 1, 2]
    assert sum(rank for rank, _ in found.values()) == pytest.approx(1)
    assert found[document_id(C)][0] > found[document_id(B)][0]


def test_anchors_of_other_sites_come_first(run: Run) -> None:
    with Tables(run) as tables:
        found = dict(anchor_texts(tables))
    assert found == {document_id(A): "Inicio", document_id(B): "Redes", document_id(C): "Mareas\nmareas vivas"}


def test_a_run_without_pages(tmp_path: Path) -> None:
    with Tables(web.start(tmp_path)) as tables:
        assert list(page_ranks(tables)) == list(anchor_texts(tables)) == []
