"""What exports say of themselves."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec
import pytest

from trasmallo.config import StudyConfig
from trasmallo.events import Event, Exporting
from trasmallo.project.project import Project
from trasmallo.results.exports.header import ExportRequest, Header, counted, write_beside
from trasmallo.results.exports.source import ExportSource
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError
from trasmallo.values.software import SOFTWARE


def test_options_can_be_typed_again() -> None:
    wanted = ExportRequest("words", ("count>=5", "word~it's"), ("word", "count"), "-count")
    words = shlex.split(wanted.options)
    assert words[:4] == ["--table", "words", "--where", "count>=5"]
    assert words[4:] == ["--where", "word~it's", "--columns", "word,count", "--sort", "-count"]
    assert ExportRequest().options == ""


def test_who_listens_hears_how_far_it_is() -> None:
    told: list[Event] = []
    assert list(counted(range(600), 600, told.append)) == list(range(600))
    assert told == [Exporting(done=done, total=600) for done in (0, 256, 512, 600)]


def test_whole_documents_have_no_columns() -> None:
    ExportRequest(where=("a=b",)).only_conditions("TEI")
    with pytest.raises(UsageError, match="TEI holds whole documents"):
        ExportRequest(columns=("url",)).only_conditions("TEI")


def test_the_file_beside_says_where_it_comes_from(finished: Project, tmp_path: Path) -> None:
    run = run_folders.latest(finished.runs)
    source = ExportSource(
        name="demo", language="es", run=run, store=finished.store, study=StudyConfig(), emit=finished.bus.emit
    )
    header = Header.of(source, ExportRequest("words"))
    write_beside(tmp_path / "w.csv", header, "csv", 7)
    said = msgspec.json.decode((tmp_path / "w.csv.meta.json").read_bytes())
    assert (said["corpus"], said["query"], said["software"]) == ("demo", "--table words", SOFTWARE)
    assert (said["format"], said["rows"], said["run"]) == ("csv", 7, finished.summary().run)
    assert said["date"].endswith("Z")
