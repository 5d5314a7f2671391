"""Raw pages of a run or of some documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from trasmallo.project.project import Project
from trasmallo.store.archive import records
from trasmallo.values.errors import UsageError


def test_chosen_pages_with_their_requests_in_one_file(finished: Project, tmp_path: Path) -> None:
    chosen = {row["url"]: row["at"] for row in finished.table("pages", where=["language=en"])}
    assert finished.export("warc", tmp_path / "en.warc.gz", where=["language=en"]) == len(chosen)
    found = [record for _, record in records(tmp_path / "en.warc.gz", verify=True)]
    answers = {record.url: record.at for record in found if record.kind == "response"}
    asked = {record.url for record in found if record.kind == "request"}
    assert answers == pytest.approx(chosen, abs=1e-6)
    assert asked == set(chosen)
    assert [path.name for path in tmp_path.iterdir()] == ["en.warc.gz"]


def test_others_read_the_header(finished: Project, tmp_path: Path) -> None:
    finished.export("warc", tmp_path / "en.warc.gz", where=["language=en"])
    with (tmp_path / "en.warc.gz").open("rb") as file:
        info = next(iter(ArchiveIterator(file)))
        said = info.content_stream().read().decode()
    assert info.rec_type == "warcinfo"
    assert f"isPartOf: demo, run {finished.summary().run}" in said
    assert "--where language=en" in said
    assert "software: trasmallo/" in said


def test_copies_of_a_payload_are_written_whole(finished: Project, tmp_path: Path) -> None:
    digests = {row["url"]: row["digest"] for row in finished.table("pages", where=["drop~copy"])}
    assert digests
    finished.export("warc", tmp_path / "copies", where=["drop~copy"])
    found = [record for _, record in records(tmp_path / "copies", verify=True) if record.kind == "response"]
    assert {record.url: record.digest for record in found} == digests


def test_nothing_is_written_over_or_left_behind(finished: Project, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    with pytest.raises(UsageError, match="is not empty: choose another place"):
        finished.export("warc", tmp_path / "full")
    with pytest.raises(UsageError, match="there is no such page"):
        finished.export("warc", tmp_path / "none.warc.gz", where=["language=xx"])
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "mine"]
