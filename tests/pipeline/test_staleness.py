"""Which settings make results stale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from trasmallo.config import Config
from trasmallo.pipeline.staleness import adopt, stale_stage, start_run


def changed(section: str, **values: Any) -> Config:
    config = Config()
    return msgspec.structs.replace(config, **{section: msgspec.structs.replace(getattr(config, section), **values)})


@pytest.mark.parametrize(
    ("config", "stage"),
    [
        (Config(), ""),
        (changed("crawl", pages=3), ""),
        (changed("clean", workers=7), ""),
        (changed("clean", method="cetr"), "clean"),
        (changed("study", stop="standard"), "study"),
        (Config(language="en"), "study"),
    ],
)
def test_only_what_a_stage_depends_on_makes_it_stale(tmp_path: Path, config: Config, stage: str) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    assert stale_stage(run, config) == stage
    adopt(run, config)
    assert stale_stage(run, config) == ""


def test_cleaning_comes_before_study(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    both = msgspec.structs.replace(changed("clean", method="cetr"), language="en")
    assert stale_stage(run, both) == "clean"
