"""Lists of words are made, edited, loaded and used."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo import config
from trasmallo.project.project import Project
from web.conftest import Client


def test_a_list_is_made_edited_and_used(client: Client, cats: Project) -> None:
    assert "no lists of its own" in client.page("/p/cats/lists")
    assert (
        client.send("/p/cats/lists", name="mine", words="Gato\nperro\n")
        .headers["location"]
        .startswith("/p/cats/lists/mine.txt")
    )
    assert client.json("/p/cats/lists/mine.txt")["words"] == ["gato", "perro"]
    client.send("/p/cats/lists", name="mine.txt", words="gato\n", standard="es")
    assert len(client.json("/p/cats/lists/mine.txt")["words"]) > 100
    assert client.send("/p/cats/lists/use", stop="standard + mine.txt", only="").status_code == 303
    assert config.load(cats.folder / "trasmallo.toml").study.stop == "standard + mine.txt"
    assert client.json("/p/cats/lists")["lists"][0]["used"] == "stop"


def test_the_most_frequent_words_of_a_corpus(enter: Callable[..., Client], played: Path, home: Path) -> None:
    shutil.copytree(played, home / "demo")
    client = enter()
    assert client.send("/p/demo/lists", name="top", frequent="20").status_code == 303
    assert len(client.json("/p/demo/lists/top.txt")["words"]) == 20


def test_lists_are_shared_loaded_and_saved_for_all_projects(client: Client, cats: Project) -> None:
    client.send("/p/cats/lists", name="mine", words="gato\nlemma:maullar")
    shared = client.send("/p/cats/lists", name="mine.txt", words="gato\nlemma:maullar", shared="true")
    assert shared.headers["location"].startswith("/p/cats/lists/shared%3Amine")
    listed = client.json("/p/cats/lists")["lists"]
    assert [(card["name"], card["words"]) for card in listed] == [("mine.txt", 2), ("shared:mine", 2)]
    assert "/p/cats/lists/shared%3Amine" in client.page("/p/cats/lists")
    assert client.json("/p/cats/lists/shared%3Amine")["words"] == ["gato", "lemma:maullar"]
    client.send("/p/cats/lists", name="more", words="perro", load="shared:mine")
    assert client.json("/p/cats/lists/more.txt")["words"] == ["gato", "perro", "lemma:maullar"]
    assert client.send("/p/cats/lists/use", stop="shared:mine", only="").status_code == 303
    assert client.json("/p/cats/lists")["lists"][-1]["used"] == "stop"
    assert client.send("/p/cats/lists", name="shared:../x", words="a").status_code == 400


@pytest.mark.parametrize("name", ["../x.txt", "a/b.txt", ".hidden.txt", "x" * 100, "trasmallo.toml/x"])
def test_a_list_stays_beside_the_project_file(client: Client, cats: Project, name: str) -> None:
    assert client.send("/p/cats/lists", name=name, words="a").status_code == 400
    assert {path.name for path in cats.folder.iterdir()} == {"trasmallo.toml"}


def test_what_does_not_fit_is_refused(client: Client, cats: Project) -> None:
    assert client.get("/p/cats/lists/none.txt").status_code == 404
    assert client.send("/p/cats/lists", name="a", standard="xx").status_code == 400
    assert client.send("/p/cats/lists", name="a", frequent="-1").status_code == 400
    assert client.send("/p/cats/lists", name="a", frequent="5").status_code == 400, "there are no results yet"
    assert client.send("/p/cats/lists/use", stop="missing.txt").status_code == 400
