"""Tables of documents: rows of those that changed are replaced, all others stay."""

from __future__ import annotations

from trasmallo.results.layers.changes import Changes, TableChange
from trasmallo.results.registry import Table

_DIFFERENT = """
    SELECT DISTINCT document FROM (
        (SELECT {columns} FROM {table} EXCEPT SELECT {columns} FROM base_{table})
        UNION ALL (SELECT {columns} FROM base_{table} EXCEPT SELECT {columns} FROM {table}))"""
DIFFERENT_COPIES = _DIFFERENT.format(table="copies", columns="document, original")
"""Documents that are copies and were none, or were, or are of another, as SQL."""

_OUTDATED = "SELECT document FROM outdated_documents"
_COUNTED = "SELECT document FROM removed_documents UNION SELECT document FROM added_documents"
_CATEGORIES = """
    WITH here AS (SELECT document, category, sum(count) AS count FROM ({lemmas}) GROUP BY document, category)
    SELECT document, category, CAST(count AS BIGINT) AS count, count / sum(count) OVER (PARTITION BY document) AS share
    FROM here"""


def of_parts(changes: Changes, table: Table) -> TableChange:
    """What the analysis writes of a document."""
    return TableChange(_OUTDATED, changes.own_rows(table))


def of_pages(_changes: Changes, table: Table) -> TableChange:
    """Pages, which tell whether they are copies, and of which."""
    return _with_others(table, DIFFERENT_COPIES)


def of_fields(_changes: Changes, table: Table) -> TableChange:
    """Fields, which tell what feeds say of a document."""
    return _with_others(table, _DIFFERENT.format(table="entries", columns="document, id, author, feed, published"))


def _with_others(table: Table, documents: str) -> TableChange:
    changed = f"{_OUTDATED} UNION {documents}"
    return TableChange(changed, f"SELECT * FROM {table.name} SEMI JOIN ({changed}) USING (document)")  # noqa: S608 - ours


def of_tokens(changes: Changes, table: Table) -> TableChange:
    """What is counted of the tokens of a document."""
    return TableChange(_COUNTED, changes.built(table.name, "added"))


def of_categories(changes: Changes, _table: Table) -> TableChange:
    """The categories of a document, from its lemmas."""
    return TableChange(_COUNTED, _CATEGORIES.format(lemmas=changes.built("lemmas_by_page", "added")))
