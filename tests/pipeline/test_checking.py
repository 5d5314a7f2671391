"""The check of a project: a sound one has nothing to tell, and nothing is changed by it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.pipeline.checking import catalog_damage, check_project, read_archive
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.digests import digest_of
from trasmallo.store.index.folder import IndexWriter
from trasmallo.values.errors import StoreTooNew


@pytest.fixture
def copy(finished: Project, tmp_path: Path) -> Project:
    shutil.copytree(finished.folder, tmp_path / "copy")
    return Project.open(tmp_path / "copy")


def found(project: Project) -> set[str]:
    return {finding.kind for finding in check_project(project.folder, project.config.study)}


def test_a_sound_project_is_left_as_it_is(copy: Project) -> None:
    before = {path: digest_of(path) for path in copy.folder.rglob("*") if path.is_file()}
    assert found(copy) == set()
    assert {path: digest_of(path) for path in copy.folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("pattern", "kinds"),
    [
        ("store/archive/*.warc.gz", {"archive"}),
        ("store/catalog/CURRENT", {"catalog"}),
        ("runs/*/run.json", {"run"}),
        ("runs/*/frontier/state", {"frontier"}),
        ("runs/*/words.parquet", {"results"}),
        ("runs/*/tokens.columns", {"results"}),
        ("runs/*/index/meta.json", {"index"}),
    ],
)
def test_each_kind_of_damage_is_named(copy: Project, pattern: str, kinds: set[str]) -> None:
    (path,) = copy.folder.glob(pattern)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert found(copy) == kinds


def test_lists_and_verdicts_are_the_users(copy: Project) -> None:
    (copy.folder / "verdicts.tsv").write_bytes(b"\xff\xfe")
    assert found(copy) == {"lists"}


def test_a_row_without_its_page_and_a_page_without_its_row(copy: Project) -> None:
    facts = read_archive(copy.store / "archive")
    facts.answers += 3
    assert "3 stored pages have no row" in next(catalog_damage(copy.store, facts)).problem
    next((copy.store / "archive").glob("*.warc.gz")).unlink()
    gone = [finding for finding in catalog_damage(copy.store, facts) if "the archive does not hold" in finding.problem]
    assert [finding.kind for finding in gone] == ["archive"]


def test_a_later_version_is_not_damage(copy: Project) -> None:
    run = run_folders.latest(copy.runs)
    run.manifest.version = 99
    run.save()
    with pytest.raises(StoreTooNew):
        found(copy)


def test_an_index_without_a_document_of_the_tables_is_found_and_built_again(copy: Project) -> None:
    folder = run_folders.latest(copy.runs).folder / "index"
    shutil.rmtree(folder)
    with IndexWriter(folder, whole=True) as writer:
        writer.seal()
    (finding,) = check_project(copy.folder, copy.config.study)
    assert finding.kind == "index"
    assert "the search index lacks" in finding.problem
    assert [step.kind for step in copy.repair()] == ["index"]
    assert found(copy) == set()
