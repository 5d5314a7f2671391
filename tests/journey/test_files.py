"""A folder as a corpus: read where it is, asked like a site, changed, exported, checked and repaired."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from trasmallo.project.project import Project
from trasmallo.values.errors import NotFound
from trasmallo.values.local_addresses import file_address

BOAT = "La barca navega por la mar con el viento del norte. El faro alumbra a los pescadores toda la noche."
NETS = "Los pescadores remiendan sus redes en el puerto cada tarde, cuando vuelven de la mar con poca pesca."


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "boat.txt").write_text(BOAT, encoding="utf-8")
    (folder / "nets.html").write_text(f"<html><title>Redes</title><body><p>{NETS}</p></body></html>", encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path, docs: Path) -> Project:
    made = Project.new(tmp_path / "notes", [str(docs)], language="es")
    made.run()
    return made


def _documents(project: Project) -> set[str]:
    return {row["url"] for row in project.table("pages")}


def test_a_folder_is_asked_like_a_site(project: Project, docs: Path) -> None:
    assert {hit.title for hit in project.find("pescadores").hits} >= {"Redes"}
    assert project.kwic("mar").total == 2
    assert list(project.check()) == []


def test_what_changes_is_a_version_whose_text_is_kept_only_as_a_copy(project: Project, docs: Path) -> None:
    boat = docs / "boat.txt"
    boat.write_text(BOAT.replace("norte", "sur frío"), encoding="utf-8")
    project.run()
    assert [version.number for version in project.versions(str(boat)).versions] == [1, 2]
    with pytest.raises(NotFound, match="copy = true"):
        project.compare_versions(file_address(str(boat)))
    assert list(project.table("changes")) == []
    assert list(project.check()) == []


def test_an_export_as_warc_holds_the_files_as_they_are(project: Project, docs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.warc.gz"
    assert project.export("warc", out) == 2
    with out.open("rb") as file:
        answers = {
            record.rec_headers["WARC-Target-URI"]: record.content_stream().read()
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        }
    bodies = {url: answer.partition(b"\r\n\r\n")[2] for url, answer in answers.items()}
    assert bodies == {file_address(str(path)): path.read_bytes() for path in docs.iterdir()}


def test_the_catalog_is_made_again_from_the_archive(project: Project) -> None:
    before = _documents(project)
    shutil.rmtree(project.store / "catalog")
    project.repair()
    assert _documents(project) == before
    assert project.kwic("mar").total == 2
    assert list(project.check()) == []
