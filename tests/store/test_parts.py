"""Parts are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import token_documents as tokens
from trasmallo.results.rows import PageRow
from trasmallo.store import parts
from trasmallo.store.parts import (
    TOKENS,
    document_id,
    documents_done,
    finished_parts,
    merge_parts,
    merged_from,
    next_serial,
    provisional_name,
    remove_drafts,
    token_files,
    write_part,
)
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.values.errors import StoreDamaged, StoreFull


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
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == ["digests.json", "pages.jsonl"]


def test_no_folder_is_no_parts(tmp_path: Path) -> None:
    assert finished_parts(tmp_path / "none") == []


def test_what_the_disk_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises((StoreFull, NotADirectoryError)):
        write_part(tmp_path / "file", "1", {})


def test_ids_never_change() -> None:
    assert document_id("http://a.es/") == "36e13c66e512b0e6"


def test_small_parts_are_merged_and_no_row_is_lost(tmp_path: Path) -> None:
    urls = [f"http://a.es/{number}" for number in range(40)]
    for number, url in enumerate(urls, 1):
        write_part(tmp_path, f"{number:08d}-7", {"pages": [row(url)], "texts": []})
        merge_parts(tmp_path, most=8, kept_seconds=0)
        assert len(finished_parts(tmp_path)) <= 8
    assert sorted(documents_done(tmp_path)) == sorted(map(document_id, urls))
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in finished_parts(tmp_path)}
    assert not list(tmp_path.glob("*/replaces"))


def test_parts_that_were_merged_stay_for_who_has_listed_them(tmp_path: Path) -> None:
    urls = [f"http://a.es/{number}" for number in range(40)]
    listed = []
    for number, url in enumerate(urls, 1):
        write_part(tmp_path, f"{number:08d}-7", {"pages": [row(url)], "texts": []})
        merge_parts(tmp_path, most=4)
        listed.append(finished_parts(tmp_path))
    assert all((part / "pages.jsonl").exists() for parts in listed for part in parts)
    assert sorted(documents_done(tmp_path)) == sorted(map(document_id, urls)), "each counts once"
    assert next_serial(tmp_path) == 41
    latest = finished_parts(tmp_path)
    merged = [part for part in latest if merged_from(part)]
    remove_drafts(tmp_path, kept_seconds=0)
    assert sorted(tmp_path.iterdir()) == latest == finished_parts(tmp_path)
    assert all(merged_from(part) for part in merged)
    assert sorted(documents_done(tmp_path)) == sorted(map(document_id, urls))


def builder_of(url: str) -> Builder:
    builder = Builder()
    builder.add(tokens.document(document_id(url), "es", [("red", "red", "NOUN", "", 0, 0, 0), (url, url, "X", "", 0, 9, 0)]))
    return builder


def test_tokens_are_merged_with_their_parts(tmp_path: Path) -> None:
    urls = [f"http://a.es/{number}" for number in range(20)]
    for number, url in enumerate(urls, 1):
        write_part(tmp_path, f"{number:08d}-7", {"pages": [row(url)]}, builder_of(url) if number % 3 else Builder())
        merge_parts(tmp_path, most=4)
    found = token_files(finished_parts(tmp_path))
    corpora = [Corpus.open(path) for path in found]
    documents = [corpus.documents.id(index) for corpus in corpora for index in range(len(corpus.documents))]
    assert 1 <= len(found) <= 4
    assert sorted(documents) == sorted(document_id(url) for number, url in enumerate(urls, 1) if number % 3)


def test_damaged_tokens_are_not_merged_away(tmp_path: Path) -> None:
    for number in range(3):
        write_part(tmp_path, f"{number:08d}-7", {"pages": [row(f"http://a.es/{number}")]}, builder_of(f"http://a.es/{number}"))
    (tmp_path / "00000001-7" / TOKENS).write_bytes(b"")
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        merge_parts(tmp_path, most=2)
    assert len(finished_parts(tmp_path)) == 3


def test_few_parts_stay_as_they_are(tmp_path: Path) -> None:
    write_part(tmp_path, "1", {"pages": [row("http://a.es/")]})
    assert merge_parts(tmp_path) == 0
    assert [part.name for part in finished_parts(tmp_path)] == ["1"]


def test_what_is_provisional_counts_until_the_next_session_and_is_never_merged(tmp_path: Path) -> None:
    for number in range(4):
        write_part(tmp_path, f"{number:08d}", {"pages": [row(f"http://a.es/{number}")]})
    write_part(tmp_path, provisional_name("00000009"), {"pages": [row("http://a.es/muere")]})
    assert merge_parts(tmp_path, most=2) == 2
    assert document_id("http://a.es/muere") in set(documents_done(tmp_path))
    assert next_serial(tmp_path) == 4
    remove_drafts(tmp_path)
    assert set(documents_done(tmp_path)) == {document_id(f"http://a.es/{number}") for number in range(4)}


@pytest.mark.parametrize("moment", ["copied", "renamed", "removing"])
def test_a_merge_can_be_killed_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    urls = [f"http://a.es/{number}" for number in range(4)]
    for number, url in enumerate(urls, 1):
        write_part(tmp_path, f"{number:08d}-7", {"pages": [row(url)]})

    def die(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(
        *{"copied": (Path, "rename"), "renamed": (parts, "_remove_replaced"), "removing": (Path, "replace")}[moment], die
    )
    with pytest.raises(KeyboardInterrupt):
        merge_parts(tmp_path, most=2, kept_seconds=0)
    monkeypatch.undo()
    assert sorted(documents_done(tmp_path)) == sorted(map(document_id, urls))
    remove_drafts(tmp_path, kept_seconds=0)
    assert sorted(documents_done(tmp_path)) == sorted(map(document_id, urls))
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in finished_parts(tmp_path)}


def test_serials_go_on_after_the_highest(tmp_path: Path) -> None:
    assert next_serial(tmp_path) == 1
    write_part(tmp_path, "00000041-1700000000", {"pages": []})
    assert next_serial(tmp_path) == 42
