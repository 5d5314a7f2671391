"""The folder that can be shown to a user."""

from __future__ import annotations

from pathlib import Path

from trasmallo.project.project import Project
from trasmallo.project.readable import readable_folder
from trasmallo.store.rights import RightsWriter
from trasmallo.values.access import Access
from trasmallo.values.model import Fetch, Outcome


def test_a_public_project_is_shown_as_it_is(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p", ["http://a.es/"])
    assert readable_folder(project.folder, "60001") == project.folder


def test_who_may_not_read_all_is_shown_a_folder_without_addresses(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p", ["http://a.es/secreto"])
    (project.folder / "store").mkdir()
    hidden = Fetch("http://a.es/secreto", 1.0, Outcome.FETCHED, access=Access(uid=7, gid=7, mode=0o600))
    RightsWriter(project.folder / "store" / "catalog").note([hidden])
    shown = readable_folder(project.folder, "60001")
    assert shown != project.folder
    texts = [path.read_text() for path in shown.rglob("*") if path.is_file()]
    assert texts
    assert not any("secreto" in text for text in texts)
    assert readable_folder(project.folder, "7") == project.folder
