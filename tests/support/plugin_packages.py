"""Packages of somebody else with plug-ins, as an installation would leave them: modules and metadata in a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def install(folder: Path, group: str, points: dict[str, str], **modules: str) -> None:
    """Put modules by their names, and a package that names plug-ins (`name`: `module:attribute`), into a folder."""
    about = folder / "toys-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    lines = [f"{name} = {place}" for name, place in points.items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)


def make_visible(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes that a test starts see what was installed in a folder."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
