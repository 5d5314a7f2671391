"""The gate: what it refuses, tells and remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.trap_filter import TrapFilter, read_report
from trasmallo.events import Event, Refused, Warned
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Target

TRAP = "http://a.test/" + "x/y/" * 8


def test_a_trap_is_refused_told_and_reported(tmp_path: Path) -> None:
    told: list[Event] = []
    gate = TrapFilter(tmp_path / "traps", CrawlConfig(), told.append)
    assert gate.admits(Target("http://a.test/2026/11/una-noticia.html"))
    assert not any(gate.admits(Target(f"{TRAP}{number}")) for number in range(50))
    assert 0 < len(told) <= 20
    assert all(isinstance(event, Refused) and event.cause.startswith("trap: ") for event in told)
    assert [(row.host, row.rule, row.count) for row in gate.report()] == [("http://a.test", "repeats", 50)]


def test_what_was_learned_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "traps"
    gate = TrapFilter(path, CrawlConfig(), lambda _event: None)
    assert not gate.admits(Target(TRAP))
    gate.save()
    assert TrapFilter(path, CrawlConfig(), lambda _event: None).report() == gate.report() == read_report(path)


def test_a_sign_can_be_allowed(tmp_path: Path) -> None:
    gate = TrapFilter(tmp_path / "traps", CrawlConfig(traps_allowed=("repeats",)), lambda _event: None)
    assert gate.admits(Target(TRAP))


def test_a_damaged_file_is_told_and_counted_anew(tmp_path: Path) -> None:
    path = tmp_path / "traps"
    path.write_bytes(b"nothing of ours")
    told: list[Event] = []
    assert TrapFilter(path, CrawlConfig(), told.append).report() == []
    assert [type(event) for event in told] == [Warned]
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        read_report(path)
    assert read_report(tmp_path / "none") == []
