"""The index of a collection with what hubs pushed since."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.results.rows import PageRow, TextRow
from trasmallo.results.search.indexing import LIVE
from trasmallo.results.search.pushed_index import PUSHED, begin_empty, follow_pushes
from trasmallo.store.index.asking import Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import Searcher
from trasmallo.store.parts import write_part


def entry(name: str, text: str) -> IndexEntry:
    return IndexEntry(id=name, url=f"http://a.es/{name}", host="a.es", at=1.0, title=name, language="es", media="", text=text)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    with IndexWriter(tmp_path / "index", whole=True) as writer:
        writer.add([entry("a", "uno"), entry("b", "dos")])
        writer.seal()
    return tmp_path / "index"


def part(folder: Path, name: str, text: str) -> Path:
    page = PageRow(name, f"http://a.es/{name}", "a.es", 1.0, name, "es", "utf-8", "", 1, "")
    write_part(folder, f"part-{name}-{text}", {"pages": [page], "texts": [TextRow(name, text, "")], "fields": []})
    return folder / f"part-{name}-{text}"


def test_new_documents_are_added_and_changed_ones_replaced(base: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in base.iterdir() if path.is_file()}
    assert follow_pushes(base, tmp_path, {}) == base
    found = follow_pushes(base, tmp_path, {"1": part(tmp_path, "c", "tres")})
    assert found == tmp_path / PUSHED
    assert Searcher(found).documents == 3
    both = {"1": part(tmp_path, "c2", "tres"), "2": part(tmp_path, "a", "otro"), "3": tmp_path / "gone"}
    assert Searcher(follow_pushes(base, tmp_path, both)).documents == 3
    assert {path.name: path.read_bytes() for path in base.iterdir() if path.is_file()} == before, "the run's index stays"
    assert Searcher(base).documents == 2


def test_another_index_is_begun_from(base: Path, tmp_path: Path) -> None:
    pushed = {"1": part(tmp_path, "c", "tres")}
    follow_pushes(base, tmp_path, pushed)
    with IndexWriter(tmp_path / "other", whole=True) as writer:
        writer.add([entry("d", "final")])
        writer.seal()
    assert Searcher(follow_pushes(tmp_path / "other", tmp_path, pushed)).documents == 2
    (tmp_path / PUSHED / "stamp.json").write_bytes(b"damaged")
    assert Searcher(follow_pushes(tmp_path / "other", tmp_path, pushed)).documents == 2


def test_pages_that_a_run_reads_meanwhile_stand_for_what_feeds_told_of_them(tmp_path: Path) -> None:
    live, told = tmp_path / LIVE, {"1": part(tmp_path, "a", "anuncio"), "2": part(tmp_path, "c", "tres")}
    begin_empty(live)
    assert Searcher(follow_pushes(live, tmp_path, told)).documents == 2
    with IndexWriter(live) as writer:
        writer.add([entry("a", "uno")])
        writer.commit()
    searcher = Searcher(follow_pushes(live, tmp_path, told))
    assert searcher.documents == 2
    texts = [stored.text for name in "ac" if (stored := searcher.stored(name, Manner(groups=None)))]
    assert texts == ["uno", "tres"]
