"""What exporters write from: a run of a project, without the project itself."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.events import Emit
from trasmallo.results.database.tables import Tables
from trasmallo.store.run_folders import Run


class ExportSource(msgspec.Struct, frozen=True, kw_only=True):
    """A run to export: the name and language of its corpus, the folder of its stored pages, and who is told of progress."""

    name: str
    language: str
    run: Run
    store: Path
    study: StudyConfig
    emit: Emit

    def tables(self) -> Tables:
        """The tables of the run."""
        return Tables(self.run, self.study)
