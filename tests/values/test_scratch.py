"""Places outside of projects."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trasmallo.values.scratch import cache_folder, follow, mirrored, new_scratch

SHOW = "from trasmallo.values.scratch import new_scratch; place = new_scratch(); place.mkdir(); print(place)"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "trasmallo"


def run(ending: str = "") -> Path:
    """The scratch of a process that has ended."""
    done = subprocess.run([sys.executable, "-c", f"{SHOW}; {ending}"], stdout=subprocess.PIPE, check=False, text=True)
    return Path(done.stdout.strip())


def test_the_cache_is_where_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == tmp_path / "cache" / "trasmallo"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "trasmallo"


def test_nobody_else_has_the_same_place(cache: Path) -> None:
    one, other = new_scratch(), new_scratch()
    assert one != other
    assert one.parent == other.parent
    assert one.is_relative_to(cache / "scratch")
    assert not one.exists()


def test_scratch_goes_with_its_process(cache: Path) -> None:
    assert not run().parent.exists()
    left = run("import os; print(flush=True); os.kill(os.getpid(), 9)")
    assert left.parent.exists(), "a killed process cannot clean up"
    ours = new_scratch().parent
    run()
    assert not left.parent.exists(), "the next one does"
    assert ours.exists(), "what somebody uses stays"


def test_a_home_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    place = new_scratch()
    place.mkdir()
    assert place.parent.name.startswith("trasmallo-")


def test_a_mirror_follows_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    for name in ("one", "two", "x.lock"):
        (folder / name).write_text(name)
    with mirrored(folder, without=(".lock",)) as mirror:
        assert sorted(path.name for path in mirror.iterdir()) == ["one", "two"]
        (folder / "one").unlink()
        (folder / "three").write_text("three")
        (mirror / "own").write_text("own")
        follow(folder, mirror, (".lock",))
        assert {path.name: path.read_text() for path in mirror.iterdir()} == {"two": "two", "three": "three", "own": "own"}
    assert not mirror.exists()
    assert sorted(path.name for path in folder.iterdir()) == ["inner", "three", "two", "x.lock"]
