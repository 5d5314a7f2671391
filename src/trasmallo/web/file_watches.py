"""Watches over the folders and mailboxes of all projects that the app serves, as long as it takes changes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from trasmallo.config import Config
from trasmallo.pipeline.local_sources import local_roots
from trasmallo.pipeline.mail_servers import mail_servers
from trasmallo.project import control
from trasmallo.project.file_watch import FileWatch, WatchEvent
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.store import run_folders
from trasmallo.values.errors import TrasmalloError
from trasmallo.web.project_services import Begun, ProjectServices


def file_watches(workspace: Workspace, *, takes_in: bool = True) -> ProjectServices[FileWatch]:
    """The watches of an app."""

    async def begin(name: str, config: Config) -> Begun[FileWatch]:
        folder = workspace.folder(name)
        start = partial(control.start_files, Project.open(folder)) if takes_in else None
        watch = FileWatch(folder, config, _hear, start_run=start)
        return Begun(watch, asyncio.create_task(_run(watch)))

    return ProjectServices(workspace, is_wanted=_has_places, begin=begin)


def _has_places(project: Project) -> bool:
    """Whether a project has folders or mailboxes, and results that changes can be added to."""
    has_places = bool(local_roots(project.config) or mail_servers(project.config))
    return has_places and run_folders.last_completed(project.runs) is not None


async def _run(watch: FileWatch) -> None:
    with suppress(TrasmalloError, OSError):  # it is begun again by the next look
        await watch.run()


def _hear(_event: WatchEvent) -> None:
    """What a watch tells is seen in the search."""
