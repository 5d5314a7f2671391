"""The bus and the file of events."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from trasmallo.events import AnyEvent, Bus, Event, EventFile, Failed, Fetched, LineChanged, Progress, log_events, read_events

FETCHED = Fetched(url="http://a.es/ñ", status=200, size=3, media="text/html", digest="sha1:X")
FAILED = Failed(url="http://a.es/b", outcome="timed out", cause="no answer within 30 s")


def test_every_listener_hears_every_event_in_order() -> None:
    bus, first, second = Bus(), [], []  # type: ignore[var-annotated]
    end = bus.listen(first.append)
    bus.listen(second.append)
    bus.emit(FETCHED)
    end()
    bus.emit(FAILED)
    assert first == [FETCHED]
    assert second == [FETCHED, FAILED]


def test_states_that_pass_are_told_only_to_who_wants_them() -> None:
    bus, watching, others = Bus(), [], []  # type: ignore[var-annotated]
    line = LineChanged(line=1, state="waiting", url="", cause="", since=0.0)
    bus.listen(watching.append)
    end = bus.listen(others.append, transient=False)
    bus.emit(line)
    bus.emit(FETCHED)
    end()
    bus.emit(FAILED)
    assert watching == [line, FETCHED, FAILED]
    assert others == [FETCHED]


def test_events_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    file = EventFile(path, clock=lambda: 12.5)
    file(FETCHED)
    file(LineChanged(line=1, state="ready"))
    file(FAILED)
    file.close()
    assert read_events(path) == [(12.5, FETCHED), (12.5, FAILED)]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_line_costs_only_itself(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "events.jsonl"
    file = EventFile(path)
    file(FETCHED)
    file(FAILED)
    file.close()
    path.write_bytes(path.read_bytes()[:-cut])
    again = EventFile(path)
    again(FETCHED)
    again.close()
    assert [event for _, event in read_events(path)] in ([FETCHED, FETCHED], [FETCHED, FAILED, FETCHED])


def test_failures_are_logged_as_warnings(caplog: pytest.LogCaptureFixture) -> None:
    listener = log_events(logging.getLogger("trasmallo.test"))
    with caplog.at_level(logging.WARNING):
        listener(FETCHED)
        listener(FAILED)
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_every_event_can_be_read_back() -> None:
    assert set(AnyEvent.__args__) == set(Event.__subclasses__())  # type: ignore[attr-defined]
    assert Progress in AnyEvent.__args__  # type: ignore[attr-defined]
