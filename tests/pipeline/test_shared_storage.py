"""The shared folder: refused where it cannot be written, cut where a worker died."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.pipeline.shared_storage import SharedFolder, open_storage
from trasmallo.values.errors import ConfigError, StoreFull


@pytest.mark.parametrize("storage", ["", "relative/folder", "ftp://host/x"])
def test_a_place_that_machines_cannot_share_is_refused(storage: str) -> None:
    with pytest.raises(ConfigError, match="such as /mnt/corpus"):
        open_storage(storage)


def test_storage_that_refuses_a_write_is_told_with_the_repair(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreFull, match="refuses to be written.*mounted"):
        open_storage(str(tmp_path / "file"))
    assert open_storage(str(tmp_path / "made" / "here")).place(tmp_path).is_dir()


def test_what_no_commit_counts_is_cut(tmp_path: Path) -> None:
    folder = SharedFolder(tmp_path)
    tmp_path = folder.place(tmp_path)
    tmp_path.mkdir()
    names = [f"trasmallo-a1-20260101000000-0000{number}.warc.gz" for number in range(3)]
    for name in (*names, "trasmallo-b2-20260101000000-00000.warc.gz"):
        (tmp_path / name).write_bytes(b"x" * 100)
    folder.cut(0xA1, names[1], 40)
    assert [(tmp_path / name).stat().st_size for name in names[:2]] == [100, 40]
    assert not (tmp_path / names[2]).exists()
    assert (tmp_path / "trasmallo-b2-20260101000000-00000.warc.gz").stat().st_size == 100
    folder.cut(0xB2, "", 0)
    assert not (tmp_path / "trasmallo-b2-20260101000000-00000.warc.gz").exists()


def test_a_file_is_seen_in_the_archive_as_it_grows(tmp_path: Path) -> None:
    folder, archive = SharedFolder(tmp_path / "shared"), tmp_path / "archive"
    folder.check()
    shared = folder.place(tmp_path)
    archive.mkdir()
    (shared / "f").write_bytes(b"a")
    folder.show(archive, "f", 1)
    folder.show(archive, "f", 1)
    with (shared / "f").open("ab") as file:
        file.write(b"b")
    assert (archive / "f").read_bytes() == b"ab"
