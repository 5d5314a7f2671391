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
    assert ">vuelo</a>" in shown or ">volar</a>" in shown or ">vuelo</td>" in shown or ">volar</td>" in shown


def test_one_run_stands_beside_its_language_in_general(enter: Callable[..., Client], played: Path) -> None:
    client = enter(played)
    twin = client.json("/p/demo/compare")
    assert twin["found"]["other_run"] == "general:es"
    assert "valdemarea" in {one["word"] for one in twin["found"]["more"]}
    shown = client.page("/p/demo/compare?measure=least_ratio&lang=es")
    assert "español en general" in shown
    assert 'aria-sort="descending"' in shown
    assert client.json("/p/demo/compare?by=lemma")["found"] is None
    assert "There is nothing to compare with yet." in client.page("/p/demo/compare?by=lemma&lang=en")


def test_two_scopes_of_one_run(enter: Callable[..., Client], played: Path) -> None:
    client = enter(played)
    twin = client.json("/p/demo::site=127.0.0.1/compare?other_scope=site%3D127.0.0.2")
    found = twin["found"]
    assert (found["scope"], found["other_scope"]) == ("site=127.0.0.1", "site=127.0.0.2")
    assert found["size"] + found["other_size"] < client.json("/p/demo/compare")["found"]["size"]
    assert "--with-scope site=127.0.0.2" in twin["command"]
    assert "--scope site=127.0.0.1" in twin["command"]
    shown = client.page("/p/demo::site=127.0.0.1/compare?other_scope=site%3D127.0.0.2&lang=en")
    assert "/p/demo%3A%3Asite%3D127.0.0.2/concordance?query=" in shown, "a number there leads to the lines there"
    wrong = client.page("/p/demo/compare?other_scope=words%3Ex&lang=en")
    assert 'role="alert"' in wrong


def test_all_of_a_side_as_a_file(enter: Callable[..., Client], played: Path) -> None:
    client = enter(played)
    told = client.get("/p/demo/compare/export?side=more&number=1000&kind=tsv").text.splitlines()
    assert told[0].startswith("# trasmallo compare ")
    assert told[1].split("\t")[:4] == ["word", "count", "per_million", "reference"]
    assert len(told) - 2 == len(client.json("/p/demo/compare?number=1000")["found"]["more"])
    assert client.get("/p/demo/compare/export?by=lemma").status_code == 400


def test_what_is_not_there_is_told(enter: Callable[..., Client], twice: Path) -> None:
    client = enter(twice)
    assert client.get("/p/two/compare?run=nothing").status_code in (400, 404)
    assert client.get("/p/two/compare?other=nobody&other_run=x").status_code == 404
    assert client.get("/p/two/compare?by=vowel").status_code == 400
