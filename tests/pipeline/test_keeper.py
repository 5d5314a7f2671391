"""Keeping what the crawl brings: record, row, reader, in this order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from trasmallo.pipeline.keeper import Keeper, find_orphans
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Failure, Fetch, Outcome, Reached, Response, Target

URL = "http://a.es/"
HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
PAGE = Response(URL, 10.0, 200, "OK", HEADERS, b"<p>" + b"hola " * 200, b"")


class Kept:
    def __init__(self, folder: Path) -> None:
        self.archive = Archive(folder / "archive", software="trasmallo/0")
        self.catalog = Catalog(folder / "catalog")
        self.obtained: list[Fetch] = []
        self.keeper = Keeper(self.archive, self.catalog, "run", self.told)

    def told(self, fetch: Fetch) -> None:
        assert self.catalog.latest(fetch.url) == fetch, "the row is there before the readers are told"
        assert fetch.locator is not None
        assert self.archive.read(fetch.locator, verify=True).digest == fetch.digest
        self.obtained.append(fetch)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(tmp_path)
    with kept.archive, kept.catalog:
        yield kept


def test_a_page_is_stored_and_told(kept: Kept) -> None:
    fetch = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    assert (fetch.media, fetch.size, fetch.status, fetch.cause) == ("text/html", len(PAGE.body), 200, "")
    assert kept.obtained == [fetch]


def test_every_row_tells_the_way_of_its_own_asking(kept: Kept) -> None:
    first = Target(URL, 0, seed=URL, reached=Reached.SEED)
    link = Target("http://a.es/copy", 2, via=URL, seed=URL, reached=Reached.LINK)
    failed = Target("http://a.es/gone", 1, via=URL, seed=URL, reached=Reached.REDIRECT)
    kept.keeper.keep(first, PAGE, Outcome.FETCHED, "")
    kept.keeper.keep(link, msgspec.structs.replace(PAGE, url=link.url), Outcome.FETCHED, "")
    kept.keeper.keep(failed, Failure(failed.url, 11.0, Outcome.TIMED_OUT, "slow"), Outcome.TIMED_OUT, "slow")
    kept.keeper.keep(link, msgspec.structs.replace(PAGE, at=12.0, status=304, body=b""), Outcome.UNCHANGED, "")
    assert [row.origin for row in kept.catalog.every()] == [first.origin, link.origin, failed.origin, link.origin]
    pages = [record for _, record in kept.archive.records() if record.kind in ("response", "revisit")]
    assert [record.origin for record in pages] == [first.origin, link.origin, link.origin]


def test_what_a_killed_session_stored_is_recalled(kept: Kept) -> None:
    fetch = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    recalled = kept.keeper.recall(URL)
    assert recalled is not None
    answer, row = recalled
    assert row == fetch
    assert (answer.url, answer.status, answer.headers, answer.content) == (URL, 200, HEADERS, PAGE.body)
    assert kept.obtained == [fetch], "the readers find it in the catalog"


def test_what_an_earlier_run_stored_or_what_failed_is_asked_for(kept: Kept) -> None:
    kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    assert Keeper(kept.archive, kept.catalog, "next", kept.told, began=11.0).recall(URL) is None
    kept.keeper.keep(Target(URL + "b"), msgspec.structs.replace(PAGE, url=URL + "b", status=503), Outcome.HTTP_ERROR, "503")
    assert kept.keeper.recall(URL + "b") is None
    assert kept.keeper.recall(URL + "never") is None


def test_a_record_whose_row_was_lost_gets_it_again(kept: Kept) -> None:
    original = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    lost = {
        "b": msgspec.structs.replace(PAGE, body=b"<p>" + b"adios " * 200),
        "moved": msgspec.structs.replace(PAGE, status=301, headers=(("Location", "/b"),), body=b""),
        "failing": msgspec.structs.replace(PAGE, status=503),
        "robots.txt": PAGE,
        "before": msgspec.structs.replace(PAGE, at=1.0),
    }
    for path, answer in lost.items():
        kept.archive.append(msgspec.structs.replace(answer, url=URL + path), run="run")
    kept.archive.append_revisit(msgspec.structs.replace(PAGE, url=URL + "copy"), original, run="run")
    keeper = Keeper(kept.archive, kept.catalog, "run", kept.told, began=2.0)
    keeper.adopt(kept.archive.behind(original.locator))
    adopted = {url.removeprefix(URL): kept.catalog.latest(url) for url in kept.catalog.urls() if url != URL}
    assert {path: (row.outcome, row.size, row.location) for path, row in adopted.items() if row} == {
        "b": (Outcome.FETCHED, len(lost["b"].body), ""),
        "moved": (Outcome.REDIRECTED, 0, URL + "b"),
        "copy": (Outcome.FETCHED, original.size, ""),
    }
    assert kept.obtained == [original, adopted["b"], adopted["copy"]]
    recalled = keeper.recall(URL + "b")
    assert recalled is not None
    assert (recalled[0].content, recalled[1]) == (lost["b"].body, adopted["b"])


def test_orphans_are_what_lies_behind_the_last_row(kept: Kept) -> None:
    kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    places = [kept.archive.append(msgspec.structs.replace(PAGE, url=URL + path))[0] for path in "bc"]
    assert [place for place, record in find_orphans(kept.archive, kept.catalog) if record.kind == "response"] == places
    (kept.archive.folder / places[0].file).rename(kept.archive.folder / "trasmallo-20990101000000-00000.warc.gz")
    assert len(list(find_orphans(kept.archive, kept.catalog))) > len(places), "a file that moved is read from its start"


def test_what_was_closed_in_order_has_no_orphans(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    with kept.archive, kept.catalog:
        page = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
        kept.keeper.keep(Target(URL), msgspec.structs.replace(PAGE, at=12.0, status=304, body=b""), Outcome.UNCHANGED, "")
        assert [record.kind for _, record in find_orphans(kept.archive, kept.catalog)] == ["revisit"]
    kept = Kept(tmp_path)
    with kept.archive, kept.catalog:
        assert list(find_orphans(kept.archive, kept.catalog)) == [], "rows of what is as before lead to the first record"
        kept.archive.append_revisit(msgspec.structs.replace(PAGE, at=14.0, status=304, body=b""), page, run="run")
        assert [record.at for _, record in find_orphans(kept.archive, kept.catalog)] == [14.0]


def test_a_copy_of_a_page_that_is_nowhere_is_asked_for_again(kept: Kept) -> None:
    missing = Fetch(URL, 1.0, Outcome.FETCHED, digest="sha1:" + "A" * 32)
    kept.archive.append_revisit(msgspec.structs.replace(PAGE, url=URL + "copy"), missing)
    kept.keeper.adopt(kept.archive.behind(None))
    assert list(kept.catalog.urls()) == []
    assert kept.keeper.recall(URL + "copy") is None


def test_a_failure_leaves_a_row_and_a_note_in_the_archive(kept: Kept) -> None:
    fetch = kept.keeper.keep(Target(URL), Failure(URL, 3.0, Outcome.TIMED_OUT, "30 s"), Outcome.TIMED_OUT, "30 s")
    assert kept.catalog.latest(URL) == fetch == Fetch(URL, 3.0, Outcome.TIMED_OUT, cause="30 s")
    assert kept.obtained == []
    assert [record.kind for _, record in kept.archive.records()] == ["warcinfo", "metadata"]


def test_an_error_page_is_stored_and_not_read(kept: Kept) -> None:
    fetch = kept.keeper.keep(Target(URL), msgspec.structs.replace(PAGE, status=404), Outcome.MISSING, "404")
    assert fetch.locator is not None
    assert kept.obtained == []


def test_a_304_after_a_challenge_means_the_last_content(kept: Kept) -> None:
    first = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    wall = msgspec.structs.replace(PAGE, at=PAGE.at + 1, body=b"wait", content=b"wait")
    kept.keeper.keep(Target(URL), wall, Outcome.CHALLENGE, "a challenge")
    same = msgspec.structs.replace(PAGE, at=PAGE.at + 2, status=304, body=b"", content=b"")
    again = kept.keeper.keep(Target(URL), same, Outcome.UNCHANGED, "")
    assert (again.digest, again.locator) == (first.digest, first.locator)


def test_a_judgement_is_kept_with_copies_of_a_page_too(kept: Kept) -> None:
    wall = msgspec.structs.replace(PAGE, body=b"x" * 1_000, content=b"x" * 1_000)
    for path in ("a", "b"):
        kept.keeper.keep(Target(URL + path), msgspec.structs.replace(wall, url=URL + path), Outcome.CHALLENGE, "a: b")
    records = [record for _, record in kept.archive.records() if record.kind in ("response", "revisit")]
    assert [(record.kind, record.judged) for record in records] == [
        ("response", "challenge page: a: b"),
        ("revisit", "challenge page: a: b"),
    ]
    assert kept.obtained == []


def test_a_redirect_says_where_to(kept: Kept) -> None:
    moved = msgspec.structs.replace(PAGE, status=301, headers=(("Location", "/b"),), body=b"")
    assert kept.keeper.keep(Target(URL), moved, Outcome.REDIRECTED, "").location == "http://a.es/b"


def test_the_same_payload_is_stored_once(kept: Kept) -> None:
    first = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    copy = kept.keeper.keep(Target(URL + "b"), msgspec.structs.replace(PAGE, url=URL + "b"), Outcome.FETCHED, "")
    assert (copy.locator, copy.digest) == (first.locator, first.digest)
    assert [record.kind for _, record in kept.archive.records()][1:] == ["response", "revisit"]
    assert kept.obtained == [first, copy]


def test_small_payloads_are_stored_each(kept: Kept) -> None:
    small = msgspec.structs.replace(PAGE, body=b"hola")
    kept.keeper.keep(Target(URL), small, Outcome.FETCHED, "")
    kept.keeper.keep(Target(URL + "b"), msgspec.structs.replace(small, url=URL + "b"), Outcome.FETCHED, "")
    assert [record.kind for _, record in kept.archive.records()][1:] == ["response", "response"]


def test_unchanged_points_at_the_version_before(kept: Kept) -> None:
    first = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
    answer = msgspec.structs.replace(PAGE, at=20.0, status=304, body=b"")
    again = kept.keeper.keep(Target(URL), answer, Outcome.UNCHANGED, "")
    assert (again.locator, again.digest, again.media, again.at) == (first.locator, first.digest, "text/html", 20.0)
    assert kept.obtained == [first, again]


def test_rules_are_evidence_and_no_page(kept: Kept) -> None:
    kept.keeper.keep_rules(msgspec.structs.replace(PAGE, url=URL + "robots.txt"))
    assert [record.url for _, record in kept.archive.records()][1:] == [URL + "robots.txt"]
    assert kept.catalog.latest(URL + "robots.txt") is None
    assert kept.obtained == []


def test_what_came_together_is_told_when_all_of_it_is_safe(kept: Kept) -> None:
    with kept.keeper.together():
        first = kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
        copy = kept.keeper.keep(Target(URL + "b"), msgspec.structs.replace(PAGE, url=URL + "b"), Outcome.FETCHED, "")
        lost = kept.keeper.keep(Target(URL + "c"), Failure(URL + "c", 3.0, Outcome.NO_HOST, "gone"), Outcome.NO_HOST, "gone")
        assert kept.obtained == []
        assert kept.catalog.latest(URL) is None
    assert copy.locator == first.locator, "a copy is recognised before the first is written"
    assert kept.obtained == [first, copy]
    assert kept.catalog.latest(URL + "c") == lost


def test_what_came_together_is_given_up_together(kept: Kept) -> None:
    with pytest.raises(RuntimeError), kept.keeper.together():
        kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "")
        raise RuntimeError
    assert kept.obtained == []
    assert kept.catalog.latest(URL) is None
    assert kept.keeper.keep(Target(URL), PAGE, Outcome.FETCHED, "").locator is not None


def test_a_page_off_topic_leaves_a_row_with_its_cause_and_no_record(kept: Kept) -> None:
    kept.keeper.keep(Target(URL), PAGE, Outcome.OFF_TOPIC, "its probability to be on topic is 0.03, less than 0.50")
    (row,) = kept.catalog.every()
    assert (row.outcome, row.locator, row.received, row.status) == (Outcome.OFF_TOPIC, None, len(PAGE.body), 200)
    assert kept.obtained == []
    assert [record.kind for _, record in kept.archive.records()].count("response") == 0
    assert kept.keeper.recall(URL) is None, "it is asked for again when a kill has lost that it was finished"
