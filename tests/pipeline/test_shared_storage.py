"""The shared folder: refused where it cannot be written, cut where a worker died."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.pipeline.shared_storage import archive_folder, check_storage, cut, show_file
from trasmallo.values.errors import ConfigError, StoreFull


@pytest.mark.parametrize("storage", ["", "relative/folder", "ftp://host/x", "s3://bucket/corpus"])
def test_a_place_that_machines_cannot_share_is_refused(storage: str) -> None:
    with pytest.raises(ConfigError, match="such as /mnt/corpus"):
        check_storage(storage)


def test_storage_that_refuses_a_write_is_told_with_the_repair(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreFull, match="refuses to be written.*mounted"):
        archive_folder(str(tmp_path / "file"))
    assert archive_folder(str(tmp_path / "made" / "here")).is_dir()


def test_what_no_commit_counts_is_cut(tmp_path: Path) -> None:
    names = [f"trasmallo-a1-20260101000000-0000{number}.warc.gz" for number in range(3)]
    for name in (*names, "trasmallo-b2-20260101000000-00000.warc.gz"):
        (tmp_path / name).write_bytes(b"x" * 100)
    cut(tmp_path, 0xA1, names[1], 40)
    assert [(tmp_path / name).stat().st_size for name in names[:2]] == [100, 40]
    assert not (tmp_path / names[2]).exists()
    assert (tmp_path / "trasmallo-b2-20260101000000-00000.warc.gz").stat().st_size == 100
    cut(tmp_path, 0xB2, "", 0)
    assert not (tmp_path / "trasmallo-b2-20260101000000-00000.warc.gz").exists()


def test_a_file_is_seen_in_the_archive_as_it_grows(tmp_path: Path) -> None:
    shared, archive = tmp_path / "shared", tmp_path / "archive"
    shared.mkdir()
    archive.mkdir()
    (shared / "f").write_bytes(b"a")
    show_file(shared, archive, "f")
    show_file(shared, archive, "f")
    with (shared / "f").open("ab") as file:
        file.write(b"b")
    assert (archive / "f").read_bytes() == b"ab"
