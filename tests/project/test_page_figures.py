"""What a page takes, measured on a project."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from trasmallo import config, config_text
from trasmallo.config import ClusterConfig
from trasmallo.project.capacity import CapacityFigures
from trasmallo.project.page_figures import measure_pages
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


def test_a_page_is_measured_on_disk_and_by_the_clock(finished: Project) -> None:
    before = sorted(path.name for path in finished.folder.iterdir())
    disk = measure_pages(finished, sample=0)
    assert min(disk.archive, disk.catalog, disk.tokens, disk.tables, disk.index, disk.page) > 0
    assert disk.addresses >= 1
    assert (disk.clean, disk.study, disk.window) == (CapacityFigures().clean, CapacityFigures().study, 30)
    timed = measure_pages(finished, sample=24)
    assert timed.clean > 0 or timed.study > 0
    assert timed.archive == disk.archive
    assert sorted(path.name for path in finished.folder.iterdir()) == before


def test_pages_are_timed_on_this_machine_also_where_a_cluster_works(finished: Project, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(finished.folder, tmp_path / "p"))
    cluster = ClusterConfig(frontier="postgresql://nobody@127.0.0.1/x", storage="/nowhere", corpus="ray://127.0.0.1:1")
    config_text.write(msgspec.structs.replace(finished.config, cluster=cluster), folder / config.FILE_NAME)
    timed = measure_pages(Project.open(folder), sample=24)
    assert timed.clean > 0 or timed.study > 0


def test_without_a_finished_run_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        measure_pages(Project.new(tmp_path / "p"))


def test_too_few_pages_cannot_be_timed(finished: Project) -> None:
    with pytest.raises(UsageError, match="too few pages"):
        measure_pages(finished, sample=2)
