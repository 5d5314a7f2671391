"""What a run's tables of unlisted words are joined with: reference frequencies, verdicts, dates, and what other runs saw first.

Reference frequencies enter the table when it is made. Verdicts, dates and the other runs are joined when it is asked for, so
that they show at once, also for a run that is finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Protocol

from trasmallo.results.database.connection import Connection
from trasmallo.results.database.document_dates import EARLIEST, moment_day
from trasmallo.results.dates import BY_DOCUMENT, BY_VISIT
from trasmallo.results.reference import general_shares
from trasmallo.results.sql import literal
from trasmallo.store.run_folders import Run
from trasmallo.study import verdicts
from trasmallo.values.errors import UsageError


class Counting(Protocol):
    """What a remark needs of the tables of a run."""

    def number(self, table: str, where: Sequence[str] = ()) -> int:
        """How many rows of a table meet all conditions."""

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The names of a table's columns."""


NO_REFERENCE = (
    "ranked without reference frequencies: install them with: pip install 'trasmallo[reference]', then: trasmallo study DIR"
)

_EMPTY = """
    CREATE TABLE IF NOT EXISTS reference (language VARCHAR, word VARCHAR, per_million DOUBLE);
    CREATE TABLE IF NOT EXISTS referred (language VARCHAR);
    CREATE TABLE IF NOT EXISTS verdicts (word VARCHAR, verdict VARCHAR)"""
_WORDS = """
    SELECT DISTINCT coalesce(nullif(u.language, ''), p.language) AS spoken, u.word
    FROM {unknown} u JOIN all_pages p USING (document) ORDER BY spoken"""
# A copy counts only for when a word was seen, as for where it was seen first.
_SEEN = f"""
    CREATE OR REPLACE TABLE neologism_dates AS
    SELECT u.word, min(nullif(d.date, '')) AS first_seen, max(nullif(d.date, '')) AS last_seen,
           count(DISTINCT document) FILTER (date_origin = '{BY_DOCUMENT}' AND c.document IS NULL) AS by_document,
           count(DISTINCT document) FILTER (date_origin = '{BY_VISIT}' AND c.document IS NULL) AS by_visit
    FROM unknown u JOIN dates d USING (document) LEFT JOIN copies c USING (document) GROUP BY u.word"""  # noqa: S608 - ours
_DATES = """coalesce(least(s.first_seen, {before}), '') AS first_seen, coalesce(s.last_seen, '') AS last_seen,
            coalesce(s.by_document, 0) AS by_document, coalesce(s.by_visit, 0) AS by_visit"""
SEEN = ("first_seen", "last_seen", "by_document", "by_visit")
"""Columns of `neologisms` that tell when a word was seen: days, and how many of its documents are dated by whom."""

_AT_ONCE = 10_000
"""Words that are looked up together. Judgement: some MB."""

_SIGHTS = ("neologisms.parquet", "neologisms.base.parquet", "neologisms.own.parquet")
"""Files that tell when words were seen first; what was superseded was seen, too."""

_LANGUAGES = 4
"""Languages whose frequencies are kept in memory; some 50 MB each."""


def make_empty(connection: Connection) -> None:
    """Make the tables that `neologisms` and `judged` need, empty."""
    connection.define(_EMPTY)


def take_reference(connection: Connection, unknown: str = "unknown") -> None:
    """Look the unlisted words up in the reference frequencies of their languages, where there are any.

    `unknown` is the table of their occurrences, as SQL.
    """
    words = connection.stream(_WORDS.format(unknown=unknown), at_once=_AT_ONCE)
    told: set[str] = set()
    connection.define("DELETE FROM reference; DELETE FROM referred")
    while rows := list(islice(words, _AT_ONCE)):
        known = {language: frequencies for language, _ in rows if (frequencies := frequencies_of(language)) is not None}
        connection.insert("referred", [sorted(known.keys() - told)])
        told |= known.keys()
        found = [(code, word, known[code][word]) for code, word in rows if word in known.get(code, ())]
        connection.insert("reference", [list(column) for column in zip(*found, strict=True)])


def take_verdicts(connection: Connection, run: Run) -> None:
    """Read the project's verdicts; raises UsageError for a line that is none."""
    found = verdicts.load(run.project).values()
    connection.define("DELETE FROM verdicts")
    connection.insert("verdicts", [[one.word for one in found], [one.verdict for one in found]])


def take_dates(connection: Connection) -> None:
    """Find out when each unlisted word was seen first and last; `dates` must be there."""
    connection.execute(_SEEN)


def judged(table: str, run: Run) -> str:
    """The table with a column for verdicts and, of words, when they were seen and the first that any run saw of them."""
    verdict = "coalesce(v.verdict, '') AS verdict"
    if table != "neologisms":
        return f"SELECT t.*, {verdict} FROM {table} t LEFT JOIN verdicts v USING (word)"  # noqa: S608 - all of it is ours
    joined = "LEFT JOIN neologism_dates s USING (word) LEFT JOIN verdicts v USING (word)"
    if not (others := list(_others(run))):
        return f"SELECT t.*, {_DATES.format(before='NULL')}, {verdict} FROM neologisms t {joined}"  # noqa: S608 - as above
    listed = ", ".join(literal(str(path)) for path in others)
    before = f"CASE WHEN b.seen >= epoch(DATE '{EARLIEST}') THEN strftime({moment_day('b.seen')}, '%Y-%m-%d') END"
    return f"""
        WITH before AS (
            SELECT word, arg_min(first_url, first_at) AS url, min(first_at) AS seen
            FROM read_parquet([{listed}], union_by_name = true) GROUP BY word
        )
        SELECT t.* REPLACE (CASE WHEN b.seen < t.first_at THEN b.url ELSE t.first_url END AS first_url,
                            least(b.seen, t.first_at) AS first_at), {_DATES.format(before=before)}, {verdict}
        FROM neologisms t LEFT JOIN before b USING (word) {joined}"""  # noqa: S608 - all of it is ours


@lru_cache(_LANGUAGES)
def frequencies_of(language: str) -> Mapping[str, float] | None:
    """How often words occur among a million of a language in general, None when nobody tells."""
    try:
        return {word: 1_000_000 * share for word, share in general_shares(language).items()}
    except UsageError:
        return None


def remark(tables: Counting) -> str:
    """That words are ranked without reference frequencies, where none of them has one."""
    if not tables.number("neologisms"):
        return ""
    told = "reference" in tables.columns_of("neologisms") and tables.number("neologisms", ("reference>=0",))
    return "" if told else NO_REFERENCE


def _others(run: Run) -> Iterator[Path]:
    """The same table of the other runs of the project that are finished, in all of its layers."""
    found = sorted(run.folder.parent.glob("*/neologisms.*"))
    return (path for path in found if path.parent != run.folder and path.name in _SIGHTS)
