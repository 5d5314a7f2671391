"""Dates as calendars write them in addresses."""

from __future__ import annotations

import pytest

from trasmallo.crawl.traps.calendars import moment_in


@pytest.mark.parametrize(
    ("path", "query", "text", "unit", "sure"),
    [
        ("/cal/2041-05-17/x", "", "2041-05-17", "day", True),
        ("/cal/2041-05.html", "", "2041-05", "month", True),
        ("/cal/17-05-2041", "", "2041-05-17", "day", True),
        ("/cal/2041/5/17", "", "2041-05-17", "day", True),
        ("/cal/2041/05/", "", "2041-05", "month", False),
        ("/cal/20410517", "", "2041-05-17", "day", False),
        ("/cal/2041-W05", "", "2041-W05", "week", True),
        ("/cal/2041/mayo/", "", "2041-05", "month", True),
        ("/cal/September-2041", "", "2041-09", "month", True),
        ("/cal", "year=2041&month=5&day=17", "2041-05-17", "day", True),
        ("/cal", "anio=2041&mes=mayo", "2041-05", "month", True),
        ("/cal", "y=2041", "2041", "year", False),
        ("/cal", "m=204105", "2041-05", "month", True),
        ("/cal", "fecha=17%2F05%2F2041", "2041-05-17", "day", True),
        ("/cal", "ts=2252275200", "2041-05-16", "day", True),
        ("/cal", "event-date=2041-05-17T10:00", "2041-05-17", "day", True),
        ("/cal", "week=2041-W05", "2041-W05", "week", True),
    ],
)
def test_forms(path: str, query: str, text: str, unit: str, sure: bool) -> None:
    found = moment_in(path, query)
    assert found is not None
    assert (found.text, found.unit, found.sure) == (text, unit, sure)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/plan-2050", ""),
        ("/films/2041/", ""),
        ("/2041/13/", ""),
        ("/2041-02-31", ""),
        ("/2041-W60", ""),
        ("/noticia/204105", ""),
        ("/x", "date_to=2099-12-31"),
        ("/x", "year=0&month=5"),
        ("/x", "year=" + "9" * 5_000),
        ("/x", "q=2041-05-17"),
    ],
)
def test_what_is_no_date(path: str, query: str) -> None:
    assert moment_in(path, query) is None
