"""The study of stored texts: what it begins with, and how its results take the place of those before."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline.reading.deaths import Deaths
from trasmallo.pipeline.restudy import begin, end, open_texts, take_over
from trasmallo.pipeline.staleness import stale_stage, start_run
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.rows import CopyRow, LinkRow, PageRow, TextRow
from trasmallo.store.parts import document_id, documents_done, finished_parts, write_part
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Drop

OTHER = Config(study=StudyConfig(parts=3))


def page(document: str, drop: str = "") -> PageRow:
    return PageRow(document, f"http://a.es/{document}", "a.es", 1.5, "t", "es", "utf-8", "text/html", 9, "sha1:X", drop=drop)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    texts = [TextRow("0a", "red", "00", "es"), TextRow("0b", "mar", "01", "")]
    pages = [page("0a"), page("0b"), page("0c", Drop.NOINDEX)]
    write_part(run.parts, "1", {"pages": pages, "texts": texts, "links": [LinkRow("0a", "http://b.es/", "b", "")]})
    return run


def copy(run: Run, document: str) -> None:
    row = CopyRow(document, f"http://a.es/{document}", "0a", "http://a.es/0a", 1.0)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.encode(row) + b"\n")


@pytest.mark.parametrize("compiled", [False, True])
def test_texts_come_as_they_were_cleaned_from_parts_and_from_parquet(run: Run, compiled: bool) -> None:
    copy(run, "0b")
    if compiled:
        compile_tables(run)
    with open_texts(run) as texts:
        found = sorted(texts.take(9), key=lambda stored: stored.page.document)
    assert [stored.page for stored in found] == [page("0a"), page("0b")], "a copy is a document"
    assert [stored.text for stored in found] == [TextRow("0a", "red", "00", "es"), TextRow("0b", "mar", "01", "")]


def test_a_page_at_which_processes_died_is_left_to_be_read_again(run: Run) -> None:
    url = "http://a.es/muere"
    write_part(run.parts, "2", {"pages": [msgspec.structs.replace(page(document_id(url), Drop.BROKEN), url=url)]})
    Deaths(run.deaths).add(url)
    assert begin(run, OTHER)
    assert list(documents_done(run.studying)) == ["0c"]


def test_what_study_does_not_touch_is_there_from_the_beginning(run: Run) -> None:
    assert begin(run, OTHER)
    assert list(documents_done(run.studying)) == ["0c"]
    write_part(run.studying, "2", {"pages": [page("0a")]})
    assert begin(run, OTHER), "it goes on"
    assert len(finished_parts(run.studying)) == 2
    assert begin(run, Config(language="en")), "other settings begin anew"
    assert len(finished_parts(run.studying)) == 1


def test_results_take_the_place_of_those_before_once(run: Run) -> None:
    compile_tables(run)
    run.mark("finished")
    begin(run, OTHER)
    write_part(run.studying, "2", {"pages": [page("0a")]})
    assert stale_stage(run, OTHER) == "study"
    end(run)
    assert sorted(documents_done(run.parts)) == ["0a", "0c"]
    assert (run.manifest.state, stale_stage(run, OTHER)) == ("stopped", "")
    assert not list(run.folder.glob("*.parquet"))
    assert {path.name for path in run.folder.iterdir() if path.is_dir()} <= {"parts", "spill"}
    assert not begin(run, OTHER), "all has been studied, only the tables are not made"
    with Tables(run) as tables:
        assert tables.select("SELECT url FROM links") == [("http://b.es/",)]


@pytest.mark.parametrize("outdated", [False, True])
def test_a_taking_over_that_was_cut_short_is_ended_later(run: Run, outdated: bool) -> None:
    begin(run, OTHER)
    run.studying.rename(run.studied)
    if outdated:
        run.parts.rename(run.folder / "outdated")
    take_over(run)
    assert (list(documents_done(run.parts)), stale_stage(run, OTHER)) == (["0c"], "")
    take_over(run)
    end(run)
    assert {path.name for path in run.folder.iterdir() if path.is_dir()} <= {"parts", "spill"}


def test_who_asks_while_results_are_taken_over_sees_all_of_them(run: Run) -> None:
    begin(run, OTHER)
    write_part(run.studying, "2", {"pages": [page("0a"), page("0b")]})
    run.studying.rename(run.studied)
    for step in (lambda: None, lambda: run.parts.rename(run.folder / "outdated"), lambda: take_over(run)):
        step()
        with Tables(run) as tables:
            assert tables.number("pages") == 3


def test_runs_that_do_not_tell_whether_a_page_showed_its_language_keep_it(run: Run) -> None:
    compile_tables(run)
    with Tables(run) as tables:
        tables.select(f"COPY (SELECT * EXCLUDE own_language FROM texts) TO '{run.folder / 'old'}' (FORMAT parquet)")
    (run.folder / "old").replace(run.folder / "texts.parquet")
    with open_texts(run) as texts:
        assert [stored.text.own_language for stored in texts.take(9)] == ["es", "es"]
