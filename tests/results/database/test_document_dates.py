"""Dates of documents: their own where they can be, else of the first visit, each with its origin."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.dated_run import VISIT, Dated, make_dated_run
from trasmallo.results.database.document_dates import between, moment_day, remark, span, within
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.store import digests
from trasmallo.values.errors import UsageError

DAY = 86_400.0
TOLD = {
    "2026-05-02": ("2026-05-02", "document"),
    "2026-07-02": ("2026-07-02", "document"),  # it is tomorrow already where the page was written
    "2026-07-03": ("2026-07-01", "first visit"),
    "2099-01-01": ("2026-07-01", "first visit"),
    "1989-12-31": ("2026-07-01", "first visit"),
    "1990-01-01": ("1990-01-01", "document"),
    "0001-01-01": ("2026-07-01", "first visit"),
    "2026-02-31": ("2026-07-01", "first visit"),
    "soon": ("2026-07-01", "first visit"),
    "": ("2026-07-01", "first visit"),
}


def dates_of(tables: Tables, *where: str) -> dict[str, tuple[str, ...]]:
    question = Question(where, columns=("url", "date", "date_origin", "told"))
    return {row[0].rpartition("/")[2]: row[1:] for row in tables.ask("dates", question)}


def test_a_date_is_the_documents_own_unless_it_cannot_be(tmp_path: Path) -> None:
    made = [Dated(f"http://a.es/{number}", told, "red") for number, told in enumerate(TOLD)]
    with Tables(make_dated_run(tmp_path, made)) as tables:
        found = dates_of(tables)
        assert remark(tables) == "3 documents dated by themselves, 7 by their first visit, 0 without a date"
        assert set(dates_of(tables, "date_origin=document")) == {"0", "1", "5"}
    assert [found[str(number)][:2] for number in range(len(TOLD))] == list(TOLD.values())
    assert [found[str(number)][2] for number in range(len(TOLD))] == list(TOLD)


def test_without_a_visit_only_a_past_day_counts(tmp_path: Path) -> None:
    made = [Dated("http://a.es/past", "2020-05-02", "red", None), Dated("http://a.es/future", "9999-05-02", "red", None)]
    made.append(Dated("http://a.es/clock", "", "red", 5.0))  # a clock that begins in 1970
    with Tables(make_dated_run(tmp_path, made)) as tables:
        found = dates_of(tables)
    assert found["past"][:2] == ("2020-05-02", "document")
    assert found["future"][:2] == found["clock"][:2] == ("", "")


def test_the_first_visit_is_that_of_any_run(tmp_path: Path) -> None:
    before = make_dated_run(tmp_path, [Dated("http://a.es/old", "", "red", VISIT - 40 * DAY)])
    compile_tables(before)
    now = [
        Dated("http://a.es/old", "", "red"),
        Dated("http://a.es/new", "", "red"),
        Dated("http://a.es/own", "2026-05-02", "red"),
    ]
    with Tables(make_dated_run(tmp_path, now)) as tables:
        found = {name: row[0] for name, row in dates_of(tables).items()}
    assert found == {"old": "2026-05-22", "new": "2026-07-01", "own": "2026-05-02"}
    pages = before.folder / "pages.parquet"
    digests.seal(before.folder, [pages])
    pages.write_bytes(b"?" * pages.stat().st_size)
    with Tables(make_dated_run(tmp_path, now)) as tables:
        assert dates_of(tables)["old"][0] == "2026-07-01", "a damaged run of before stops nobody"


def test_every_table_of_documents_can_be_asked_by_date(tmp_path: Path) -> None:
    made = [Dated("http://a.es/a", "2026-05-02", "red"), Dated("http://a.es/b", "2026-06-02", "mar")]
    with Tables(make_dated_run(tmp_path, made)) as tables:
        asked = Question(between("date", "2026-06"), columns=("word", "date", "date_origin"))
        assert list(tables.ask("words_by_page", asked)) == [("mar", "2026-06-02", "document")]
        assert tables.number("pages", between("date", until="2026-05")) == 1
        assert [row[0] for row in tables.ask("pages", Question(sort="-date", columns=("url",)))] == [
            "http://a.es/b",
            "http://a.es/a",
        ]


def test_spans_and_conditions() -> None:
    assert span("2026") == ("2026-01-01", "2027-01-01")
    assert span("2026-02") == ("2026-02-01", "2026-03-01")
    assert span("2024-02-29") == ("2024-02-29", "2024-03-01")
    assert within("date", ">", "2026-05") == ("date>=2026-06-01",)
    assert within("date", "<", "2026-05") == ("date<2026-05-01", "date!=")
    assert between("first_seen", "2026-11", "2026-11-17") == ("first_seen>=2026-11-01", "first_seen<2026-11-18", "first_seen!=")
    assert between("date") == ()
    assert moment_day("x").count("x") == 1
    for wrong in ("", "x", "2026-13", "2026-02-30", "9999-12-31", "26-05"):
        with pytest.raises(UsageError, match="is no date: write it like 2026"):
            span(wrong)
