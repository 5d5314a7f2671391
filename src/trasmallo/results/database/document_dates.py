"""Dates of documents: the day that a document says it is from, else that of its first visit; each with its origin.

A day is taken from the document (the field `day`: what its head says, else its address) unless it is before 1990, when there
was no web, or after the visit that brought the document, which a clock or a template got wrong. The first visit is the earliest
of all finished runs of the project. A document with neither has no date, and counts in no period.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Protocol

from trasmallo.results.database.connection import Connection
from trasmallo.results.dates import BY_DOCUMENT, BY_VISIT
from trasmallo.results.sql import literal
from trasmallo.store import digests
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged, UsageError

DATED = ("date", "date_origin")
"""Columns of `dates` that every table of documents can be asked for, and by."""

EARLIEST = "1990-01-01"
"""The first day of a year in which there was a web; dates before it are mistakes."""

_AT = 'p."at"'
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")

# A day ends later in the west than where the visit was: one more is granted.
_DATES = """
    CREATE OR REPLACE TABLE document_dates AS
    WITH told AS (
        SELECT document, min(text) AS told, min(TRY_CAST(text AS DATE)) AS day FROM fields WHERE name = 'day' GROUP BY document
    ), visits AS (
        SELECT document, min("at") AS first_at FROM (
            SELECT document, "at" FROM all_pages{other_runs}
        ) WHERE "at" >= epoch(DATE '{earliest}') GROUP BY document
    ), known AS (
        SELECT p.document, p.url, coalesce(t.told, '') AS told, v.first_at, CASE
            WHEN t.day >= DATE '{earliest}' AND t.day <= {visited} + INTERVAL 1 DAY THEN t.day END AS own
        FROM all_pages p LEFT JOIN told t USING (document) LEFT JOIN visits v USING (document)
    )
    SELECT document, url, coalesce(strftime(coalesce(own, {first}), '%Y-%m-%d'), '') AS date,
           CASE WHEN own IS NOT NULL THEN '{by_document}' WHEN first_at IS NOT NULL THEN '{by_visit}' ELSE ''
           END AS date_origin, told, first_at
    FROM known"""


class Counting(Protocol):
    """What a remark needs of the tables of a run."""

    def tally(self, table: str, column: str, where: Sequence[str] = ()) -> dict[str, int]:
        """How often each value of a column of texts occurs."""


def make(connection: Connection, run: Run) -> str:
    """The SQL of `dates`, which are found now."""
    found = sorted(run.folder.parent.glob("*/pages.parquet"))
    others = [path for path in found if path.parent != run.folder and _is_sound(path)]
    listed = ", ".join(literal(str(path)) for path in others)
    files = f' UNION ALL SELECT document, "at" FROM read_parquet([{listed}], union_by_name = true)' if others else ""  # noqa: S608
    sql = _DATES.format(
        other_runs=files,
        earliest=EARLIEST,
        visited=f"coalesce({moment_day(_AT)}, current_date)",
        first=moment_day("first_at"),
        by_document=BY_DOCUMENT,
        by_visit=BY_VISIT,
    )
    connection.execute(sql)
    return "SELECT * FROM document_dates"


def _is_sound(path: Path) -> bool:
    """Whether a file of another run is what was written; `check` tells of one that is not, here it costs a first visit."""
    try:
        digests.verify(path)
    except StoreDamaged:
        return False
    return True


def moment_day(moment: str) -> str:
    """The SQL of the day (UTC) of a moment in seconds since 1970, which is SQL too."""
    return f"CAST(make_timestamp(CAST(floor({moment}) * 1000000 AS BIGINT)) AS DATE)"


def remark(tables: Counting) -> str:
    """How many documents are dated by themselves, by their first visit, and not at all."""
    found = tables.tally("dates", "date_origin", ("drop=",))
    own, visited, none = (found.get(name, 0) for name in (BY_DOCUMENT, BY_VISIT, ""))
    return f"{own:,} documents dated by themselves, {visited:,} by their first visit, {none:,} without a date"


def span(text: str) -> tuple[str, str]:
    """The first day of a year, month or day (2026, 2026-05, 2026-05-31) and the one after its last, in ISO 8601."""
    try:
        year, month, day = (*map(int, text.split("-") if _DAY.fullmatch(text) else ()), 0, 0)[:3]
        begin = date(year, month or 1, day or 1)
        end = begin + timedelta(days=1 if day else 32 if month else 367)
        end = end if day else end.replace(day=1) if month else end.replace(month=1, day=1)
    except (ValueError, OverflowError):
        raise UsageError("{text!r} is no date", "write it like 2026, 2026-05 or 2026-05-31", text=text[:80]) from None
    return begin.isoformat(), end.isoformat()


def within(column: str, sign: str, text: str) -> tuple[str, ...]:
    """Conditions on a column of days, for `sign` and a year, month or day: `<=` a month is until its end."""
    begin, end = span(text)
    known = f"{column}!="  # what has no date is neither before nor after
    return {
        "=": (f"{column}>={begin}", f"{column}<{end}"),
        ">=": (f"{column}>={begin}",),
        ">": (f"{column}>={end}",),
        "<": (f"{column}<{begin}", known),
        "<=": (f"{column}<{end}", known),
    }[sign]


def between(column: str, since: str = "", until: str = "") -> tuple[str, ...]:
    """Conditions on a column of days: not before `since` and not after `until`, each a year, month, day, or "" for any."""
    return (*(within(column, ">=", since) if since else ()), *(within(column, "<=", until) if until else ()))
