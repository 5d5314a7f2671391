"""Commands for whole projects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done
from trasmallo import config
from trasmallo.project.project import Project
from trasmallo.project.workspace import TRASH

Command = Callable[..., Done]


def test_a_copy_has_the_settings_and_lists(trasmallo: Command, tmp_path: Path) -> None:
    Project.new(tmp_path / "cats", ["https://cats.example/"])
    (tmp_path / "cats" / "own.txt").write_text("gato\n")
    assert "Next: trasmallo run" in trasmallo("duplicate", tmp_path / "cats", tmp_path / "Los gatos").out
    assert config.load(tmp_path / "Los-gatos" / config.FILE_NAME).name == "Los gatos"
    assert (tmp_path / "Los-gatos" / "own.txt").read_text() == "gato\n"
    made = trasmallo("duplicate", tmp_path / "cats", tmp_path / "third", "--json").value()
    assert made == {"folder": str(tmp_path / "third")}
    done = trasmallo("duplicate", tmp_path / "cats", tmp_path / "third")
    assert (done.code, "choose another name" in done.refusal()) == (2, True)
    assert trasmallo("duplicate", tmp_path / "dogs", tmp_path / "fourth").code == 2


def test_what_is_deleted_comes_back(trasmallo: Command, tmp_path: Path) -> None:
    folder = Project.new(tmp_path / "cats", ["https://cats.example/"]).folder
    assert trasmallo("delete", folder).out.endswith(f"Bring it back with: trasmallo restore {folder}\n")
    assert not folder.exists()
    assert trasmallo("restore", folder).out == f"{folder} is back.\n"
    assert config.load(folder / config.FILE_NAME).crawl.seeds == ("https://cats.example/",)
    assert "is not in the trash: look into" in trasmallo("restore", folder).refusal()


def test_the_last_of_several_comes_back_first(trasmallo: Command, tmp_path: Path) -> None:
    for seed in ("https://one.example/", "https://two.example/"):
        Project.new(tmp_path / "cats", [seed])
        thrown = trasmallo("delete", tmp_path / "cats", "--json").value()
        assert (tmp_path / TRASH / thrown["key"]).is_dir()
    assert trasmallo("restore", tmp_path / "cats", "--json").value() == {"folder": str(tmp_path / "cats")}
    assert config.load(tmp_path / "cats" / config.FILE_NAME).crawl.seeds == ("https://two.example/",)
    done = trasmallo("restore", tmp_path / "cats")
    assert (done.code, "is taken" in done.refusal()) == (2, True)
