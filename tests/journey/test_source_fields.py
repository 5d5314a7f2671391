"""What documents say of themselves beside their text is kept, asked for and exported: letters, TREC, annotated XML."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from clean.formats.test_elements import FIGURE
from support.command_line import Done
from trasmallo.project.project import Project
from trasmallo.store import digests, run_folders

LETTERS = """From alice@example.org Tue Nov 17 03:43:44 2026
From: Alice <alice@example.org>
To: bob@example.org
Date: Tue, 17 Nov 2026 03:43:44 +0000
Subject: Redes nuevas

Las redes nuevas han llegado al puerto esta noche.

From bob@example.org Wed Nov 18 03:43:44 2026
From: Bob <bob@example.org>
To: alice@example.org
Date: Wed, 18 Nov 2026 03:43:44 +0000
Subject: Re: Redes nuevas

Gracias, las veo cuando vuelva la barca del mar.
"""
TREC = "<DOC><DOCNO>EFE1994-17</DOCNO><TITLE>La lonja</TITLE><TEXT>Se vende el pescado de la noche en la lonja.</TEXT></DOC>\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("sources")
    (folder / "letters.mbox").write_text(LETTERS)
    (folder / "efe1994").write_text(TREC)
    (folder / "figure.xml").write_bytes(b"<?xml version='1.0'?>" + FIGURE)
    project = Project.new(tmp_path_factory.mktemp("home") / "p")
    project.import_file(folder)
    return project


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("author:alice", "Redes nuevas"),
        ("from:bob", "Re: Redes nuevas"),
        ("to:bob", "Redes nuevas"),
        ("+subject:redes date:2026-11-18", "Re: Redes nuevas"),
        ("docno:EFE1994-17", "La lonja"),
        ("entity:city=Springfield", ""),
        ('entity:"personname=Fred Smith"', ""),
    ],
)
def test_they_are_found_by_their_fields(project: Project, query: str, title: str) -> None:
    assert [hit.title for hit in project.find(query).hits] == [title]


def test_they_are_listed_and_exported(project: Project, tmp_path: Path, trasmallo: Callable[..., Done]) -> None:
    rows = trasmallo("list", project.folder, "fields", "--where", "name=city", "--columns", "name,text", "--json").rows()
    assert rows == [{"name": "city", "text": "Springfield"}]
    project.export("csv", tmp_path / "ids.csv", table="fields", where=["name=docno"])
    assert "docno,EFE1994-17" in (tmp_path / "ids.csv").read_text()


def test_a_date_that_nobody_told_is_none(project: Project, tmp_path: Path) -> None:
    (hit,) = project.find("docno:EFE1994-17").hits
    assert hit.day == ""
    project.export("conllu", tmp_path / "all.conllu")
    assert "1970" not in (tmp_path / "all.conllu").read_text()
    pages = {row["url"]: row["at"] for row in project.table("pages", columns=["url", "at"])}
    assert pages[hit.url] is None
    assert all(at is None or at > 0 for at in pages.values())
    with project.tables() as tables:
        assert tables.select('SELECT count(*) FROM pages WHERE "at" = 0') == [(0,)]
        assert tables.select('SELECT count(*) FROM pages WHERE "at" IS NULL')[0][0] >= 1
    run = run_folders.latest(project.runs)
    raw = f"SELECT count(*) FROM '{run.folder / 'pages.parquet'}' WHERE \"at\" = 0"
    with duckdb.connect() as connection:
        assert connection.execute(raw).fetchone() == (0,)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("tei", '<idno type="docno">EFE1994-17</idno>'),
        ("conllu", "# docno = EFE1994-17\n"),
        ("vert", ' docno="EFE1994-17"'),
    ],
)
def test_what_a_collection_calls_a_document_is_exported(project: Project, tmp_path: Path, kind: str, written: str) -> None:
    project.export(kind, tmp_path / "all")
    text = (tmp_path / "all").read_text()
    assert text.count(written) == 1


def test_a_raw_table_of_an_earlier_version_has_no_dates_of_1970(project: Project, tmp_path: Path) -> None:
    """Files in which 0 stands for a date that nobody told are shown as those of today."""
    copy = tmp_path / "old"
    shutil.copytree(project.folder, copy)
    run = run_folders.latest(Project.open(copy).runs)
    file = run.folder / "pages.parquet"
    old = f'SELECT * REPLACE (coalesce("at", 0) AS "at") FROM \'{file}\''
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({old}) TO '{file}.new' (FORMAT parquet)")
    file.with_name(file.name + ".new").replace(file)
    digests.unseal(run.folder)
    run.manifest.sealed = False
    run.save()
    before, after = (Project.open(folder).table("pages") for folder in (project.folder, copy))
    assert before == after
