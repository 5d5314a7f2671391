from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.marks import MarksFile, add_mark, last_marks, read_marks
from trasmallo.values.errors import StoreDamaged


def test_marks_are_lines_that_a_crawl_follows(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    file = MarksFile(path)
    assert file.read() == {}
    assert not file.has_changed()
    add_mark(path, "http://a.test/", on_topic=True)
    assert file.has_changed()
    add_mark(path, "http://b.test/", on_topic=False)
    add_mark(path, "http://a.test/", on_topic=None)
    assert file.read() == {"http://b.test/": False}
    assert not file.has_changed()


def test_a_line_that_is_being_written_waits_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    add_mark(path, "http://a.test/", on_topic=True)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"url": "http')
    assert len(list(read_marks(path))) == 1
    path.write_bytes(b"nonsense\n" + whole)
    with pytest.raises(StoreDamaged, match="line 1"):
        list(read_marks(path))


@pytest.mark.parametrize(
    "line", [b"nonsense", b"\xff\xfe\x00", b'{"url": 5, "on_topic": true}', b'{"on_topic": true}', b"[" * 9000, b""]
)
def test_a_crawl_goes_on_without_a_damaged_line(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "marks.jsonl"
    add_mark(path, "http://a.test/", on_topic=True)
    path.write_bytes(line + b"\n" + path.read_bytes())
    assert MarksFile(path).read() == {"http://a.test/": True}
    with pytest.raises(StoreDamaged, match="line 1"):
        list(read_marks(path))


def test_workers_are_told_the_last_marks() -> None:
    marks = {f"http://a.example/{number}": bool(number % 2) for number in range(1_500)}
    assert list(last_marks(marks)) == list(marks)[500:]
    assert last_marks({}) == {}
