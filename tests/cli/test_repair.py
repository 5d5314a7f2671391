"""`check` and `repair` on the command line."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_check_tells_and_repair_repairs(finished: Project, tmp_path: Path, trasmallo: Command) -> None:
    shutil.copytree(finished.folder, tmp_path / "copy")
    sound = trasmallo("check", tmp_path / "copy")
    assert (sound.code, sound.out) == (0, "Everything is as it was written.\n")
    (path,) = (tmp_path / "copy").glob("runs/*/frontier/state")
    path.write_bytes(b"")
    told = trasmallo("check", tmp_path / "copy", "--json")
    assert told.code == 1
    (finding,) = map(msgspec.json.decode, told.out.splitlines())
    assert (finding["kind"], finding["repair"]) == ("frontier", "rebuild it from the archive with: trasmallo repair DIR")
    assert "frontier" in trasmallo("check", tmp_path / "copy").out
    done = trasmallo("repair", tmp_path / "copy", "--json")
    assert done.code == 0
    assert [msgspec.json.decode(line)["kind"] for line in done.out.splitlines()] == ["frontier"]
    assert trasmallo("repair", tmp_path / "copy").out == "Everything is as it was written: nothing was changed.\n"
