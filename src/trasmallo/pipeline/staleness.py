"""The settings that a run's results were made under: a stage made under others than those of now must be made again."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from trasmallo.config import Config, digest_of
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.study import word_lists


def start_run(folder: Path, config: Config, kind: str, software: str, processes: int = 1) -> Run:
    """A new run of a project under `folder`, made under this configuration, which adds to the last that was completed."""
    base = run_folders.last_completed(folder)
    run = run_folders.start(folder, config.name, kind, software, processes, base.name if base else "")
    adopt(run, config)
    return run


def stale_stage(run: Run, config: Config) -> Literal["", "clean", "study"]:
    """The first stage whose results were made under other settings, "" when none was: study needs what cleaning made."""
    if run.manifest.clean != clean_digest(config):
        return "clean"
    return "" if run.manifest.study == study_digest(run, config) else "study"


def adopt(run: Run, config: Config) -> None:
    """Write down that results are made under this configuration from now on."""
    run.manifest.clean, run.manifest.study = clean_digest(config), study_digest(run, config)
    run.save()


def study_digest(run: Run, config: Config) -> str:
    """Changes when the settings do that a text is studied under."""
    return f"{config.language}-{word_lists.digest(config.study, run.project)}"


def clean_digest(config: Config) -> str:
    """Changes when the settings do that a page is cleaned under; how many processes do it changes nothing."""
    return digest_of(msgspec.structs.replace(config.clean, workers=0))
