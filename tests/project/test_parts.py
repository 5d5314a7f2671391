"""Parts are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.errors import StoreFull
from trasmallo.project.parts import document_id, documents_done, finished_parts, remove_drafts, write_part
from trasmallo.project.rows import PageRow


def row(url: str) -> PageRow:
    return PageRow(document_id(url), url, "a.es", 0.0, "título", "es", "utf-8", "text/html", 1, "sha1:X")


def test_a_part_is_whole(tmp_path: Path) -> None:
    write_part(tmp_path, "1", {"pages": [row("http://a.es/"), row("http://a.es/b")], "texts": []})
    write_part(tmp_path, "2", {"pages": [row("http://a.es/c")]})
    assert [part.name for part in finished_parts(tmp_path)] == ["1", "2"]
    assert list(documents_done(tmp_path)) == [document_id(url) for url in ("http://a.es/", "http://a.es/b", "http://a.es/c")]


def test_drafts_do_not_count_and_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / "1.draft").mkdir()
    (tmp_path / "1.draft" / "pages.jsonl").write_text("{")
    assert finished_parts(tmp_path) == []
    assert list(documents_done(tmp_path)) == []
    remove_drafts(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_crash_before_the_rename_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "1.draft").mkdir()
    (tmp_path / "1.draft" / "old.jsonl").write_text("x")
    write_part(tmp_path, "1", {"pages": [row("http://a.es/")]})
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == ["pages.jsonl"]


def test_no_folder_is_no_parts(tmp_path: Path) -> None:
    assert finished_parts(tmp_path / "none") == []


def test_what_the_disk_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises((StoreFull, NotADirectoryError)):
        write_part(tmp_path / "file", "1", {})


def test_ids_never_change() -> None:
    assert document_id("http://a.es/") == "36e13c66e512b0e6"
