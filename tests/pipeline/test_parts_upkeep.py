"""Upkeep of parts; `test_session.py` has it find copies and merge while a run goes on."""

from __future__ import annotations

from pathlib import Path

from trasmallo.config import Config
from trasmallo.pipeline.parts_upkeep import PartsUpkeep
from trasmallo.pipeline.staleness import start_run


def test_without_analyses_there_is_neither_index_nor_copy(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    upkeep = PartsUpkeep(run, run.parts, 0.5, analyses=False)
    upkeep.index()
    upkeep.close()
    assert (upkeep.copies, (run.folder / "index").exists()) == (0, False)


def test_with_analyses_what_arrived_is_looked_at(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    upkeep = PartsUpkeep(run, run.parts, 0.5, analyses=True)
    upkeep.index()
    upkeep.close()
    assert upkeep.copies == 0
