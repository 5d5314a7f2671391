"""Words and lemmas over time: the tables of trends, and the curve of one word. Dates are those of `dates`, copies are left out.

Everything is made of the words of each page when somebody asks, within the memory of the tables. What all questions share (the
documents by period, their sizes, the cells of `study.trends`) is kept as long as the tables are open.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from trasmallo.results.database.connection import Connection
from trasmallo.results.database.tables import Tables
from trasmallo.results.dates import BY_DOCUMENT
from trasmallo.store.run_folders import Run
from trasmallo.study.tokenise import key
from trasmallo.study.trends import FEWEST_CELLS, Period, PeriodFrequency, Trend, Unit, adjusted, interval, probabilities
from trasmallo.values.arrays import Array
from trasmallo.values.errors import UsageError


class TrendQuestion(msgspec.Struct, frozen=True):
    """What is asked: a word or lemma by its name, and the periods. `language` "" is that of most of its occurrences."""

    name: str
    unit: Unit = "word"
    by: Period = "month"
    language: str = ""


class _Source(NamedTuple):
    """The words of each page: the table they are in, what a row of a trend is of, and which of these are left out."""

    table: str
    keys: tuple[str, ...]
    without: str = ""


_SOURCES: dict[Unit, _Source] = {
    "word": _Source("words_by_page", ("word", "language"), "WHERE word NOT IN (SELECT word FROM frequent)"),
    "lemma": _Source("lemmas_by_page", ("lemma", "category", "language")),
}

_MONDAY = date(1969, 12, 29)
"""The Monday of the week of 1970-01-01, with which weeks are counted."""

_PLACES: dict[Period, str] = {
    "month": "12 * year(day) + month(day) - 1",
    "week": "CAST(floor((day - DATE '1969-12-29') / 7) AS BIGINT)",
}
_PERIODS = """
    CREATE TABLE IF NOT EXISTS trend_{by} AS
    SELECT document, host, day, {place} AS place, own FROM (
        SELECT d.document, p.host, TRY_CAST(d.date AS DATE) AS day, d.date_origin = '{own}' AS own
        FROM dates d JOIN all_pages p USING (document)
    ) WHERE day IS NOT NULL"""
_SIZES = """
    CREATE TABLE IF NOT EXISTS trend_{unit}_sizes AS
    SELECT document, language, CAST(sum(count) AS DOUBLE) AS tokens FROM {table} GROUP BY ALL"""
_CELLS = """
    CREATE TABLE IF NOT EXISTS trend_{unit}_{by}_cells AS
    SELECT language, own, host, place, sum(tokens) AS tokens FROM trend_{unit}_sizes JOIN trend_{by} USING (document)
    GROUP BY ALL"""
_STRATA = """
    CREATE TABLE IF NOT EXISTS trend_{unit}_{by}_strata AS
    WITH means AS (
        SELECT language, own, sum(tokens) AS total, sum(tokens * place) / sum(tokens) AS middle, count(*) AS cells
        FROM trend_{unit}_{by}_cells GROUP BY language, own
    )
    SELECT *, CASE WHEN spread > 0 AND cells > 2 THEN cells / (cells - 2) END AS correction FROM (
        SELECT language, own, total, middle, cells, sum(tokens * (place - middle) ** 2) AS spread,
               sum((tokens * (place - middle)) ** 2) AS squares
        FROM trend_{unit}_{by}_cells JOIN means USING (language, own) GROUP BY ALL
    )"""

# The sums of `study.trends` over all cells are those over the cells that have the word, and what the others add to V. What
# follows from sums is rounded: their last bits depend on the order in which threads come.
_MEASURED = """
    WITH here AS (
        SELECT {keys}, d.own, d.host, d.place, sum(w.count) AS count, count(*) AS documents, min(d.day) AS first,
               max(d.day) AS last
        FROM {words} w JOIN trend_{by} d USING (document) GROUP BY ALL
    ), of_sites AS (
        SELECT {keys}, host, sum(count) AS count, sum(documents) AS documents,
               coalesce(sum(documents) FILTER (own), 0) AS by_document, min(first) AS first, max(last) AS last
        FROM here GROUP BY ALL
    ), totals AS (
        SELECT {keys}, sum(count) AS count, sum(documents) AS documents, count(*) AS sites,
               sum(by_document) AS by_document, min(first) AS first, max(last) AS last
        FROM of_sites GROUP BY {keys}
    ), of_strata AS (
        SELECT {of_here}, own, count(*) AS cells, sum(h.count) / s.total AS share, sum(h.count * (place - s.middle)) AS score,
               sum(h.count * h.count * (place - s.middle) ** 2) AS own_squares,
               sum(h.count * c.tokens * (place - s.middle) ** 2) AS shared, s.squares, s.correction
        FROM here h JOIN trend_{unit}_{by}_cells c USING (language, own, host, place)
        JOIN trend_{unit}_{by}_strata s USING (language, own) GROUP BY {of_here}, own, s.total, s.squares, s.correction
    ), scores AS (
        SELECT {keys}, sum(score) AS score, sum(cells) AS cells,
               sum(correction * (share ** 2 * squares + own_squares - 2 * share * shared)) AS variance
        FROM of_strata WHERE correction IS NOT NULL GROUP BY {keys}
    ), languages AS (
        SELECT language, sum(total) AS tokens, sum(spread) FILTER (correction IS NOT NULL) AS spread,
               sum(cells - 2) FILTER (correction IS NOT NULL) AS freedom
        FROM trend_{unit}_{by}_strata GROUP BY language
    )
    SELECT {keys}, CAST(count AS BIGINT) AS count, CAST(documents AS BIGINT) AS documents, sites,
           strftime(first, '%Y-%m-%d') AS first_seen, strftime(last, '%Y-%m-%d') AS last_seen,
           1e6 * count / tokens AS per_million, round(1e6 * score / nullif(spread, 0), 9) AS slope,
           slope / per_million AS growth,
           CASE WHEN cells >= {fewest} AND variance > 0 THEN round(score / sqrt(variance), 9) END AS z,
           CAST(freedom AS DOUBLE) AS freedom, CAST(by_document AS BIGINT) AS by_document,
           CAST(documents - by_document AS BIGINT) AS by_visit, CAST(tokens AS BIGINT) AS tokens
    FROM totals LEFT JOIN scores USING ({keys}) JOIN languages USING (language)"""
_TABLE = """
    SELECT {keys_first}, count, documents, sites, first_seen, last_seen, per_million, slope, growth, z, p, q, by_document,
           by_visit, tokens, language
    FROM {name}_measured LEFT JOIN {name}_tested USING (number)"""

_NAMES: dict[Unit, str] = {"word": "word", "lemma": "lower(lemma)"}
"""What is compared with the name that is asked for: lemmas of names keep their capitals."""
# The words of each page are looked through once for a word; what follows asks for the few rows that have it.
_FOUND = """
    CREATE OR REPLACE TABLE trend_found AS
    SELECT document, {name} AS name, language, sum(count) AS count FROM {table} WHERE {name} = ? GROUP BY ALL"""
_LANGUAGE = "SELECT language FROM trend_found GROUP BY language ORDER BY sum(count) DESC, language LIMIT 1"
_OF_LANGUAGE = "(SELECT * FROM trend_found WHERE language = ?)"
_UNDATED = "SELECT count(*) FROM trend_found WHERE language = ? AND document NOT IN (SELECT document FROM trend_{by})"
_CURVE = """
    WITH bases AS (
        SELECT place, sum(tokens) AS tokens, sum(tokens * tokens) AS squares
        FROM trend_{unit}_sizes JOIN trend_{by} USING (document) WHERE language = ? GROUP BY place
    ), seen AS (
        SELECT place, sum(count) AS count, count(*) AS documents, count(DISTINCT host) AS sites,
               sum(count * count) AS own_squares, sum(count * tokens) AS shared
        FROM trend_found JOIN trend_{unit}_sizes USING (document, language) JOIN trend_{by} USING (document)
        WHERE language = ? GROUP BY place
    )
    SELECT place, coalesce(count, 0), coalesce(documents, 0), coalesce(sites, 0), tokens,
           coalesce((own_squares - 2 * count / tokens * shared + (count / tokens) ** 2 * squares) / count, 1)
    FROM bases LEFT JOIN seen USING (place) ORDER BY place"""


def make_table(connection: Connection, _run: Run, *, unit: Unit, by: Period) -> str:
    """The SQL of a table of trends, which are measured and tested now."""
    _share(connection, unit, by)
    source, name = _SOURCES[unit], f"trend_{unit}_{by}"
    words = f"(SELECT * FROM {source.table} {source.without})"  # noqa: S608 - all of it is ours
    measured = _measured(unit, by, source.keys, words)
    connection.execute(f"CREATE OR REPLACE TABLE {name}_measured AS SELECT row_number() OVER () AS number, * FROM ({measured})")  # noqa: S608
    tested = connection.arrays(f"SELECT number, z, freedom FROM {name}_measured WHERE z IS NOT NULL ORDER BY number")  # noqa: S608
    connection.keep(f"{name}_tested", _tested(tested))
    return _TABLE.format(keys_first=", ".join(source.keys[:-1]), name=name)


words_by_month = partial(make_table, unit="word", by="month")
words_by_week = partial(make_table, unit="word", by="week")
lemmas_by_month = partial(make_table, unit="lemma", by="month")
lemmas_by_week = partial(make_table, unit="lemma", by="week")


def find_trend(tables: Tables, question: TrendQuestion) -> Trend:
    """The trend of a word or lemma; raises UsageError when it does not occur, or in no document with a date."""
    unit, by, table = question.unit, question.by, _SOURCES[question.unit].table
    tables.prepare(table, "dates")
    _share(tables.connection, unit, by)
    name = key(question.name.strip())
    tables.connection.execute(_FOUND.format(name=_NAMES[unit], table=table), [name])
    language = question.language or _language_of(tables, name, unit)
    rows = tables.select(_measured(unit, by, ("name", "language"), _OF_LANGUAGE), [language])
    if not rows:
        problem, repair = "no document with a date has {name!r} in {language!r}", "see the dates with: trasmallo list DIR dates"
        raise UsageError(problem, repair, name=name[:80], language=language[:80])
    ((undated,),) = tables.select(_UNDATED.format(by=by), [language])
    curve = tables.select(_CURVE.format(unit=unit, by=by), [language, language])
    return _trend(rows[0], unit=unit, by=by, undated=undated, curve=curve)


def period_name(place: int, by: Period) -> str:
    """A month as 2026-05, a week by its Monday as 2026-05-04."""
    return f"{place // 12:04}-{place % 12 + 1:02}" if by == "month" else (_MONDAY + timedelta(weeks=place)).isoformat()


def _share(connection: Connection, unit: Unit, by: Period) -> None:
    """Have what all trends of a unit and a period need."""
    connection.execute(_PERIODS.format(by=by, place=_PLACES[by], own=BY_DOCUMENT))
    connection.execute(_SIZES.format(unit=unit, table=_SOURCES[unit].table))
    for sql in (_CELLS, _STRATA):
        connection.execute(sql.format(unit=unit, by=by))


def _measured(unit: Unit, by: Period, keys: Sequence[str], words: str) -> str:
    listed, of_here = ", ".join(keys), ", ".join(f"h.{name}" for name in keys)
    return _MEASURED.format(unit=unit, by=by, keys=listed, of_here=of_here, words=words, fewest=FEWEST_CELLS)


def _tested(measured: dict[str, Array]) -> dict[str, Array]:
    p = probabilities(np.asarray(measured["z"], np.float64), np.asarray(measured["freedom"], np.float64))
    return {"number": np.asarray(measured["number"], np.int64), "p": p, "q": adjusted(p)}


def _language_of(tables: Tables, name: str, unit: Unit) -> str:
    found = tables.select(_LANGUAGE)
    if not found:
        repair = "see what there is with: trasmallo list DIR {table}"
        raise UsageError("the run has no {unit} {name!r}", repair, unit=unit, name=name[:80], table=f"{unit}s")
    return str(found[0][0])


def _trend(row: tuple[Any, ...], *, unit: Unit, by: Period, undated: int, curve: list[tuple[Any, ...]]) -> Trend:
    name, language, count, documents, sites, first, last, rate, slope, growth, z, freedom, own, visited, tokens = row
    tested = z is not None
    return Trend(
        unit=unit,
        name=name,
        language=language,
        by=by,
        count=count,
        documents=documents,
        sites=sites,
        first_seen=first,
        last_seen=last,
        by_document=own,
        by_visit=visited,
        undated=undated,
        tokens=tokens,
        per_million=rate,
        slope=slope,
        growth=growth,
        z=z,
        p=float(probabilities(np.array([z]), np.array([freedom]))[0]) if tested else None,
        periods=tuple(_frequency(point, by) for point in curve),
    )


def _frequency(row: tuple[Any, ...], by: Period) -> PeriodFrequency:
    place, count, documents, sites, tokens, design_effect = row
    low, high = interval(float(count), tokens, design_effect)
    return PeriodFrequency(
        period=period_name(int(place), by),
        place=int(place),
        count=int(count),
        documents=documents,
        sites=sites,
        tokens=int(tokens),
        per_million=1e6 * float(count) / tokens,
        low=low,
        high=high,
    )
