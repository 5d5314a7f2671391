"""How the state of a run is shown."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest

from trasmallo.cli.status import print_status
from trasmallo.results.summary import ProjectStatus

NOW = 1_800_000_000.0


def status(**changes: Any) -> ProjectStatus:
    line = {
        "line": 1,
        "state": "downloading",
        "url": "http://a.es/x",
        "received": 300,
        "expected": 1200,
        "cause": "",
        "since": NOW,
    }
    host = {"host": "http://b.es", "queued": 12, "reason": "rests (delay of 1 s)", "until": NOW, "leased": False}
    usual = {
        "run": "corpus-1",
        "state": "running",
        "ended": "",
        "process": 7,
        "outcomes": {"fetched": 3},
        "progress": {"known": 20},
        "at": NOW,
        "waiting": "",
        "lines": [
            line,
            line | {"line": 2, "state": "retrieval failed", "cause": "no answer"},
            line | {"line": 3, "expected": 0},
        ],
        "hosts": [host],
        "reading": [],
        "agents": [
            {"process": 8, "work": "reading", "what": "http://a.es/y", "since": NOW, "more": 4},
            {"process": 9, "work": "waiting"},
        ],
        "paused": False,
        "stopping": False,
    }
    return msgspec.convert(usual | changes, ProjectStatus)


def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, **changes: Any) -> str:
    monkeypatch.setenv("COLUMNS", "140")
    print_status(status(**changes), NOW)
    return capsys.readouterr().out


def test_lines_and_hosts_with_their_reasons(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    out = shown(capsys, monkeypatch)
    clock = time.strftime("%H:%M:%S", time.localtime(NOW))
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if "│" in line]
    assert ["line 1", "http://a.es/x", "25 %", f"downloading since {clock}"] in rows
    assert ["line 2", "http://a.es/x", "", f"retrieval failed since {clock}: no answer"] in rows
    assert ["line 3", "http://a.es/x", "300 bytes", f"downloading since {clock}"] in rows
    assert ["process 8", "http://a.es/y", "4", f"reading since {clock}"] in rows
    assert ["process 9", "", "", "waiting"] in rows
    assert ["queue", "http://b.es", "12", f"rests (delay of 1 s) until {clock}"] in rows
    assert out.startswith("corpus-1: running, process 7")


def test_what_is_wrong_is_said_below(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Nothing moves: http://b.es rests." in shown(capsys, monkeypatch, waiting="http://b.es rests")
    assert "Its last report is 60 seconds old." in shown(capsys, monkeypatch, at=NOW - 60)


def test_why_a_crawl_ended_is_in_the_title(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    out = shown(capsys, monkeypatch, state="finished", process=0, ended="the limit of 3 pages is reached", lines=[])
    assert out.startswith("corpus-1: finished (the limit of 3 pages is reached)")
    assert "report is" not in out
