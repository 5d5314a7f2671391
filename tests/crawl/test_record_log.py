from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.crawl.record_log import RecordLog


class Word(msgspec.Struct, frozen=True, array_like=True):
    text: str


WORDS = [Word(text) for text in ("vela", "barco", "puerto")]


def log_in(folder: Path) -> RecordLog[Word]:
    return RecordLog(folder / "words.log", b"words", Word)


def test_records_come_back_in_order_and_a_torn_end_is_left_out(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    assert list(log.read()) == []
    for word in WORDS:
        log.append(word)
    assert log.records == 3
    log.path.write_bytes(log.path.read_bytes()[:-3])
    again = log_in(tmp_path)
    assert list(again.read()) == WORDS[:2]
    again.rewrite(WORDS[:1])
    again.append(WORDS[2])
    assert list(log_in(tmp_path).read()) == [WORDS[0], WORDS[2]]


def test_a_file_of_another_kind_tells_nothing(tmp_path: Path) -> None:
    log_in(tmp_path).append(WORDS[0])
    assert list(RecordLog(tmp_path / "words.log", b"other", Word).read()) == []
