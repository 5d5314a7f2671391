from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from trasmallo.crawl.frontier import journal as journals
from trasmallo.crawl.frontier.journal import FRAME, STAMP, VERSION, Journal
from trasmallo.values.errors import StoreDamaged, StoreFull, StoreTooNew

RECORDS = [b"one", b"two" * 50, b"", b"four"]


def written(path: Path, records: list[bytes] = RECORDS) -> list[int]:
    """A journal with a frame for each record; the file's size after each."""
    journal = Journal(path)
    sizes = []
    for record in records:
        journal.append(record)
        journal.write()
        sizes.append(journal.size)
    journal.close()
    return sizes


def read(path: Path) -> list[bytes]:
    records: list[bytes] = []
    Journal.recover(path, records.append).close()
    return records


def test_records_come_back_in_order(tmp_path: Path) -> None:
    written(tmp_path / "journal")
    assert read(tmp_path / "journal") == RECORDS


def test_every_truncation_gives_a_prefix_and_can_be_appended_to(tmp_path: Path) -> None:
    sizes = written(tmp_path / "whole")
    data = (tmp_path / "whole").read_bytes()
    for cut in range(len(data)):
        path = tmp_path / "cut"
        path.write_bytes(data[:cut])
        prefix = RECORDS[: sum(size <= cut for size in sizes)]
        journal = Journal.recover(path, lambda record: None)
        journal.append(b"more")
        journal.close()
        assert read(path) == [*prefix, b"more"]


def test_zeros_after_a_power_cut_are_a_torn_tail(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    with path.open("ab") as file:
        file.write(bytes(5000))
    assert read(path) == RECORDS


@pytest.mark.parametrize("place", ["length", "payload"])
def test_damage_before_the_end_names_the_byte_and_the_repair(tmp_path: Path, place: str) -> None:
    path = tmp_path / "journal"
    start = written(path)[0]
    data = bytearray(path.read_bytes())
    data[start + (0 if place == "length" else FRAME.size)] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(StoreDamaged, match=rf"byte {start}\b.*trasmallo repair"):
        read(path)


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(STAMP.pack(Journal.KIND, VERSION + 1, 0))
    with pytest.raises(StoreTooNew):
        read(path)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(STAMP.pack(b"other", VERSION, 0))
    with pytest.raises(StoreDamaged):
        read(path)


def test_writes_after_a_quarter_second_or_256_kilobytes(tmp_path: Path) -> None:
    now = [0.0]
    journal = Journal(tmp_path / "journal", lambda: now[0])
    assert not journal.append(b"a")
    now[0] = 0.2
    assert not journal.append(b"b")
    now[0] = 0.25
    assert journal.append(b"c")
    assert not journal.append(b"d")
    assert journal.append(os.urandom(256 * 1024))
    journal.close()


def test_half_a_frame_on_a_full_disk_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    journal.append(b"first")
    journal.write()
    write, room = os.write, [10]

    def write_until_full(handle: int, data: bytes) -> int:
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, bytes(data)[: room.pop()])

    monkeypatch.setattr(journals.os, "write", write_until_full)
    journal.append(b"second")
    with pytest.raises(StoreFull, match="free some space"):
        journal.write()
    monkeypatch.undo()
    assert path.stat().st_size == journal.size
    journal.append(b"third")
    journal.close()
    assert read(path) == [b"first", b"second", b"third"]


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.append(b"first")
    journal.close()
    journal.close()
    assert read(tmp_path / "journal") == [b"first"]
