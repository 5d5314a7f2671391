"""The folder of a project that can be shown to a user as it is: for who only looks at files and opens no project."""

from __future__ import annotations

from pathlib import Path

from trasmallo.project.project import Project
from trasmallo.store.pushed import pushed_rights
from trasmallo.store.rights import is_restricted


def readable_folder(project: Path, user: str = "") -> Path:
    """The project's own folder, or one with what a user may read of it; raises ConfigError where its file cannot be read."""
    restricted = is_restricted(project / "store") or pushed_rights(project)
    return Project.open(project, user=user).home if restricted else project
