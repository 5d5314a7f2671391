"""The projects a person works with."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from trasmallo import config
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace, data_folder, folder_name
from trasmallo.values.errors import ConfigError, NotFound, TrasmalloError, UsageError


def make(folder: Path) -> Path:
    return Project.new(folder, ["https://a.example/"]).folder


def test_projects_are_given_found_in_a_folder_and_remembered(tmp_path: Path) -> None:
    memory = tmp_path / "data" / "projects.json"
    one, two = make(tmp_path / "a" / "one"), make(tmp_path / "b" / "two")
    assert Workspace([one, tmp_path / "b"], memory).names() == ["one", "two"]
    assert Workspace([tmp_path], memory).folder("two") == two.resolve()
    (one / "trasmallo.toml").unlink()
    assert Workspace([tmp_path], memory).names() == ["two"]


def test_two_of_one_name_are_told_apart_and_keep_their_names(tmp_path: Path) -> None:
    memory = tmp_path / "projects.json"
    first, second = make(tmp_path / "a" / "cats"), make(tmp_path / "b" / "cats")
    names = {Workspace([first, second], memory).open(folder) for folder in (first, second)}
    assert len(names) == 2
    assert {Workspace([second], memory).folder(name) for name in names} == {first, second}


def test_a_broken_memory_costs_nothing(tmp_path: Path) -> None:
    memory = tmp_path / "projects.json"
    memory.write_text("[")
    assert Workspace([make(tmp_path / "one")], memory).names() == ["one"]


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    workspace = Workspace([tmp_path])
    with pytest.raises(NotFound):
        workspace.folder("nobody")
    with pytest.raises(NotFound):
        workspace.open(tmp_path)
    with pytest.raises(NotFound):
        workspace.restore("nothing")


def test_a_copy_is_a_project_of_its_own(tmp_path: Path) -> None:
    make(tmp_path / "cats")
    workspace = Workspace([tmp_path])
    copy = workspace.duplicate("cats", "Los gatos")
    assert config.load(workspace.folder(copy) / "trasmallo.toml").name == "Los gatos"
    assert "# Nombre del proyecto" in (workspace.folder(copy) / "trasmallo.toml").read_text()
    with pytest.raises(ConfigError):
        workspace.duplicate("cats", "cats")


def test_the_trash_gives_back_what_it_took(tmp_path: Path) -> None:
    folder = make(tmp_path / "cats")
    workspace = Workspace([tmp_path])
    trashed = workspace.move_to_trash("cats")
    assert workspace.names() == []
    make(folder)
    with pytest.raises(UsageError, match="is taken"):
        workspace.restore(trashed.key)
    workspace.move_to_trash("cats")
    assert len(workspace.trash()) == 2
    assert workspace.restore(trashed.key) == "cats"
    workspace.erase(workspace.trash()[0].key)
    assert workspace.trash() == []


def test_threads_take_in_delete_bring_back_and_erase_at_once(tmp_path: Path) -> None:
    """Whoever comes second is told so in one line."""
    space = Workspace([tmp_path], tmp_path / "memory.json")
    with ThreadPoolExecutor(6) as threads:
        for done in [threads.submit(_work_on, space, number) for number in range(6)]:
            done.result()
    assert set(Workspace([], tmp_path / "memory.json").names()) == set(space.names())


def _work_on(space: Workspace, number: int) -> None:
    chance = random.Random(number)

    def trashed() -> str:
        return next((found.key for found in space.trash()), "")

    for turn in range(25):
        name = f"p{chance.randrange(3)}"
        work: Callable[[], object] = chance.choice(
            [
                lambda name=name: space.new(name, ["https://a.es/"], "es"),
                lambda name=name: space.move_to_trash(name),
                lambda: space.restore(trashed()),
                lambda: space.erase(trashed()),
                lambda turn=turn: space.open(make(space.home / f"q{number}-{turn}")),
                space.names,
            ]
        )
        with suppress(TrasmalloError):
            work()


@pytest.mark.parametrize(("name", "plain"), [("Años 20", "Anos-20"), ("a/../b", "a-..-b"), ("x" * 99, "x" * 64), (".a.", "a")])
def test_names_become_folders(name: str, plain: str) -> None:
    assert folder_name(name) == plain


@pytest.mark.parametrize("name", ["", "..", "/", "中文", " "])
def test_a_name_without_letters_is_none(name: str) -> None:
    with pytest.raises(ConfigError):
        folder_name(name)


def test_lists_are_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "trasmallo"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert data_folder() == Path.home() / ".local" / "share" / "trasmallo"
