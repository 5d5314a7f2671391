"""The journals since a checkpoint, as a chain that may break at its end only."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.frontier.backlog import entry_of
from trasmallo.crawl.frontier.journal_chain import JournalChain, Record
from trasmallo.crawl.frontier.records import Added
from trasmallo.values.errors import StoreError
from trasmallo.values.model import Target

FIRST, SECOND = "journal-00000000", "journal-00000001"


def added(number: int) -> Added:
    return Added([entry_of(number, Target(f"http://a.test/{number}"))])


def chain(folder: Path, told: list[Record]) -> tuple[JournalChain, int]:
    opened = JournalChain(folder, lambda: 0.0)
    return opened, opened.recover(FIRST, told.append)


def test_records_come_back_from_all_journals_in_their_order(tmp_path: Path) -> None:
    told: list[Record] = []
    first, highest = chain(tmp_path, told)
    assert (told, highest, first.names) == ([], 0, [FIRST])
    first.append(added(1))
    first.newest.write()
    first.begin_next(tmp_path / SECOND)
    first.append(added(2))
    first.sync()
    first.close()
    again, highest = chain(tmp_path, told)
    assert (told, highest, again.names) == ([added(1), added(2)], 1, [FIRST, SECOND])
    again.forget_older()
    assert again.names == [SECOND]
    again.close()


def test_what_follows_a_journal_that_lost_its_end_is_not_believed(tmp_path: Path) -> None:
    told: list[Record] = []
    first, _ = chain(tmp_path, told)
    first.append(added(1))
    first.newest.write()
    size = first.newest.size
    first.append(added(2))
    first.newest.write()
    first.begin_next(tmp_path / SECOND)
    first.append(added(3))
    first.sync()
    with (tmp_path / FIRST).open("r+b") as file:
        file.truncate(size)  # a power cut, before anybody could close the journals
    again, highest = chain(tmp_path, told)
    assert (told, again.names, highest) == ([added(1)], [FIRST], 1), "its number is not used again"


def test_a_journal_that_cannot_be_begun_leaves_nothing(tmp_path: Path) -> None:
    first, _ = chain(tmp_path, [])
    (tmp_path / SECOND).mkdir()
    with pytest.raises((OSError, StoreError)):
        first.begin_next(tmp_path / SECOND)
    assert first.names == [FIRST]
