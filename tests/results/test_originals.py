from __future__ import annotations

import os
import time
import zipfile
from pathlib import Path

import pytest

from support.dovecot import letter
from support.local_projects import LocalProject
from trasmallo.results.originals import ORIGINAL, OWNER, is_original, original_record, owner, read_record
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.trec import SOURCE_DATE
from trasmallo.values.errors import DocumentError
from trasmallo.values.model import Fetch, Locator


def rows(project: LocalProject) -> list[Fetch]:
    return [row for row in project.state().values() if row.outcome.obtained]


def test_a_file_is_read_where_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "ñ \udcff.txt"
    path.parent.mkdir()
    path.write_text("El puerto")
    os.utime(path, (0, time.mktime((2020, 6, 15, 12, 0, 0, 0, 0, 0))))
    project = LocalProject(tmp_path / "p", str(path.parent))
    project.take()
    [row] = rows(project)
    assert is_original(row.locator)
    with ArchiveReader(tmp_path / "p" / "store" / "archive") as archive:
        record = read_record(archive, row)
    assert (record.content(), record.digest, record.url) == (b"El puerto", row.digest, row.url)
    assert record.header(SOURCE_DATE) == "2020-06-15"
    assert record.header(OWNER) == owner(os.getuid())


def test_what_changed_or_is_gone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "a.txt"
    path.parent.mkdir()
    path.write_text("uno")
    project = LocalProject(tmp_path / "p", str(path.parent))
    project.take()
    [row] = rows(project)
    path.write_text("dos")
    with pytest.raises(DocumentError, match="has changed since"):
        original_record(row)
    path.unlink()
    with pytest.raises(DocumentError, match="No such file"):
        original_record(row)
    os.mkfifo(path)
    with pytest.raises(DocumentError, match="no file that can be read"):
        original_record(row)


def test_members_letters_and_attachments(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    with zipfile.ZipFile(docs / "a.zip", "w") as packed:
        packed.writestr("x;y/ñ.txt", "dentro")
    line = b"From ana Mon Jan  1 10:00:00 2024\n"
    (docs / "box.mbox").write_bytes(line + letter(1, "From mañana") + b"\n" + line + letter(2, "dos"))
    project = LocalProject(tmp_path / "p", str(docs))
    project.take()
    found = {row.url.rpartition("=")[2]: original_record(row).content() or b"" for row in rows(project)}
    assert found["x%3By/%C3%B1.txt"] == b"dentro"
    assert found["1@example.org"].endswith("From mañana\n".encode())
    assert b"dos" in found["2@example.org"]


def test_a_letter_that_was_marked_as_read_by_its_program_is_still_found(tmp_path: Path) -> None:
    box = tmp_path / "Maildir"
    for folder in ("cur", "new", "tmp"):
        (box / folder).mkdir(parents=True)
    (box / "new" / "17.a[1].host").write_bytes(letter(1, "hola"))
    project = LocalProject(tmp_path / "p", f"maildir:{box}")
    project.take()
    [row] = rows(project)
    (box / "new" / "17.a[1].host").rename(box / "cur" / "17.a[1].host:2,S")
    assert b"hola" in (original_record(row).content() or b"")


def test_owners_without_a_name_are_numbers() -> None:
    assert owner(4_123_456) == "4123456"
    assert not is_original(None)
    assert is_original(Locator(ORIGINAL, 0, 0))
