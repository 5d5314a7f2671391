"""What a run's tables of unlisted words are joined with: reference frequencies, verdicts, and when other runs first saw them.

Reference frequencies enter the table when it is made. Verdicts and the other runs are joined when it is asked for, so that they
show at once, also for a run that is finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from trasmallo.store.run_folders import Run
from trasmallo.study import verdicts
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    import duckdb

JUDGED = ("unknown", "neologisms")
"""Tables of words that a verdict may be given on."""

COUNTED = """
    WITH used AS (
        SELECT u.word, u.kind, u.document, p.host, p.url, p.at AS seen, p.language, c.document IS NULL AS counts
        FROM unknown u JOIN all_pages p USING (document) LEFT JOIN copies c USING (document)
        WHERE u.kind <> 'special sequence'
    ), counted AS (
        SELECT word, mode(kind ORDER BY kind) FILTER (counts) AS kind, count(*) FILTER (counts) AS count,
               count(DISTINCT document) FILTER (counts) AS documents, count(DISTINCT host) FILTER (counts) AS sites,
               count(DISTINCT floor(seen / 86400)) FILTER (counts) AS days, arg_min(url, (seen, url)) AS first_url,
               min(seen) AS first_at, mode(language ORDER BY language) FILTER (counts) AS language
        FROM used GROUP BY word HAVING count(*) FILTER (counts) > 0
    )
    SELECT c.word, kind, count, documents, sites, days, first_url, first_at,
           CASE WHEN c.language IN (SELECT language FROM referred) THEN coalesce(r.per_million, 0) END AS reference,
           log2(1 + count) * sqrt(documents) * sites * sqrt(days) / (1 + coalesce(r.per_million, 0)) AS score
    FROM counted c LEFT JOIN reference r ON r.word = c.word AND r.language = c.language"""
"""Unlisted words and their use; the score is that of `study.neologisms`. A copy counts only for where a word was first seen."""

NO_REFERENCE = (
    "ranked without reference frequencies: install them with: pip install 'trasmallo[reference]', then: trasmallo study DIR"
)

_EMPTY = """
    CREATE TABLE IF NOT EXISTS reference (language VARCHAR, word VARCHAR, per_million DOUBLE);
    CREATE TABLE IF NOT EXISTS referred (language VARCHAR);
    CREATE TABLE IF NOT EXISTS verdicts (word VARCHAR, verdict VARCHAR)"""
_WORDS = "SELECT DISTINCT p.language, u.word FROM unknown u JOIN all_pages p USING (document) ORDER BY p.language"
_AT_ONCE = 10_000
_LANGUAGES = 4
"""Languages whose frequencies are kept in memory; some 50 MB each."""


def make_empty(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that `COUNTED` and `judged` need, empty."""
    connection.execute(_EMPTY)


def take_reference(connection: duckdb.DuckDBPyConnection) -> None:
    """Look the unlisted words up in the reference frequencies of their languages, where there are any."""
    words = connection.cursor().execute(_WORDS)
    told: set[str] = set()
    connection.execute("DELETE FROM reference; DELETE FROM referred")
    while rows := words.fetchmany(_AT_ONCE):
        known = {language: frequencies for language, _ in rows if (frequencies := frequencies_of(language)) is not None}
        for language in known.keys() - told:
            connection.execute("INSERT INTO referred VALUES (?)", [language])
        told |= known.keys()
        found = [(code, word, known[code][word]) for code, word in rows if word in known.get(code, ())]
        if found:
            columns = [list(column) for column in zip(*found, strict=True)]
            connection.execute("INSERT INTO reference SELECT unnest(?), unnest(?), unnest(?)", columns)


def take_verdicts(connection: duckdb.DuckDBPyConnection, run: Run) -> None:
    """Read the project's verdicts; raises UsageError for a line that is none."""
    found = verdicts.load(run.folder.parents[1]).values()
    connection.execute("DELETE FROM verdicts")
    if found:
        columns = [[one.word for one in found], [one.verdict for one in found]]
        connection.execute("INSERT INTO verdicts SELECT unnest(?), unnest(?)", columns)


def judged(table: str, run: Run) -> str:
    """The table with a column for verdicts and, of words, the first that any run of the project saw of them."""
    verdict = "coalesce(v.verdict, '') AS verdict"
    if table != "neologisms" or not (others := list(_others(run))):
        return f"SELECT t.*, {verdict} FROM {table} t LEFT JOIN verdicts v USING (word)"  # noqa: S608 - all of it is ours
    listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in others)
    return f"""
        WITH before AS (
            SELECT word, arg_min(first_url, first_at) AS url, min(first_at) AS seen
            FROM read_parquet([{listed}], union_by_name = true) GROUP BY word
        )
        SELECT t.* REPLACE (CASE WHEN b.seen < t.first_at THEN b.url ELSE t.first_url END AS first_url,
                            least(b.seen, t.first_at) AS first_at), {verdict}
        FROM neologisms t LEFT JOIN before b USING (word) LEFT JOIN verdicts v USING (word)"""  # noqa: S608 - all of it is ours


@lru_cache(_LANGUAGES)
def frequencies_of(language: str) -> Mapping[str, float] | None:
    """How often words occur among a million of a language in general, None when nobody tells."""
    from trasmallo.results.keyness import read_reference

    try:
        return {word: count / 1_000 for word, count in read_reference(f"wordfreq:{language}").items()}
    except UsageError:
        return None


def _others(run: Run) -> Iterator[Path]:
    """The same table of the other runs of the project that are finished."""
    return (path for path in sorted(run.folder.parent.glob("*/neologisms.parquet")) if path.parent != run.folder)
