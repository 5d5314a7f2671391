"""Two runs side by side, as a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.warc_answers import answer, files_of
from trasmallo.project.project import Project
from trasmallo.store.archive import Archive
from web.conftest import Client


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two runs."""
    folder = tmp_path_factory.mktemp("twice")
    project = Project.new(folder / "two", ["http://a.es/"])
    for number, text in enumerate(("la galera navega despacio. ", "el dron vuela deprisa. ")):
        with Archive(folder / str(number), software="t/0") as archive:
            body = f"<html lang=es><p>{text * 30}</p></html>".encode()
            archive.append(answer(body=body, url="http://a.es/", at=1e9 + number))
        project.import_file(files_of(folder / str(number))[0])
    return project.folder


def test_the_latest_run_is_beside_the_one_before(enter: Callable[..., Client], twice: Path) -> None:
    twin = enter(twice).json("/p/two/compare")
    assert {one["word"] for one in twin["found"]["new"]} == {"el", "dron", "vuela", "deprisa"}
    assert {one["word"] for one in twin["found"]["vanished"]} == {"la", "galera", "navega", "despacio"}
    assert twin["command"].startswith("trasmallo compare ")


def test_two_projects(enter: Callable[..., Client], twice: Path, played: Path) -> None:
    shown = enter(twice, played).page("/p/two/compare?other=demo&by=lemma&lang=es")
    assert "Desaparecidas" in shown
    assert "<td>vuelo</td>" in shown or "<td>volar</td>" in shown


def test_one_run_has_nothing_beside_it(enter: Callable[..., Client], played: Path) -> None:
    client = enter(played)
    assert client.json("/p/demo/compare")["found"] is None
    assert "There is nothing to compare with yet." in client.page("/p/demo/compare")


def test_what_is_not_there_is_told(enter: Callable[..., Client], twice: Path) -> None:
    client = enter(twice)
    assert client.get("/p/two/compare?run=nothing").status_code in (400, 404)
    assert client.get("/p/two/compare?other=nobody&other_run=x").status_code == 404
    assert client.get("/p/two/compare?by=vowel").status_code == 400
