"""Folders of files, read for import."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from support.warc_answers import answer
from trasmallo.pipeline.folders import read_folder
from trasmallo.store.archive import Archive
from trasmallo.values.model import Failure, Response


def test_files_of_all_kinds_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "mis textos"
    (folder / "b").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "x.txt").write_text("hidden")
    (folder / ".hidden").write_text("hidden")
    (folder / "a b.txt").write_text("Uno")
    (folder / "b" / "c.html").write_text("<html><p>Dos")
    (folder / "b" / "d.jsonl").write_text('{"url": "http://a.es/", "text": "Tres"}\n')
    (folder / "e.eml").write_text("From: a@b.es\nSubject: x\n\nCuatro\n")
    (folder / "f.mbox").write_text("no mailbox")
    (folder / "big.txt").write_text("x" * 200)
    (folder / "link.txt").symlink_to(folder / "a b.txt")
    found = list(read_folder(folder, limit=100))
    base = "http://folder.invalid/mis%20textos/"
    urls = ["a%20b.txt", "big.txt", "e.eml", "f.mbox", "b/c.html"]
    assert [one.url for one in found] == [*(base + name for name in urls), "http://a.es/"]  # type: ignore[union-attr]
    kinds = [one.header("Content-Type") for one in found if isinstance(one, Response)]
    assert kinds[:2] == ["text/plain", "message/rfc822"]
    assert kinds[3] == "text/html"
    assert [one.cause for one in found if isinstance(one, Failure)] == ["200 bytes are more than 100"]
    assert found == list(read_folder(folder, limit=100))


def test_a_folder_of_archives_is_read_as_archives(tmp_path: Path) -> None:
    with Archive(tmp_path / "exported", software="t/0") as out:
        out.append(answer(1))
    (found,) = read_folder(tmp_path / "exported")
    assert isinstance(found, Response)
    assert found.url == answer(1).url


def test_files_of_trec_are_known_by_their_content(tmp_path: Path) -> None:
    folder = tmp_path / "disk4"
    folder.mkdir()
    (folder / "ft911_1").write_bytes(b"<DOC>\n<DOCNO>FT911-1</DOCNO>\n<TEXT>\nUno\n</TEXT>\n</DOC>\n" * 2)
    (folder / "readme").write_text("<doc>is no document of TREC</doc>")
    packed = gzip.compress(b"\n<doc>\n<docno>AP-2</docno>\n<text>Dos</text>\n</doc>\n")
    (folder / "ap88.gz").write_bytes(packed)
    found = [one.url for one in read_folder(folder)]  # type: ignore[union-attr]
    trec = "http://trec.invalid/"
    assert found == [trec + "AP-2", trec + "FT911-1", trec + "FT911-1", "http://folder.invalid/disk4/readme"]


def test_what_a_file_brings_has_its_rights(tmp_path: Path) -> None:
    folder = tmp_path / "notas"
    folder.mkdir()
    for name, mode in (("a.txt", 0o600), ("b.jsonl", 0o640), ("big.txt", 0o604)):
        (folder / name).write_text('{"url": "http://a.es/", "text": "Tres"}\n' * (9 if name == "big.txt" else 1))
        (folder / name).chmod(mode)
    found = list(read_folder(folder, limit=100))
    modes = [one.access.mode for one in found if isinstance(one, Response | Failure) and one.access is not None]
    assert modes == [0o600, 0o640, 0o604]


def test_pages_of_the_web_are_public(tmp_path: Path) -> None:
    with Archive(tmp_path / "exported", software="t/0") as out:
        out.append(answer(1))
    (found,) = read_folder(tmp_path / "exported")
    assert isinstance(found, Response)
    assert found.access is None


@pytest.mark.skipif(sys.platform == "darwin", reason="names there are UTF-8")
def test_files_whose_names_are_no_text_are_told_apart(tmp_path: Path) -> None:
    for octet in (b"\xe1", b"\xe9"):  # as an old system with Latin-1 wrote them
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf" + octet + b".txt")).write_bytes(b"Uno dos " + octet)
    found = [one.url for one in read_folder(tmp_path) if isinstance(one, Response)]
    assert found == [f"http://folder.invalid/{tmp_path.name}/caf%{octet}.txt" for octet in ("E1", "E9")]
