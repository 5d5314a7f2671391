from __future__ import annotations

import msgspec
import pytest

from trasmallo.crawl.frontier.backlog import Entry
from trasmallo.crawl.frontier.records import Added, Discarded, Finished, Follows, Moved, decode, encode
from trasmallo.values.model import Outcome

ENTRY = Entry(7, -1, 2, "http://a.example/é", "http://a.example/", 1, 9.5, 3)


@pytest.mark.parametrize(
    "record",
    [
        Added([ENTRY]),
        Finished(3, 2.5, [1, 2], [Outcome.FETCHED], Outcome.TIMED_OUT, [ENTRY], []),
        Finished(0, 0.0, [], [], None, [ENTRY], [], [Outcome.MISSING]),
        Discarded([1, 2], [0, 4]),
        Follows(1 << 40),
        Moved([3], [ENTRY]),
    ],
)
def test_records_come_back(record: Added | Finished | Discarded | Follows | Moved) -> None:
    assert decode(encode(record)) == record


def test_anything_else_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(msgspec.msgpack.encode([9, 1]))


def test_a_journal_from_before_outcomes_were_taken_back_is_read() -> None:
    record = Finished(3, 2.5, [1, 2], [Outcome.FETCHED], Outcome.TIMED_OUT, [ENTRY], [])
    assert decode(msgspec.msgpack.encode(msgspec.msgpack.decode(encode(record))[:-1])) == record
