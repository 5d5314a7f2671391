"""Addresses of what is behind the cells of tables, relative to the project's or whole (`results.cells` says what it is)."""

from __future__ import annotations

from urllib.parse import urlencode

from trasmallo.results.cells import CellLink, ConcordanceCell, InDocument, Outside, Row, Rows, Screen, fill
from trasmallo.results.registry import find


def concordance(query: str, *where: str) -> str:
    """Where the hits of a corpus query are shown."""
    return "concordance?" + urlencode([("query", query), *(("where", condition) for condition in where)])


def table(name: str, *where: str, sort: str = "") -> str:
    """Where the rows of a table that meet conditions are shown."""
    pairs = [("where", condition) for condition in where] + ([("sort", sort)] if sort else [])
    return f"tables/{name}" + ("?" + urlencode(pairs) if pairs else "")


def document(identity: str, start: int = -1, end: int = -1) -> str:
    """Where a document is shown, with a place in its text marked when one is given."""
    return f"documents/{identity}" + (f"?at={start}-{end}#at" if start >= 0 else "")


def trend(name: str, column: str, row: Row) -> str:
    """Where the trend of a word or lemma in a column is shown, "" for other columns."""
    unit = find(name).over_time.get(column)
    language = {"language": row["language"]} if row.get("language") else {}
    return "trend?" + urlencode({unit: row[column]} | language) if unit and row[column] else ""


def address(name: str, column: str, row: Row) -> str:
    """What is behind a value of a column, "" when there is nothing."""
    link = find(name).link(column)
    if link is None or row[column] in ("", None):
        return ""
    try:
        return _address(link, column, row)
    except KeyError:
        return ""  # the column that it needs is not among those that are shown


def _address(link: CellLink, column: str, row: Row) -> str:
    match link:
        case ConcordanceCell():
            query = link.query_of(row)
            return concordance(query, *(fill(condition, row) for condition in link.where)) if query else ""
        case Rows():
            where = [fill(condition, row) for condition in link.where]
            return "" if row.get(link.unless) else table(link.table, *where, sort=link.sort)
        case Screen():
            return f"{link.path}?" + urlencode(link.arguments(row))
        case Outside():
            return str(row[column])
        case InDocument():
            return document(str(row[link.document]), *_place(link, row))


def _place(link: InDocument, row: Row) -> tuple[int, ...]:
    """Where the marked text begins and ends."""
    if not link.start:
        return ()
    start = int(row[link.start] or 0)
    return start, start + len(str(row[link.text]))
