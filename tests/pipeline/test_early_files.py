from __future__ import annotations

from pathlib import Path

import pytest

from support.dovecot import letter
from support.local_projects import LocalProject
from trasmallo.pipeline.early_files import EarlyFiles
from trasmallo.results.search.indexing import entries_of_part
from trasmallo.store.parts import document_id
from trasmallo.store.pushed import early_parts, gone_in
from trasmallo.values.local_addresses import file_address


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("El puerto de Soria abre hoy.")
    return folder


def early(project: LocalProject) -> tuple[set[str], set[str]]:
    """Addresses that were read at once, and documents that are gone, in the order of the parts."""
    found, gone = dict[str, str](), set[str]()
    for part in early_parts(project.folder).values():
        gone |= set(gone_in(part))
        for entry in entries_of_part(part):
            found[entry.url] = entry.text
            gone.discard(entry.id)
    return {url for url in found if document_id(url) not in gone}, gone


def test_saved_changed_moved_and_deleted(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    project.take()
    files = EarlyFiles(project.folder, project.config)
    (docs / "b.txt").write_text("La red nueva es de hilo.")
    assert files.take([str(docs / "b.txt")]) == 1
    assert files.take([str(docs / "b.txt")]) == 0, "what was told twice is read once"
    (docs / "b.txt").rename(docs / "c.txt")
    (docs / "a.txt").unlink()
    assert files.take([str(docs / name) for name in ("a.txt", "b.txt", "c.txt")]) == 3
    files.close()
    old = {document_id(file_address(str(docs / name))) for name in ("a.txt", "b.txt")}
    assert early(project) == ({file_address(str(docs / "c.txt"))}, old)


def test_a_folder_that_is_moved_takes_its_files_along(tmp_path: Path, docs: Path) -> None:
    (docs / "one").mkdir()
    (docs / "one" / "b.txt").write_text("La red nueva es de hilo.")
    project = LocalProject(tmp_path / "p", str(docs))
    project.take()
    files = EarlyFiles(project.folder, project.config)
    (docs / "one").rename(docs / "two")
    files.take([str(docs / "one"), str(docs / "two")])
    files.close()
    assert early(project)[0] == {file_address(str(docs / "two" / "b.txt"))}


def test_what_nobody_told_is_found_by_a_scan(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    files = EarlyFiles(project.folder, project.config)
    assert files.scan() == 1
    assert files.scan() == 0
    (docs / "a.txt").unlink()
    (docs / "b.txt").write_text("La red nueva es de hilo.")
    assert files.scan() == 2
    docs.rename(tmp_path / "away")
    assert files.scan() == 0, "a root that is not there says nothing"
    project.take()
    files.begin_again()
    files.close()


def test_letters_and_files_that_are_left_out(tmp_path: Path, docs: Path) -> None:
    box = tmp_path / "Maildir"
    (box / "new").mkdir(parents=True)
    project = LocalProject(tmp_path / "p", f"maildir:{box}", str(docs), exclude=["secret"])
    project.take()
    files = EarlyFiles(project.folder, project.config)
    (box / "new" / "1").write_bytes(letter(1, "La red nueva es de hilo."))
    (docs / "secret.txt").write_text("Nadie debe leer esto nunca.")
    (docs / ".hidden.txt").write_text("Nadie debe leer esto nunca.")
    assert files.take([str(box / "new" / "1"), str(docs / "secret.txt"), str(docs / ".hidden.txt")]) == 1
    files.close()
    assert early(project)[0] == {f"maildir://{box}/;mid=1@example.org"}


def test_many_files_at_once_are_found_some_at_a_time_and_none_is_left(tmp_path: Path, docs: Path) -> None:
    project = LocalProject(tmp_path / "p", str(docs))
    project.take()
    files = EarlyFiles(project.folder, project.config)
    for number in range(120):
        (docs / f"n{number}.txt").write_text(f"La red nueva número {number} es de hilo.")
    (docs / "a.txt").unlink()
    assert files.take([str(docs)]) == 121
    files.close()
    assert len(early_parts(project.folder)) == 3
    assert early(project)[0] == {file_address(str(docs / f"n{number}.txt")) for number in range(120)}
