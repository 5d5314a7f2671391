"""Watches of the app."""

from __future__ import annotations

import asyncio
from pathlib import Path

from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.web.file_watches import file_watches


def test_projects_with_folders_and_results_are_watched(tmp_path: Path, finished: Project) -> None:
    local = Project.new(tmp_path / "l", [str(tmp_path)])

    async def main() -> set[str]:
        watches = file_watches(Workspace([finished.folder, local.folder]), takes_in=False)
        async with watches.serving():
            await watches.look()
            return set(watches.running)

    assert asyncio.run(main()) == set(), "one is of the web alone, the other has no results yet"
