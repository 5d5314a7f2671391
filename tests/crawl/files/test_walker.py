from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from trasmallo.crawl.files.walker import CAUSES, FileRules, FileState, WalkedFile, Walker, keep_every


def walk(root: Path, rules: FileRules | None = None, refuses: object = None) -> dict[str, FileState]:
    found = Walker(rules or FileRules(), refuses).walk(str(root))  # type: ignore[arg-type]
    return {os.path.relpath(file.path, root): file.state for file in found}


def test_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/b/c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert list(walk(tmp_path)) == ["b.txt", "a/z.txt", "a/b/c.txt"]


def test_what_the_system_tells_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("hola")
    told = path.stat()
    [found] = Walker(FileRules()).walk(str(tmp_path))
    assert found == WalkedFile(str(path), 4, told.st_mtime_ns, told.st_ctime_ns, told.st_ino, FileState.DOCUMENT)
    assert list(Walker(FileRules()).walk(str(path))) == [found]


def test_nothing_is_passed_over_in_silence(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / ".git").mkdir()
    (tmp_path / "large").write_bytes(b"x" * 11)
    (tmp_path / "link").symlink_to(tmp_path / "large")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        found = walk(tmp_path, FileRules(largest=10))
    assert found == {
        ".git": FileState.HIDDEN,
        ".hidden": FileState.HIDDEN,
        "door": FileState.SPECIAL,
        "large": FileState.TOO_LARGE,
        "link": FileState.LINK,
        "pipe": FileState.SPECIAL,
    }
    assert all(CAUSES[state][1] for state in found.values())


def test_a_sparse_file_of_many_gigabytes_is_not_opened(tmp_path: Path) -> None:
    with (tmp_path / "disk.img").open("wb") as file:
        file.truncate(10_000_000_000)
    assert walk(tmp_path) == {"disk.img": FileState.TOO_LARGE}


def test_links_are_followed_once_if_that_is_wished(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_text("x")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "c.txt").symlink_to(tmp_path / "a" / "x.txt")
    (tmp_path / "d").symlink_to(tmp_path / "nowhere")
    assert walk(tmp_path, FileRules(linked=True)) == {
        "a/up": FileState.LOOP,
        "a/x.txt": FileState.DOCUMENT,
        "b": FileState.LOOP,
        "c.txt": FileState.DOCUMENT,
        "d": FileState.BROKEN_LINK,
    }


def test_hidden_files_depth_exclusions_and_the_own_folder(tmp_path: Path) -> None:
    for name in (".h/x", "a/b/c", "own/x", "tmp/x", "y"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    rules = FileRules(hidden=True, depth=1, own=(str(tmp_path / "own"),))
    assert walk(tmp_path, rules, lambda path: "tmp/" if path.endswith("tmp/") else "") == {
        ".h/x": FileState.DOCUMENT,
        "a/b": FileState.DEEP,
        "own": FileState.OWN,
        "tmp": FileState.EXCLUDED,
        "y": FileState.DOCUMENT,
    }


def test_another_disk_is_entered_if_that_is_wished(tmp_path: Path) -> None:
    if Path("/dev/shm").stat().st_dev == Path("/dev").stat().st_dev:
        pytest.skip("there is no other disk below /dev")
    assert FileState.OTHER_DISK in {file.state for file in Walker(FileRules()).walk("/dev")}


def test_a_folder_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (tmp_path / "closed").mkdir(mode=0o000)
    assert walk(tmp_path) == {"closed": FileState.UNREADABLE}


def test_a_root_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        list(Walker(FileRules()).walk(str(tmp_path / "gone")))


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.txt"
    Path(os.fsdecode(path)).write_text("x")
    [found] = Walker(FileRules()).walk(str(tmp_path))
    assert os.fsencode(found.path) == path


def test_one_path_below_a_root(tmp_path: Path) -> None:
    for name in ("a/b/c.txt", "a/d.txt", ".h/x.txt", "e.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")

    def below(name: str) -> list[str]:
        found = Walker(FileRules(), keep_every).below(str(tmp_path), str(tmp_path / name))
        return [os.path.relpath(file.path, tmp_path) for file in found]

    assert below("a") == ["a/d.txt", "a/b/c.txt"]
    assert below("e.txt") == ["e.txt"]
    assert below(".h/x.txt") == below("gone") == []
