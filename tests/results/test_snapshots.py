"""Frozen results: asked by their names, and unmoved by all that happens to the collection."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done
from support.editable_web import EditableWeb
from trasmallo.pipeline.thinning import thin_out
from trasmallo.project.project import Project
from trasmallo.results.snapshots import Snapshot, find_snapshot, remove_snapshot, snapshots
from trasmallo.store import run_folders
from trasmallo.values.atomic_files import remove
from trasmallo.values.errors import NotFound, UsageError

TEXT = "Los barcos salen del puerto al amanecer y vuelven con la red llena de sardinas frescas."

CATS = "Los gatos duermen en los tejados de las casas viejas mientras llueve en la ciudad."


@pytest.fixture
def web() -> Iterator[EditableWeb]:
    with EditableWeb() as web:
        web.write("/", TEXT, "/gatos")
        web.write("/gatos", CATS)
        yield web


@pytest.fixture
def project(web: EditableWeb, tmp_path: Path) -> Project:
    project = Project.new(tmp_path / "p", [web.url("/")], name="diario", delay=0.0, address_delay=0.0, sitemaps=False)
    project.run()
    return project


def answers(project: Project, run: str) -> tuple[object, ...]:
    words = {(row["word"], row["count"]) for row in project.table("words", run=run)}
    asked = project.as_of(run)
    return words, {hit.url for hit in asked.find("gatos").hits}, asked.kwic("gatos").total


def test_a_snapshot_answers_the_same_whatever_happens(project: Project, web: EditableWeb) -> None:
    run = run_folders.latest(project.runs)
    taken = project.snapshot("tesis", note="capítulo 3")
    before = answers(project, "tesis")
    assert before == answers(project, run.name)
    web.write("/gatos", "Ahora solo hay perros que ladran en la otra orilla del río cuando pasa el cartero.")
    project.run(new=True)
    project.clean()
    assert answers(project, "tesis") == before != answers(project, "")
    remove(run.folder)
    assert answers(project, "tesis") == before
    assert project.find_snapshot("tesis") == taken


def test_revisits_that_are_thinned_out_leave_it(project: Project, web: EditableWeb) -> None:
    for number in range(3):
        web.write("/gatos", f"{CATS} Esta es la visita que lleva el número {number}.")
        project.revisit("10")
    first = run_folders.find(project.runs)[1].name
    project.snapshot("antes", run=first)
    assert first in thin_out(project.runs, 1)
    with pytest.raises(NotFound):
        project.table("words", run=first)
    assert answers(project, "antes")[2] == 1


def test_what_it_says_of_itself(project: Project) -> None:
    found = project.snapshot("tesis", note="x")
    rows = sorted((row["url"], row["digest"]) for row in project.table("pages"))
    told = "".join(f"{url}\t{digest}\n" for url, digest in rows)
    assert found.digest == "sha256:" + hashlib.sha256(told.encode()).hexdigest()
    assert (found.pages, found.documents) == (2, 2)
    assert found.words == sum(row["words"] for row in project.table("pages"))
    assert found.citation("diario").startswith("diario, snapshot tesis of 20")
    assert found.digest in found.citation("diario")
    assert list(snapshots(project.folder)) == [found]


def test_a_name_is_given_once(project: Project) -> None:
    for name in ("", "2026-11", "2026", "../x", "a/b", "a b", ".x", "x" * 81, "7days"):
        with pytest.raises(UsageError, match="is no name for a snapshot"):
            project.snapshot(name)
    project.snapshot("tesis")
    with pytest.raises(UsageError, match="already"):
        project.snapshot("tesis")
    with pytest.raises(UsageError, match="already"):
        project.snapshot(run_folders.latest(project.runs).name)
    for wrong in ("tesis/", "./tesis", "../snapshots/tesis", "", "."):
        with pytest.raises(NotFound, match="choose one of tesis"):
            remove_snapshot(project.folder, wrong)
    assert isinstance(remove_snapshot(project.folder, "tesis"), Snapshot)
    with pytest.raises(NotFound):
        find_snapshot(project.folder, "tesis")
    with pytest.raises(NotFound):
        project.as_of("tesis")
    project.snapshot("tesis")


def test_the_command(project: Project, web: EditableWeb, trasmallo: Callable[..., Done]) -> None:
    made = trasmallo("snapshot", project.folder, "tesis", "--note", "capítulo 3")
    assert made.code == 0
    assert made.out.startswith("diario, snapshot tesis of 20")
    assert trasmallo("snapshot", project.folder, "tesis", "--cite").out == made.out
    listed = trasmallo("snapshot", project.folder, "--json").rows()
    assert [(row["name"], row["note"], row["pages"]) for row in listed] == [("tesis", "capítulo 3", 2)]
    urls = list(csv.reader(io.StringIO(trasmallo("snapshot", project.folder, "tesis", "--urls").out)))
    assert [row[0] for row in urls] == ["url", web.url("/"), web.url("/gatos")]
    assert trasmallo("list", project.folder, "words", "--as-of", "tesis", "--json").rows()
    assert trasmallo("find", project.folder, "gatos", "--run", "tesis", "--json").value()["total"] == 1
    unknown = trasmallo("list", project.folder, "words", "--as-of", "otra")
    assert unknown.code == 2
    assert "there is no run 'otra'" in unknown.err
    assert trasmallo("list", project.folder, "words", "--as-of", "2026-13").code == 2
    assert trasmallo("snapshot", project.folder, "tesis", "--remove").code == 0
    assert trasmallo("snapshot", project.folder, "--json").out == ""
    assert trasmallo("snapshot", project.folder, "--urls").code == 2


def test_who_is_killed_while_freezing_disturbs_nobody(project: Project) -> None:
    project.snapshot("libro")
    run = run_folders.latest(project.runs)
    draft = project.folder / "snapshots" / "tesis.new"
    draft.mkdir()
    (draft / "pages.parquet").hardlink_to(run.folder / "pages.parquet")
    for half in (None, b"", b'{"digest": "'):
        if half is not None:
            (draft / "run.json").write_bytes(half)
        assert [found.name for found in project.snapshots()] == ["libro"]
        assert answers(project, "libro") == answers(project, run.name)
        assert not list(project.check())
    project.snapshot("tesis")
    assert answers(project, "tesis") == answers(project, run.name)
    assert not draft.exists()
    with pytest.raises(UsageError, match="is no name"):
        project.snapshot("tesis.new")


@pytest.mark.parametrize("after", ["pages.parquet", "segments.parquet"])
def test_results_that_are_made_again_meanwhile_are_frozen_as_they_are_then(
    project: Project, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, link = run_folders.latest(project.runs), os.link

    def link_and_change(source: str, place: str) -> None:
        link(source, place)
        if Path(source).name == after:
            monkeypatch.setattr(os, "link", link)
            project.clean()

    monkeypatch.setattr(os, "link", link_and_change)
    project.snapshot("tesis")
    assert answers(project, "tesis") == answers(project, run.name)
    found = run_folders.open_run(project.folder / "snapshots" / "tesis").manifest
    assert found == run.reread().manifest
    assert not list(project.check())


@pytest.mark.parametrize("name", ["pages.parquet", "tokens.columns", "digests.json", "run.json", "snapshot.json"])
def test_damage_is_found_and_what_the_run_still_has_is_put_back(project: Project, name: str) -> None:
    project.snapshot("tesis")
    before = answers(project, "tesis")
    path = project.folder / "snapshots" / "tesis" / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)  # where it is a link, that of the run too
    assert {(finding.kind, finding.run) for finding in project.check()} >= {("snapshot", "tesis")}
    told = {step.kind: step.done for step in project.repair()}
    if path.suffix == ".json":
        assert "bring its folder back" in told["snapshot"]
        project.remove_snapshot("tesis")
        project.snapshot("tesis")
    assert answers(project, "tesis") == before
    assert not list(project.check())
