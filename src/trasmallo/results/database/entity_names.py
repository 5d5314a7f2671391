"""What the tables of entities are joined with: variants of names over the corpus, decisions and annotations of people.

Variants are a table of the run. Decisions and annotations are joined when a table is asked for, so that they show at once, also
for a run that is finished, and hold for later runs.
"""

from __future__ import annotations

from trasmallo.results.database.connection import Connection
from trasmallo.results.tables.entities import entities_sql
from trasmallo.store.run_folders import Run
from trasmallo.study.entities import annotated_documents, decisions
from trasmallo.study.entities.variants import Beside, NamedEntity, find_variants

_EMPTY = """
    CREATE TABLE IF NOT EXISTS entity_variants (entity VARCHAR, kind VARCHAR, name VARCHAR, evidence VARCHAR, documents BIGINT);
    CREATE TABLE IF NOT EXISTS entity_decisions (entity VARCHAR, kind VARCHAR, name VARCHAR, new_kind VARCHAR, blocked BOOLEAN);
    CREATE TABLE IF NOT EXISTS entity_splits (entity VARCHAR, kind VARCHAR, written VARCHAR);
    CREATE TABLE IF NOT EXISTS annotated_documents (document VARCHAR, digest VARCHAR, complete BOOLEAN);
    CREATE TABLE IF NOT EXISTS annotated_spans (document VARCHAR, "start" BIGINT, "end" BIGINT, kind VARCHAR)"""
_NAMED = "SELECT entity, kind, count(*) FROM mentions GROUP BY ALL ORDER BY ALL"
_BESIDE = """
    SELECT text, entity, kind, count(DISTINCT document) FROM mentions WHERE value = '' AND text <> entity
    GROUP BY ALL ORDER BY ALL"""
# An annotation counts while the text is as it was when somebody read it; then all that it touches gives way.
_ANNOTATED = """
    WITH read AS (
        SELECT a.document, a.complete, t.text FROM annotated_documents a JOIN texts t USING (document)
        WHERE md5(t.text) = a.digest
    ), human AS (
        SELECT s.document, substring(r.text, CAST(s."start" + 1 AS INTEGER), CAST(s."end" - s."start" AS INTEGER)) AS text,
               s.kind, s."start", s."end", coalesce(p.language, '') AS language
        FROM annotated_spans s JOIN read r USING (document) LEFT JOIN all_pages p USING (document)
    )
    SELECT m.* FROM mentions m ANTI JOIN (SELECT document FROM read WHERE complete) c ON c.document = m.document
    ANTI JOIN human h ON h.document = m.document AND h."start" < m."end" AND h."end" > m."start"
    UNION ALL BY NAME
    SELECT document, text, text AS entity, kind, "start", "end", '' AS value, 'human' AS source, 1.0 AS score, language
    FROM human"""
_DECIDED = """
    WITH named AS (
        SELECT m.*, coalesce(r.name, n.name, v.name, m.entity) AS name, coalesce(r.new_kind, n.new_kind, m.kind) AS new_kind
        FROM ({mentions}) m LEFT JOIN variants v ON v.entity = m.entity AND v.kind = m.kind
        LEFT JOIN entity_decisions r ON r.entity = m.entity AND r.kind = m.kind
        LEFT JOIN entity_decisions n ON n.entity = v.name AND n.kind = m.kind
        WHERE m.source = 'human' OR NOT coalesce(r.blocked, n.blocked, false)
    )
    SELECT n.* EXCLUDE (name, new_kind)
           REPLACE (CASE WHEN s.written IS NULL THEN n.name ELSE n.text END AS entity, n.new_kind AS kind)
    FROM named n LEFT JOIN entity_splits s ON s.written = n.text AND s.entity IN (n.name, n.entity) AND s.kind = n.kind"""


def make_empty(connection: Connection) -> None:
    """Make the tables that `decided` needs, empty."""
    connection.define(_EMPTY)


def stamp(run: Run) -> tuple[int, ...]:
    """Changes when decisions or annotations do."""
    return (*decisions.stamp(run.project), *annotated_documents.stamp(run.project))


def take_decisions(connection: Connection, run: Run) -> None:
    """Read the project's decisions and annotations; raises UsageError for a line that is none."""
    renamed, splits = decisions.resolved(decisions.load(run.project))
    made = annotated_documents.load(run.project)
    connection.define("; ".join(f"DELETE FROM {name}" for name in _OF_PEOPLE))  # noqa: S608 - the names are ours
    connection.insert("entity_decisions", [list(column) for column in zip(*renamed, strict=True)])
    connection.insert("entity_splits", [list(column) for column in zip(*splits, strict=True)])
    documents = [(one.document, one.digest, one.complete) for one in made]
    spans = [(one.document, span.start, span.end, span.kind) for one in made for span in one.spans]
    connection.insert("annotated_documents", [list(column) for column in zip(*documents, strict=True)])
    connection.insert("annotated_spans", [list(column) for column in zip(*spans, strict=True)])


_OF_PEOPLE = ("entity_decisions", "entity_splits", "annotated_documents", "annotated_spans")


def has_decisions(connection: Connection) -> bool:
    """Whether people decided anything."""
    return any(connection.select(f"SELECT 1 FROM {name} LIMIT 1") for name in _OF_PEOPLE)  # noqa: S608 - the names are ours


def decided(table: str) -> str:
    """`mentions` or `entities` as people want them."""
    mentions = _DECIDED.format(mentions=_ANNOTATED)
    return mentions if table == "mentions" else entities_sql(mentions)


def take_variants(connection: Connection) -> None:
    """Find the names of the run that mean the same as others."""
    named = [NamedEntity(*row) for row in connection.select(_NAMED)]
    found = find_variants(named, (Beside(*row) for row in connection.select(_BESIDE)))
    connection.define("DELETE FROM entity_variants")
    rows = [(one.entity, one.kind, one.name, one.evidence, one.documents) for one in found]
    connection.insert("entity_variants", [list(column) for column in zip(*rows, strict=True)])
