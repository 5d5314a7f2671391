"""A crawl on PostgreSQL that several workers share ends like one on this machine alone, whoever comes and goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.command_line import hurried
from support.killing import results
from support.postgres import Server
from trasmallo import config, config_text
from trasmallo.demo.site import Site
from trasmallo.project.project import Project


def shared_project(folder: Path, site: Site, address: str, storage: Path, **crawl: Any) -> Project:
    """The sample project, with a database and a shared folder."""
    project = hurried(folder, site.seeds, **crawl)
    cluster = config.ClusterConfig(frontier=address, storage=str(storage))
    config_text.write(msgspec.structs.replace(project.config, cluster=cluster), folder / config.FILE_NAME)
    return Project.open(folder)


def test_a_shared_crawl_is_one_ordinary_run(
    site: Site, finished: Project, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    shared = shared_project(tmp_path / "project", site, postgres.make_database(), tmp_path / "storage", lines=8, processes=2)
    summary = shared.run()
    assert summary.state == "finished"
    assert results(shared) == results(finished)
    assert list(Path.cwd().iterdir()) == [], "workers leave nothing where they were started"
    assert msgspec.structs.replace(summary, run="") == msgspec.structs.replace(finished.summary(), run="")
