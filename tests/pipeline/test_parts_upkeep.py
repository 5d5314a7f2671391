"""Upkeep of parts; `test_session.py` has it find copies and merge while a run goes on."""

from __future__ import annotations

from pathlib import Path

from trasmallo.config import Config
from trasmallo.pipeline.parts_upkeep import PartsUpkeep
from trasmallo.pipeline.staleness import start_run


def test_nothing_is_a_copy_before_anything_has_arrived(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    for analyses in (False, True):
        assert PartsUpkeep(run, run.parts, 0.5, analyses=analyses).copies == 0
