from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from support.dovecot import letter
from trasmallo.clean.formats.mail_parts import MORE_PARTS, MOST_PARTS
from trasmallo.crawl.files.manifest import Held
from trasmallo.crawl.files.walker import FileRules, WalkedFile, Walker
from trasmallo.pipeline.local_documents import (
    FoundDocument,
    LocalDocuments,
    UnstableFile,
    addresses_of,
    held_of,
    is_own,
    read_stable,
)
from trasmallo.values.local_addresses import canonical_seed, file_address, place_of
from trasmallo.values.model import Fetch, Outcome, Reached


def walked(path: Path) -> WalkedFile:
    return next(iter(Walker(FileRules(hidden=True)).walk(str(path))))


def documents(seed: str, path: Path, largest: int = 1_000_000) -> Iterator[FoundDocument | Fetch]:
    return LocalDocuments(canonical_seed(seed), largest, 1.0).of(walked(path))


def test_a_file_is_a_document(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html><p>Hola</p></html>")
    [found] = documents(str(tmp_path), path)
    assert isinstance(found, FoundDocument)
    assert (found.row.url, found.row.media) == (file_address(str(path)), "text/html")
    assert (found.row.origin.seed, found.row.origin.reached, found.row.origin.depth) == (
        file_address(str(tmp_path)),
        Reached.FOLDER,
        0,
    )


def test_the_files_of_an_archive_are_documents_with_a_parent(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("x/b.txt", "dos")
        packed.writestr("large.txt", "x" * 2_000)
    found = list(documents(str(tmp_path), path, 1_000))
    inside = [one.row for one in found if isinstance(one, FoundDocument)]
    assert [place_of(row.url).member for row in inside] == ["x/b.txt"]
    assert inside[0].origin.via == file_address(str(path))
    assert [row.outcome for row in found if isinstance(row, Fetch)] == [Outcome.BROKEN]


def test_the_letters_of_a_mailbox_and_what_is_attached(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Message-ID"] = "<7@x>"
    message.set_content("Hola")
    message.add_attachment(b"uno", maintype="application", subtype="octet-stream", filename="a.txt")
    path = tmp_path / "box"
    line = b"From ana Mon Jan  1 10:00:00 2024\n"
    path.write_bytes(line + letter(1, "uno") + b"\n" + line + message.as_bytes() + b"\n")
    found = [one.row for one in documents(f"mbox:{path}", path) if isinstance(one, FoundDocument)]
    names = [(place_of(row.url).message, place_of(row.url).part) for row in found]
    assert names == [("1@example.org", ""), ("7@x", ""), ("7@x", "3")]
    assert found[2].origin.via == found[1].url
    assert all(row.access is not None and row.access.mailbox for row in found)


def test_parts_that_are_not_looked_at_are_told(tmp_path: Path) -> None:
    part = b"--x\nContent-Type: text/csv\n\nuno\n"
    path = tmp_path / "1.eml"
    path.write_bytes(b"Message-ID: <7@x>\nContent-Type: multipart/mixed; boundary=x\n\n" + part * MOST_PARTS + b"--x--\n")
    (tmp_path / "cur").mkdir()
    path = path.rename(tmp_path / "cur" / "1.x:2,S")
    *found, told = documents(f"maildir:{tmp_path}", path)
    assert len(found) == MOST_PARTS
    assert isinstance(told, Fetch)
    assert told.cause == MORE_PARTS


def test_a_letter_has_one_address_in_every_folder(tmp_path: Path) -> None:
    for folder in ("cur", ".Sent/cur"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "1.x:2,S").write_bytes(letter(1, "uno"))
    one, two = (next(iter(documents(f"maildir:{tmp_path}", tmp_path / folder / "1.x:2,S"))) for folder in ("cur", ".Sent/cur"))
    assert isinstance(one, FoundDocument)
    assert isinstance(two, FoundDocument)
    assert one.row.url == two.row.url
    assert one.row.location != two.row.location


def test_what_is_no_mailbox_and_a_letter_that_is_too_large_are_told(tmp_path: Path) -> None:
    path = tmp_path / "box"
    path.write_bytes(b"\0 nothing of the kind")
    [told] = documents(f"mbox:{path}", path)
    assert isinstance(told, Fetch)
    assert "no mailbox" in told.cause
    path.write_bytes(b"From ana Mon Jan  1 10:00:00 2024\n" + letter(1, "x" * 5_000))
    [large] = documents(f"mbox:{path}", path, 1_000)
    assert isinstance(large, Fetch)
    assert large.outcome is Outcome.TOO_LARGE


def test_a_file_that_is_being_written_is_left_for_later(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("uno")
    seen = walked(path)
    path.write_text("uno y más")
    with pytest.raises(UnstableFile):
        read_stable(seen)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UnstableFile):
        read_stable(seen)


def test_addresses_of_what_is_held() -> None:
    held = (Held("a", "d"), Held("b", "d"))
    assert addresses_of("/x", held) == ["a", "b"]
    assert addresses_of("/x", ()) == ["file:///x"]


def test_what_is_inside_a_file_and_the_file_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_bytes(b"From ana Mon Jan  1 10:00:00 2024\nMessage-ID: <1@x>\n\nuno\n")
    file = walked(path)
    [found] = LocalDocuments(canonical_seed(str(tmp_path)), 1_000_000, 1.0).of(file)
    assert isinstance(found, FoundDocument)
    assert not is_own(found.row, file)
    assert held_of(found.row) == Held(found.row.url, found.row.digest, 34, 23)


def test_what_was_written_this_moment_is_waited_for(tmp_path: Path) -> None:
    """Two contents of one size within a tick of the kernel's clock have the same times."""
    path = tmp_path / "a.txt"
    for number in range(50):
        path.write_text(f"{number:02d}")
        file = walked(path)
        assert read_stable(file) == f"{number:02d}".encode()
        path.write_text(f"{number + 50:02d}")
        assert walked(path) != file
