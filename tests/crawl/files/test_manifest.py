from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.crawl.files.manifest import VERSION, Held, Manifest, RootManifest, compare
from trasmallo.crawl.files.walker import FileState, WalkedFile
from trasmallo.values.errors import StoreDamaged, StoreTooNew


def file(path: str, *, size: int = 1, modified: int = 1, changed: int = 1, inode: int = 1) -> WalkedFile:
    return WalkedFile(path, size, modified, changed, inode, FileState.DOCUMENT)


def known(*files: WalkedFile) -> dict[str, WalkedFile]:
    return {each.path: each for each in files}


def test_nothing_has_changed() -> None:
    assert not compare(known(file("/a")), [file("/a")])


def test_a_file_that_is_moved_in_with_an_old_date_is_new() -> None:
    assert compare(known(file("/a", modified=9)), [file("/a", modified=9), file("/b", modified=1, inode=2)]).new == [
        file("/b", modified=1, inode=2)
    ]


def test_an_older_date_is_a_change_and_so_is_another_file_of_that_name() -> None:
    assert compare(known(file("/a", modified=9)), [file("/a", modified=1)]).changed == [file("/a", modified=1)]
    assert compare(known(file("/a")), [file("/a", inode=2)]).changed == [file("/a", inode=2)]


def test_rights_alone() -> None:
    assert compare(known(file("/a")), [file("/a", changed=2)]).touched == [file("/a", changed=2)]


def test_moved_is_neither_new_nor_gone() -> None:
    changes = compare(known(file("/a"), file("/c", inode=3)), [file("/b", changed=2)])
    assert changes.moved == [(file("/a"), file("/b", changed=2))]
    assert (changes.new, changes.gone) == ([], [file("/c", inode=3)])


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path / "m")
    root = manifest.root("file:///srv")
    strange = "/srv/\udcff\n.txt"
    root.files |= known(file(strange), file("/srv/b", size=10**12, inode=2**63 + 1))
    root.hold(strange, (Held("file:///srv/x/;member=a", "sha1:A", 3, 4),))
    manifest.save()
    again = Manifest(tmp_path / "m").root("file:///srv")
    assert (again.files, again.held) == (root.files, root.held)


def test_a_damaged_one_is_never_believed(tmp_path: Path) -> None:
    manifest = Manifest(tmp_path / "m")
    assert not manifest.is_there
    manifest.root("file:///srv").files |= known(file("/srv/a"))
    manifest.save()
    whole = (tmp_path / "m").read_bytes()
    for place in range(len(whole)):
        for damaged in (whole[:place], whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]):
            (tmp_path / "m").write_bytes(damaged)
            with pytest.raises((StoreDamaged, StoreTooNew)):
                Manifest(tmp_path / "m")


def test_one_of_the_first_version_is_read_and_one_of_a_later_is_not(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(msgspec.msgpack.encode({"version": 1, "roots": {}}))
    assert Manifest(tmp_path / "m").roots == {}
    (tmp_path / "m").write_bytes(msgspec.msgpack.encode({"version": VERSION + 1, "roots": {}}))
    with pytest.raises(StoreTooNew, match="later version"):
        Manifest(tmp_path / "m")


def test_where_a_document_lies_that_is_in_several_files() -> None:
    root = RootManifest({}, {"/a": (Held("x", "1", 3, 4), Held("y", "2"))})
    assert root.hold("/b", (Held("x", "1", 7, 4),)) == ()
    assert root.place_of("x") == ("/a", Held("x", "1", 3, 4))
    assert [one.address for one in root.hold("/a", ())] == ["x", "y"]
    assert root.place_of("x") == ("/b", Held("x", "1", 7, 4))
    assert root.place_of("y") is None
    assert root.held_in("/a") == ()
    root.hold("/b", ())
    assert root.place_of("x") is None
