from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from support.local_projects import LocalProject
from trasmallo.pipeline.local_sources import has_changes, local_roots, path_refuser, require_roots, rules_of
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.warc import payload_digest
from trasmallo.values.errors import ProjectError
from trasmallo.values.local_addresses import file_address
from trasmallo.values.model import Outcome

OPERATIONS = int(os.environ.get("TRASMALLO_FILE_OPERATIONS", "300"))
"""Random operations that are compared with the file system."""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("uno")
    (folder / "sub" / "b.txt").write_text("dos")
    return folder


def on_disk(docs: Path) -> dict[str, str]:
    files = (path for path in docs.rglob("*") if path.is_file())
    return {file_address(str(path)): payload_digest(path.read_bytes()) for path in files}


def test_files_become_rows_and_stay_where_they_are(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    assert project.take().documents == 2
    assert project.there() == on_disk(docs)
    row = project.state()[file_address(str(docs / "a.txt"))]
    assert (row.media, row.size, row.outcome) == ("text/plain", 3, Outcome.FETCHED)
    assert row.access is not None
    assert row.access.uid == os.getuid()
    assert b"uno" not in b"".join(path.read_bytes() for path in (tmp_path / "p" / "store" / "archive").glob("*.warc.gz"))


def test_nothing_changed_is_nothing_done(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    assert has_changes(project.config, project.folder)
    project.take()
    before = project.rows()
    assert not has_changes(project.config, project.folder)
    assert project.take().documents == 0
    assert project.rows() == before


def test_changed_moved_deleted_and_rights(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    (docs / "c.txt").write_text("tres")
    (docs / "d.txt").write_text("cuatro")
    project.take()
    (docs / "a.txt").write_text("otra cosa")
    (docs / "sub").rename(docs / "neu")
    (docs / "c.txt").unlink()
    (docs / "d.txt").chmod(0o600)
    found = project.take("second")
    assert (found.documents, found.moved, found.gone, found.touched) == (2, 1, 1, 1)
    assert project.there() == on_disk(docs)
    moved = project.state()[file_address(str(docs / "sub" / "b.txt"))]
    assert (moved.outcome, moved.location) == (Outcome.REDIRECTED, file_address(str(docs / "neu" / "b.txt")))
    rights = project.state()[file_address(str(docs / "d.txt"))]
    assert rights.outcome is Outcome.UNCHANGED
    assert rights.access is not None
    assert rights.access.mode == 0o600


def test_a_root_that_vanishes_takes_nothing_along(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    project.take()
    there = project.there()
    docs.rename(tmp_path / "away")
    assert project.take().missing[0].files == 2
    docs.mkdir()  # a disk that is not mounted leaves an empty folder
    found = project.take()
    with pytest.raises(ProjectError, match="the 2 files known of it are kept"):
        require_roots(found.missing)
    assert project.there() == there
    docs.rmdir()
    (tmp_path / "away").rename(docs)
    assert project.take().missing == []


def test_everything_that_is_passed_over_is_told(tmp_path: Path, docs: Path) -> None:
    (docs / ".hidden").write_text("x")
    os.mkfifo(docs / "pipe")
    (docs / "large").write_bytes(b"x" * 2_000_001)
    project = LocalProject(tmp_path / "p", str(docs), page_megabytes=2)
    assert project.take().refused == 3
    causes = {Path(url).name: row.cause for url, row in project.state().items() if not row.outcome.obtained}
    assert set(causes) == {".hidden", "pipe", "large"}
    assert all(causes.values())
    assert project.take().refused == 0


def test_exclusions_patterns_and_limits_are_those_of_sites(tmp_path: Path, docs: Path) -> None:
    (docs / "x.md").write_text("cinco")
    assert set(LocalProject(tmp_path / "p", str(docs), exclude=["/sub/"]).take().missing) == set()
    only = LocalProject(tmp_path / "q", str(docs), include=["*.md$"])
    only.take()
    assert list(only.there()) == [file_address(str(docs / "x.md"))]
    few = LocalProject(tmp_path / "r", str(docs), pages=1)
    assert "limit of 1 page" in few.take().ended
    assert len(few.there()) == 1
    few.take("second")
    assert len(few.there()) == 2


def test_copies_go_into_the_archive_if_that_is_wished(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs), copy=True)
    project.take()
    assert all(row.locator is not None and row.locator.file.endswith(".warc.gz") for row in project.rows())
    assert project.there() == on_disk(docs)


def test_the_project_does_not_read_itself(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(docs / "project", str(docs))
    project.take()
    assert project.there() == {url: digest for url, digest in on_disk(docs).items() if "/project/" not in url}


def test_roots_rules_and_refusals_of_a_project(tmp_path: Path) -> None:
    project = LocalProject(tmp_path, "https://example.org/", "/srv/a", "maildir:/srv/m", "imaps://ana@h/", exclude=["secret"])
    assert local_roots(project.config) == ["file:///srv/a", "maildir:///srv/m"]
    assert rules_of(project.config, tmp_path, "maildir").hidden
    assert not rules_of(project.config, tmp_path).hidden
    refuses = path_refuser(project.config)
    assert refuses is not None
    assert refuses("/srv/a/secret/")
    assert not refuses("/srv/a/x")


def test_random_operations_end_as_the_file_system_has_it(tmp_path: Path) -> None:
    chance, docs = random.Random(23), tmp_path / "docs"
    docs.mkdir()
    (docs / "first.txt").write_text("x")
    project = LocalProject(tmp_path / "p", str(docs))
    for number in range(OPERATIONS):
        operate(chance, docs, number)
        if chance.random() < 0.05:
            project.take(f"run-{number}")
            assert project.there() == on_disk(docs)
    project.take("last")
    assert project.there() == on_disk(docs)


def operate(chance: random.Random, docs: Path, number: int) -> None:
    """One operation as users do them; the first file always stays."""
    files = sorted(path for path in docs.rglob("*.txt") if path.name != "first.txt")
    folders = [docs, *sorted(path for path in docs.rglob("*") if path.is_dir())]
    kind = chance.choice(["create", "create", "change", "rename", "delete", "chmod", "folder", "move", "remove"])
    if kind == "create" or not files:
        (chance.choice(folders) / f"n{number}.txt").write_text(f"texto {number}")
    elif kind == "change":
        chance.choice(files).write_text(f"cambio {number}")
    elif kind == "rename":
        chance.choice(files).rename(chance.choice(folders) / f"r{number}.txt")
    elif kind == "delete":
        chance.choice(files).unlink()
    elif kind == "chmod":
        chance.choice(files).chmod(chance.choice([0o600, 0o644, 0o640]))
    elif kind == "folder":
        (chance.choice(folders) / f"d{number}").mkdir()
    elif len(folders) > 1:
        _move_or_remove(chance, folders, number, kind)


def _move_or_remove(chance: random.Random, folders: list[Path], number: int, kind: str) -> None:
    chosen = chance.choice(folders[1:])
    if kind == "remove" and chance.random() < 0.3:
        shutil.rmtree(chosen)
        return
    others = [folder for folder in folders if not folder.is_relative_to(chosen)]
    chosen.rename(chance.choice(others) / f"m{number}")


def test_a_copied_message_that_lies_elsewhere_too_is_still_read_from_the_archive(tmp_path: Path) -> None:
    box = tmp_path / "Maildir"
    for folder in (box, box / ".Sent"):
        for name in ("cur", "new", "tmp"):
            (folder / name).mkdir(parents=True)
        (folder / "cur" / "1:2,S").write_bytes(b"From: ana@example.org\nMessage-ID: <1@x>\nSubject: carta\n\nHola\n")
    project = LocalProject(tmp_path / "p", f"maildir:{box}", copy=True)
    project.take()
    (box / "cur" / "1:2,S").unlink()
    project.take()
    (row,) = project.state().values()
    assert row.outcome.obtained
    assert row.locator is not None
    with ArchiveReader(tmp_path / "p" / "store" / "archive") as archive:
        assert archive.read(row.locator, verify=True).digest == row.digest
