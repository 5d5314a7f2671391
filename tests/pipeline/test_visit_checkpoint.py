"""The file in which plans keep what they have learnt."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.crawl.revisit.collection import DAY, RevisitPlan
from trasmallo.crawl.revisit.plan_state import pack_plan
from trasmallo.crawl.revisit.visits import Finding, Visit
from trasmallo.pipeline import visit_checkpoint
from trasmallo.pipeline.visit_checkpoint import (
    FILE_NAME,
    Claim,
    VisitCheckpoint,
    beginning_of_day,
    forget_checkpoint,
    forget_settled,
    is_worth_writing,
    read_checkpoint,
    write_checkpoint,
)
from trasmallo.pipeline.visit_history import MissingAddress, SeenPage
from trasmallo.values.errors import StoreDamaged

UNTIL = 20_000 * DAY


def checkpoint(rows: int = 7, pages: int = 1) -> VisitCheckpoint:
    return VisitCheckpoint(
        rows=rows,
        row=b"12345678",
        until=UNTIL,
        left_out=("http://b.es/",),
        listings=frozenset({"http://a.es/feed"}),
        plan=pack_plan(RevisitPlan()),
        seen={2**64 - 1 - page: SeenPage(b"x", 1.5, 7, missing=True) for page in range(pages)},
        missing={"http://a.es/ñ": MissingAddress(2, 3.0)},
        visits=[Visit("http://a.es/", UNTIL + 1, Finding.BACK, 5.0, same=True)],
        claims=[Claim(UNTIL + 2, 4)],
    )


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path) is None
    write_checkpoint(tmp_path, checkpoint())
    assert read_checkpoint(tmp_path) == checkpoint()
    forget_checkpoint(tmp_path)
    assert read_checkpoint(tmp_path) is None


def test_damage_is_told(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, checkpoint())
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    for place in range(0, len(whole), 29):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            assert read_checkpoint(tmp_path) is None, place  # of another version
        except StoreDamaged as damage:
            assert "trasmallo repair" in damage.repair
    path.write_bytes(whole[:-9])
    with pytest.raises(StoreDamaged):
        read_checkpoint(tmp_path)


def test_one_of_another_version_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_checkpoint(tmp_path, checkpoint())
    monkeypatch.setattr(visit_checkpoint, "VERSION", visit_checkpoint.VERSION + 1)
    assert read_checkpoint(tmp_path) is None


def test_a_text_of_a_settled_day_makes_it_void(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, checkpoint())
    forget_settled(tmp_path, UNTIL)
    assert read_checkpoint(tmp_path) is not None
    forget_settled(tmp_path, UNTIL - 1)
    assert not (tmp_path / FILE_NAME).exists()
    forget_settled(tmp_path, 0.0)


def test_a_damaged_one_is_void_when_texts_are_read(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(msgspec.msgpack.encode("no"))
    forget_settled(tmp_path, UNTIL + 1)
    assert not (tmp_path / FILE_NAME).exists()


def test_it_is_written_again_when_much_is_new() -> None:
    known = checkpoint(rows=100, pages=200)
    assert [is_worth_writing(known, rows) for rows in (100, 110, 111)] == [False, False, True]
    assert [is_worth_writing(None, rows) for rows in (0, 1)] == [False, True]


def test_days_begin_at_midnight_in_utc() -> None:
    assert beginning_of_day(UNTIL + 86_399.0) == beginning_of_day(UNTIL) == UNTIL


def test_visits_of_settled_days_are_late() -> None:
    late, present = (Visit("http://a.es/", UNTIL + seconds, Finding.NEW) for seconds in (-1, 0))
    assert checkpoint().is_late([present, late])
    assert not checkpoint().is_late([present])
