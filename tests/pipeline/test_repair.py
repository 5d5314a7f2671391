"""The repair makes again what is damaged, leaves alone what is sound, and asks before anything is given up."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.pipeline.checking import check_project
from trasmallo.pipeline.completion import forget_results
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.digests import digest_of
from trasmallo.values.errors import StoreDamaged, StoreError


@pytest.fixture
def copy(finished: Project, tmp_path: Path) -> Project:
    shutil.copytree(finished.folder, tmp_path / "copy")
    return Project.open(tmp_path / "copy")


def steps(project: Project, *, accept_loss: bool = False) -> list[str]:
    return [step.kind for step in project.repair(accept_loss=accept_loss)]


def damage(project: Project, pattern: str) -> None:
    (path,) = project.folder.glob(pattern)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    ("pattern", "made"),
    [("store/catalog/MANIFEST-*", ["catalog"]), ("runs/*/frontier/state", ["frontier"]), ("runs/*/index/meta.json", ["index"])],
)
def test_only_what_is_damaged_is_made_again(copy: Project, pattern: str, made: list[str]) -> None:
    tables = {path: digest_of(path) for path in copy.runs.glob("*/*.parquet")}
    damage(copy, pattern)
    assert steps(copy) == made
    assert {path: digest_of(path) for path in copy.runs.glob("*/*.parquet")} == tables
    copy.find("puerto")
    assert not list(copy.check())


def test_a_damaged_archive_needs_a_yes(copy: Project) -> None:
    before, pages = list(copy.check()), len(copy.table("pages"))
    assert not before
    damage(copy, "store/archive/*.warc.gz")
    with pytest.raises(StoreDamaged, match="--accept-loss"):
        copy.repair()
    assert len(copy.table("pages")) == pages, "nothing was changed"
    assert "catalog" in steps(copy, accept_loss=True)


def test_a_lost_file_of_the_archive_needs_a_yes(copy: Project) -> None:
    (file,) = (copy.store / "archive").glob("*.warc.gz")
    file.unlink()
    with pytest.raises(StoreDamaged, match="does not hold: .*--accept-loss"):
        copy.repair()
    with Catalog(copy.store / "catalog", read_only=True) as catalog:
        assert catalog.count, "what the catalog knows is kept"


def test_a_run_that_nothing_tells_of(copy: Project) -> None:
    stranger = copy.runs / "stranger"
    stranger.mkdir()
    (stranger / "events.jsonl").write_bytes(b"{}\n")
    with pytest.raises(StoreError, match="nothing tells what stranger was: move"):
        copy.repair()
    shutil.rmtree(stranger)
    assert run_folders.latest(copy.runs).finished


def test_a_repair_that_was_cut_short_goes_on(copy: Project) -> None:
    run = run_folders.latest(copy.runs)
    forget_results(run)
    assert "was cut short" in next(check_project(copy.folder, copy.config.study)).problem
    assert steps(copy) == ["results"]
    assert list(check_project(copy.folder, copy.config.study)) == []
    assert run_folders.latest(copy.runs).finished
