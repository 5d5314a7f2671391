"""What the archive alone tells: answers, what they were asked for as, failures, and runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.warc_answers import SOFTWARE, answer
from trasmallo.pipeline.archive_rows import (
    OUTCOMES,
    RUNS,
    append_failures,
    append_run,
    archived_time,
    failures_in,
    is_page,
    judged_as,
    revisit_row,
    role_of,
    row_of_record,
    runs_in,
)
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Manifest
from trasmallo.store.warc import WarcRecord
from trasmallo.values.model import NO_ORIGIN, Fetch, Locator, Origin, Outcome, Reached

ROBOTS = "http://example.org/robots.txt"
SAME = Fetch("http://example.org/0", 5.0, Outcome.FETCHED, 200, "text/html", "sha1:A", 900, Locator("f", 1, 2))


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path, software=SOFTWARE) as archive:
        yield archive


def last(archive: Archive) -> WarcRecord:
    return list(archive.records())[-1][1]


def response(archive: Archive) -> WarcRecord:
    return next(record for _, record in archive.records() if record.kind == "response")


def test_failures_come_back_as_they_were(archive: Archive) -> None:
    rows = [
        Fetch("http://a.es/ñ", archived_time(1_700_000_000.123456789), Outcome.TIMED_OUT, cause="30 s\nand more"),
        Fetch("http://b.es/", 2.5, Outcome.ROBOTS, cause="", origin=Origin("http://a.es/", Reached.LINK, "http://a.es/ñ", 2)),
    ]
    append_failures(archive, "run-1", rows)
    assert last(archive).url == OUTCOMES
    assert failures_in(last(archive)) == ("run-1", rows)
    append_failures(archive, "run-1", [])
    assert failures_in(last(archive)) == ("run-1", rows), "nothing is not worth a record"


def test_a_run_speaks_of_itself(archive: Archive) -> None:
    manifest = Manifest("corpus-20261116-101010", "crawl", 12.5, crawled=True, processes=3, ended="2,000 pages")
    append_run(archive, manifest, 13.0)
    assert last(archive).url == RUNS
    assert list(runs_in(last(archive))) == [manifest]


@pytest.mark.parametrize(
    ("url", "role", "page"),
    [("http://a.es/", "", True), (ROBOTS, "", False), (ROBOTS, "rules", False), (ROBOTS, role_of(ROBOTS), True)],
)
def test_rules_are_told_from_a_page_of_the_same_address(archive: Archive, url: str, role: str, page: bool) -> None:
    archive.append(answer(url=url, request=b""), run="run-1", role=role)
    assert is_page(last(archive)) is page


def test_records_of_others_are_no_pages(archive: Archive) -> None:
    archive.append(answer(request=b""))
    assert not is_page(last(archive))


def test_a_revisit_takes_what_it_does_not_say_from_the_original() -> None:
    row = revisit_row(answer(7, headers=()), SAME, NO_ORIGIN)
    assert (row.url, row.media, row.digest, row.locator, row.size) == (
        "http://example.org/7",
        "text/html",
        "sha1:A",
        SAME.locator,
        900,
    )
    assert revisit_row(answer(7, status=304), SAME, NO_ORIGIN).outcome is Outcome.UNCHANGED
    assert revisit_row(answer(7, status=0), SAME, NO_ORIGIN).status == SAME.status


def test_what_an_answer_was_found_to_be_comes_back(archive: Archive, tmp_path: Path) -> None:
    page = answer(1, b"no", status=200)
    archive.append(page, run="r", judged=judged_as(page, Outcome.SOFT_404, "says: nothing"))
    with Catalog(tmp_path / "catalog") as known:
        row = row_of_record(response(archive), Locator("f", 1, 2), known)
    assert row is not None
    assert (row.outcome, row.cause) == (Outcome.SOFT_404, "says: nothing")


def test_only_what_the_status_does_not_tell_is_written(archive: Archive) -> None:
    assert judged_as(answer(1, b"x", status=200), Outcome.FETCHED, "") == ""
    assert judged_as(answer(1, b"x", status=404), Outcome.MISSING, "not found (status 404)") == ""
    archive.append(answer(1, b"x", status=200), run="r")
    assert response(archive).judged == ""


def test_a_judgement_that_is_not_known_here_is_left_to_the_status(archive: Archive, tmp_path: Path) -> None:
    archive.append(answer(1, b"no", status=200), run="r", judged="of a later version: x")
    with Catalog(tmp_path / "catalog") as known:
        row = row_of_record(response(archive), Locator("f", 1, 2), known)
    assert row is not None
    assert row.outcome is Outcome.FETCHED
