"""An index on disk: committed or not, of this version or another, whole or cut."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter, Stamp, begin_with, put_in_place, read_stamp, why_unusable, write_stamp
from trasmallo.store.index.searcher import Searcher
from trasmallo.values.errors import ProjectBusy, StoreDamaged, StoreError


def entry(number: int, text: str = "una casa blanca") -> IndexEntry:
    return IndexEntry(f"{number:016x}", f"http://a.es/{number}", "a.es", 0.0, f"Título {number}", "es", "text/html", text)


def build(folder: Path, number: int = 3) -> Path:
    with IndexWriter(folder) as writer:
        writer.add(map(entry, range(number)))
        writer.seal()
    return folder


def test_what_is_committed_is_found_and_nothing_else(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index") as writer:
        writer.add([entry(1)])
        writer.commit(["part"])
        assert writer.holds(entry(1).id)
        writer.add([entry(2)])
        assert not writer.holds(entry(2).id)
        assert Searcher(tmp_path / "index").documents == 1
    stamp = read_stamp(tmp_path / "index")
    assert stamp is not None
    assert stamp.taken == ("part",)
    assert Searcher(tmp_path / "index").documents == 1


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index"), pytest.raises(ProjectBusy, match="another program writes"):
        IndexWriter(tmp_path / "index")


def test_an_index_is_usable_as_long_as_its_files_are_whole(tmp_path: Path) -> None:
    assert why_unusable(tmp_path / "index") == "there is no index yet"
    folder = build(tmp_path / "index")
    assert why_unusable(folder) == ""
    store = next(folder.glob("*.store"))
    store.write_bytes(store.read_bytes()[:-1])
    assert why_unusable(folder) == "the index is damaged"
    store.unlink()
    assert why_unusable(folder) == "the index is damaged"


def test_an_index_of_another_version_is_not_used(tmp_path: Path) -> None:
    folder = build(tmp_path / "index")
    write_stamp(folder, Stamp(version=0))
    assert "another version" in why_unusable(folder)
    (folder / "stamp.json").write_bytes(b"{")
    assert why_unusable(folder) == "the index is damaged"


def test_damage_is_told_with_its_repair(tmp_path: Path) -> None:
    folder = build(tmp_path / "index")
    (folder / "meta.json").write_text("no json")
    with pytest.raises(StoreDamaged, match="built again"):
        Searcher(folder)
    with pytest.raises(StoreError):
        Searcher(tmp_path / "nowhere")


def test_another_index_takes_the_place_under_an_open_one(tmp_path: Path) -> None:
    reader = Searcher(build(tmp_path / "index", 3))
    put_in_place(build(tmp_path / "draft", 5), tmp_path / "index")
    assert Searcher(tmp_path / "index").documents == 5
    assert reader.search(reader.ask("casa")).total == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index"]


_FILLING = """
import resource, signal, sys
from pathlib import Path
from trasmallo.values.errors import StoreFull
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
writer = IndexWriter(Path(sys.argv[1]))
try:
    for round in range(50):
        writer.add(IndexEntry(f"{n:016x}", "u", "a.es", 0.0, "", "es", "", f"casa {n} " * 500) for n in range(100))
        writer.commit()
except StoreFull as error:
    print(error)
"""


def test_a_disk_that_refuses_is_told_as_such(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FILLING, str(tmp_path / "index")], capture_output=True, text=True, check=False
    )
    assert "may not grow further" in done.stdout, done.stderr


_COMMITTING = """
import sys
from pathlib import Path
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
writer, number = IndexWriter(Path(sys.argv[1])), 0
while True:
    writer.add(IndexEntry(f"{n:016x}", "u", "a.es", 0.0, "", "es", "", "una casa " * 50) for n in range(number, number + 20))
    writer.commit([str(number)])
    number += 20
    print(number, flush=True)
"""


def test_kill_9_during_a_commit_leaves_the_commit_before(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", _COMMITTING, str(folder)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = 0
            for _ in range(4):
                told = int(process.stdout.readline())
            os.kill(process.pid, signal.SIGKILL)
        found = Searcher(folder).search(Searcher(folder).ask("casa"))
        assert found.total >= told
        assert found.total % 20 == 0
        with IndexWriter(folder) as writer:
            assert writer.holds(f"{told - 1:016x}")
        for path in folder.iterdir():
            path.unlink()


def test_a_whole_index_has_all_documents_however_few_may_wait(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index", whole=True, most_waiting=20) as writer:
        assert writer.add(map(entry, range(5))) == 5
        writer._index.reload()
        assert writer._index.searcher().num_docs == 4
        writer.seal()
    stamp = read_stamp(tmp_path / "index")
    assert stamp is not None
    assert stamp.documents == 5


def test_an_index_that_begins_with_another_leaves_that_as_it_is(tmp_path: Path) -> None:
    before, folder = build(tmp_path / "before"), tmp_path / "index"
    begin_with(before, folder)
    with IndexWriter(folder, whole=True) as writer:
        writer.remove([entry(1).id])
        writer.add([entry(1, "un remo"), entry(7)])
        writer.seal(removed=1)
    searcher = Searcher(folder)
    assert [searcher.holds(entry(number).id) for number in (0, 1, 2, 7, 8)] == [True, True, True, True, False]
    assert [searcher.search(searcher.ask(word)).total for word in ("casa", "remo")] == [3, 1]
    assert read_stamp(folder) == Stamp(documents=4, whole=True, removed=1)
    assert Searcher(before).documents == 3
    assert why_unusable(before) == why_unusable(folder) == ""


def test_what_was_removed_is_not_held(tmp_path: Path) -> None:
    before, folder = build(tmp_path / "before"), tmp_path / "index"
    begin_with(before, folder)
    with IndexWriter(folder, whole=True) as writer:
        writer.remove([entry(1).id])
        writer.seal(removed=1)
    assert not Searcher(folder).holds(entry(1).id)
    assert Searcher(folder).documents == 2
