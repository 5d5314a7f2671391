"""What a run's tables of unlisted words are joined with: reference frequencies, verdicts, dates, and what other runs saw first.

Reference frequencies enter the table when it is made. Verdicts, dates and the other runs are joined when it is asked for, so
that they show at once, also for a run that is finished.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol

from trasmallo.results.database.connection import Connection
from trasmallo.results.database.document_dates import EARLIEST, moment_day
from trasmallo.results.dates import BY_DOCUMENT, BY_VISIT
from trasmallo.results.reference import general_shares
from trasmallo.results.sql import literal
from trasmallo.store.run_folders import Run
from trasmallo.study import languages, verdicts
from trasmallo.study.code_spans import read_spans
from trasmallo.study.unlisted.corpus import Evidence, kinds_of
from trasmallo.study.unlisted.kinds import Kind
from trasmallo.study.unlisted.signs import SIGNS, Sign
from trasmallo.values.errors import UsageError
from trasmallo.values.urls import registered_domain


class Counting(Protocol):
    """What a remark needs of the tables of a run."""

    def number(self, table: str, where: Sequence[str] = ()) -> int:
        """How many rows of a table meet all conditions."""

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The names of a table's columns."""

    def tally(self, table: str, column: str) -> dict[str, int]:
        """How often each value of a column of texts occurs."""

    def select(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of SQL of the program's own."""


_FIRST = 50
"""Candidates that a person looks at in one sitting. Judgement."""
_PRECISION = f"""
    SELECT avg(probability), avg(probability) FILTER (place <= {_FIRST}) FROM (
        SELECT probability, row_number() OVER (ORDER BY score DESC) AS place FROM neologisms WHERE kind = '{Kind.CANDIDATE}'
    )"""  # noqa: S608 - all of it is ours
NO_REFERENCE = (
    "ranked without reference frequencies: install them with: pip install 'trasmallo[reference]', then: trasmallo study DIR"
)

_EMPTY = """
    CREATE TABLE IF NOT EXISTS reference (language VARCHAR, word VARCHAR, per_million DOUBLE);
    CREATE TABLE IF NOT EXISTS referred (language VARCHAR);
    CREATE TABLE IF NOT EXISTS verdicts (word VARCHAR, verdict VARCHAR);
    CREATE TABLE IF NOT EXISTS unlisted_uses (word VARCHAR, kind VARCHAR, nearest VARCHAR, written VARCHAR, signs INTEGER,
                                              language VARCHAR, times BIGINT);
    CREATE TABLE IF NOT EXISTS unlisted_places (word VARCHAR, documents BIGINT, sites BIGINT, sources BIGINT, days BIGINT,
                                                first_url VARCHAR, first_at DOUBLE);
    CREATE TABLE IF NOT EXISTS words_in_code (word VARCHAR, coded BIGINT);
    CREATE TABLE IF NOT EXISTS words_in_names (word VARCHAR, named DOUBLE);
    CREATE TABLE IF NOT EXISTS registered (host VARCHAR, domain VARCHAR);
    CREATE TABLE IF NOT EXISTS word_kinds (word VARCHAR, language VARCHAR, kind VARCHAR, probability DOUBLE, reason VARCHAR,
                                           nearest VARCHAR, affix VARCHAR, known BOOLEAN)"""
_COUNTS = "SELECT word, sum(count) FROM words_by_page WHERE word IN (SELECT unnest(?)) GROUP BY word"
_LEARNT = ", ".join(literal(one.code) for one in languages.known() if one.has("kinds.model"))
"""Languages of whose words something was learnt: a word that is used in one of them is judged there."""
_AUTHORS = "'author', 'article:author', 'dc.creator', 'entry:author'"
"""Names of fields in which pages and feeds say who wrote them."""
# Two authors of a paper are two sources, one author in two papers is one; copies are none.
_SOURCES = f"""
    CREATE OR REPLACE TABLE document_sources AS
    SELECT p.document, coalesce(author, domain, p.host) AS source
    FROM all_pages p LEFT JOIN registered USING (host) LEFT JOIN copies c USING (document) LEFT JOIN (
        SELECT document, min(lower(trim(text))) AS author FROM fields
        WHERE name IN ({_AUTHORS}) AND trim(text) <> '' GROUP BY document
    ) USING (document) WHERE c.document IS NULL"""  # noqa: S608 - all of it is ours
# Uses that are alike are counted once for all that is asked of them: a word has few ways to be used, and many places.
# Copies say nothing new of a word. Runs of earlier versions tell no signs, but how words are written.
_USES = f"""
    CREATE OR REPLACE TABLE unlisted_uses AS
    SELECT u.word, u.kind, u.nearest, coalesce(nullif(u.written, ''), u.word) AS written,
           coalesce(nullif(u.signs, 0), CASE WHEN u.written = lower(u.written) THEN {Sign.SMALL:d}
                                             ELSE {Sign.CAPITAL_INSIDE:d} END, {Sign.SMALL:d}) AS signs,
           coalesce(nullif(u.language, ''), p.language) AS language, count(*) AS times
    FROM unknown u JOIN all_pages p USING (document) LEFT JOIN copies c USING (document) WHERE c.document IS NULL
    GROUP BY ALL"""  # noqa: S608 - all of it is ours
# Numbers instead of names: counting different ones takes half of the time. `place` is the order of what was seen first.
_PAGES = """
    CREATE OR REPLACE TABLE page_numbers AS
    SELECT p.document, p.url, p.at, c.document IS NULL AS original, CAST(floor(p.at / 86400) AS INTEGER) AS day,
           CAST(dense_rank() OVER (ORDER BY p.host) AS INTEGER) AS host,
           CASE WHEN source IS NOT NULL THEN CAST(dense_rank() OVER (ORDER BY source) AS INTEGER) END AS source,
           CAST(row_number() OVER (ORDER BY p.at NULLS LAST, p.url) AS INTEGER) AS place
    FROM all_pages p LEFT JOIN copies c USING (document) LEFT JOIN document_sources USING (document)"""
# A copy counts only for where a word was first seen.
_PLACES = """
    CREATE OR REPLACE TABLE unlisted_places AS
    SELECT word, documents, sites, sources, greatest(days, 1) AS days, f.url AS first_url, f.at AS first_at FROM (
        SELECT word, count(*) FILTER (original) AS documents, count(DISTINCT host) FILTER (original) AS sites,
               count(DISTINCT source) AS sources, count(DISTINCT day) FILTER (original) AS days, min(place) AS place
        FROM (SELECT DISTINCT word, place FROM unknown JOIN page_numbers USING (document)) JOIN page_numbers USING (place)
        GROUP BY word
    ) JOIN page_numbers f USING (place)"""
# Mentions do not overlap. A single word at the beginning of a sentence is no evidence: any word is written large there.
_NAMED = f"""
    CREATE OR REPLACE TABLE words_in_names AS
    SELECT u.word, count(m.document) FILTER (
        u."start" < m."end" AND NOT (m."start" = u."start" AND (u.signs & {Sign.CAPITAL_FIRST:d}) <> 0
                                     AND NOT contains(m.text, ' '))
    ) / count(*) AS named
    FROM (SELECT u.* FROM unknown u LEFT JOIN copies c USING (document) WHERE c.document IS NULL) u
    ASOF LEFT JOIN (SELECT document, text, "start", "end" FROM mentions WHERE kind IN ('PER', 'LOC', 'ORG')) m
    ON u.document = m.document AND u."start" >= m."start" GROUP BY u.word"""  # noqa: S608 - all of it is ours
_SHARES = ", ".join(f"sum(times * ((signs >> {bit}) & 1)) / sum(times)" for bit in range(len(SIGNS)))
# Only what is said in its own language tells how a word is used there: an English article says nothing of a Spanish loan.
_EVIDENCE = f"""
    WITH set_off AS (
        SELECT lower(text) AS word, count(DISTINCT document) AS times FROM fields
        WHERE name = 'emphasis' AND NOT contains(text, ' ') GROUP BY lower(text)
    ), spoken AS (
        SELECT word, CASE WHEN sum(times) FILTER (language IN ({_LEARNT})) >= 2
                          THEN first(language ORDER BY times DESC, language) FILTER (language IN ({_LEARNT}))
                          ELSE first(language ORDER BY times DESC, language) END AS spoken
        FROM (SELECT word, language, sum(times) AS times FROM unlisted_uses GROUP BY word, language) GROUP BY word
    ), kinds AS (
        SELECT word, first(kind ORDER BY times DESC, kind) AS kind
        FROM (SELECT word, kind, sum(times) AS times FROM unlisted_uses GROUP BY word, kind) GROUP BY word
    ), near AS (
        SELECT word, first(nearest ORDER BY times DESC, nearest) AS nearest
        FROM (SELECT word, nearest, sum(times) AS times FROM unlisted_uses WHERE nearest <> '' GROUP BY word, nearest)
        GROUP BY word
    ), totals AS (
        SELECT word, CAST(sum(times) AS BIGINT) AS count FROM unlisted_uses GROUP BY word
    ), signed AS (
        SELECT u.word, {_SHARES} FROM unlisted_uses u JOIN spoken s ON u.word = s.word AND u.language = s.spoken GROUP BY u.word
    )
    SELECT word, spoken, kind, coalesce(nearest, ''), count, documents, sources, signed.* EXCLUDE (word),
           coalesce(set_off.times, 0), coalesce(coded, 0), coalesce(named, 0)
    FROM totals JOIN signed USING (word) JOIN spoken USING (word) JOIN kinds USING (word) JOIN unlisted_places USING (word)
    LEFT JOIN near USING (word) LEFT JOIN set_off USING (word) LEFT JOIN words_in_code USING (word)
    LEFT JOIN words_in_names USING (word) ORDER BY spoken, word"""  # noqa: S608 - all of it is ours
_WORDS = """
    SELECT DISTINCT coalesce(nullif(u.language, ''), p.language) AS spoken, u.word
    FROM unknown u JOIN all_pages p USING (document) ORDER BY spoken"""
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

_CODE = "SELECT t.text, t.code FROM texts t JOIN document_sources USING (document) WHERE t.code <> ''"
_CODE_WORD = re.compile(r"[^\W\d_]{2,}")
_TEXTS_AT_ONCE = 100
"""Texts that are read together. Judgement: some MB."""
_AT_ONCE = 10_000
"""Words that are looked up together. Judgement: some MB."""

_LANGUAGES = 4
"""Languages whose frequencies are kept in memory; some 50 MB each."""


def make_empty(connection: Connection) -> None:
    """Make the tables that `neologisms` and `judged` need, empty."""
    connection.define(_EMPTY)


def take_reference(connection: Connection) -> None:
    """Look the unlisted words up in the reference frequencies of their languages, where there are any."""
    words = connection.stream(_WORDS, at_once=_AT_ONCE)
    told: set[str] = set()
    connection.define("DELETE FROM reference; DELETE FROM referred")
    while rows := list(islice(words, _AT_ONCE)):
        known = {language: frequencies for language, _ in rows if (frequencies := frequencies_of(language)) is not None}
        connection.insert("referred", [sorted(known.keys() - told)])
        told |= known.keys()
        found = [(code, word, known[code][word]) for code, word in rows if word in known.get(code, ())]
        connection.insert("reference", [list(column) for column in zip(*found, strict=True)])


def take_evidence(connection: Connection) -> None:
    """Reference frequencies, and the kinds of the unlisted words by all that the run has of them."""
    take_reference(connection)
    connection.define("DELETE FROM word_kinds")
    sources = _take_sources(connection)
    _take_code(connection)
    for sql in (_USES, _PAGES, _PLACES, _NAMED):
        connection.execute(sql)

    def counts_of(forms: Sequence[str]) -> dict[str, int]:
        return dict(connection.select(_COUNTS, [list(forms)]))

    rows = connection.stream(_EVIDENCE, at_once=_AT_ONCE)
    while some := list(islice(rows, _AT_ONCE)):
        for _, its in groupby(map(_evidence, some), key=attrgetter("language")):
            words = list(its)
            kinds = kinds_of(words, counts_of, sources)
            said = [(one.word, one.language, *kind) for one, kind in zip(words, kinds, strict=True)]
            connection.insert("word_kinds", [list(column) for column in zip(*said, strict=True)])


def _take_sources(connection: Connection) -> int:
    """Find out which documents are of one source; how many sources there are."""
    hosts = [host for (host,) in connection.select("SELECT DISTINCT host FROM all_pages ORDER BY host")]
    connection.define("DELETE FROM registered")
    connection.insert("registered", [hosts, list(map(registered_domain, hosts))])
    connection.execute(_SOURCES)
    return int(connection.select("SELECT count(DISTINCT source) FROM document_sources")[0][0])


def _take_code(connection: Connection) -> None:
    """Count in how many documents an unlisted word stands in code, which is left out of what is studied."""
    unlisted = {word for (word,) in connection.stream("SELECT DISTINCT word FROM unknown", at_once=_AT_ONCE)}
    found: Counter[str] = Counter()
    for text, spans in connection.stream(_CODE, at_once=_TEXTS_AT_ONCE):
        code = " ".join(text[start:end] for start, end in read_spans(spans))
        found.update(unlisted.intersection(_CODE_WORD.findall(code.lower())))
    connection.define("DELETE FROM words_in_code")
    connection.insert("words_in_code", [list(found), list(found.values())])


def _evidence(row: tuple[Any, ...]) -> Evidence:
    word, language, kind, nearest, count, documents, sources, *shares, emphasised, coded, named = row
    return Evidence(
        word=word,
        language=language,
        kind=kind,
        nearest=nearest,
        count=count,
        documents=documents,
        shares=tuple(shares),
        emphasised=emphasised,
        sources=sources,
        coded=coded,
        named=named,
    )


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
    """How many candidates are expected to be right, which other kinds there are, whether reference frequencies are missing."""
    kinds = tables.tally("neologisms", "kind")
    if not kinds:
        return ""
    told = "reference" in tables.columns_of("neologisms") and tables.number("neologisms", ("reference>=0",))
    return "; ".join(filter(None, (_expected(tables, kinds), "" if told else NO_REFERENCE)))


def _expected(tables: Counting, kinds: Mapping[str, int]) -> str:
    """The precision that the probabilities promise, of the candidates and of the first of them."""
    found = tables.select(_PRECISION)
    if "probability" not in tables.columns_of("neologisms") or not found or found[0][0] is None:
        return ""
    every, first = found[0]
    others = ", ".join(f"{kind} {kinds[kind]:,}" for kind in Kind if kind != Kind.CANDIDATE and kind in kinds)
    number = f"{kinds[Kind.CANDIDATE]:,} {'candidate' if kinds[Kind.CANDIDATE] == 1 else 'candidates'}"
    said = f"{number}, {100 * every:.0f} % expected to be right, {100 * first:.0f} % of the first {_FIRST}"
    return f"{said}; --where kind=... shows the others: {others}" if others else said


def _others(run: Run) -> Iterator[Path]:
    """The same table of the other runs of the project that are finished."""
    return (path for path in sorted(run.folder.parent.glob("*/neologisms.parquet")) if path.parent != run.folder)
