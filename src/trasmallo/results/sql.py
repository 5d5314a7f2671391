"""Pieces of SQL: names and texts as they are written in it, and files as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def quoted(name: str) -> str:
    """A name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text."""
    return "'" + text.replace("'", "''") + "'"


def no_rows(kinds: Mapping[str, str]) -> str:
    """A table of columns with these types, and nothing in it."""
    listed = ", ".join(f"CAST(NULL AS {kind}) AS {quoted(name)}" for name, kind in kinds.items())
    return f"SELECT {listed} WHERE false"


def from_parquet(path: object) -> str:
    """The rows of a file."""
    return f"SELECT * FROM read_parquet({literal(str(path))})"  # noqa: S608 - the path is quoted


def with_added(rows: str, kinds: Mapping[str, str]) -> str:
    """Rows whose files may lack these columns, which are empty there: texts "", and all else NULL."""
    texts = [quoted(name) for name, kind in kinds.items() if kind == "VARCHAR"]
    whole = f"({rows}) UNION ALL BY NAME ({no_rows(kinds)})"
    listed = ", ".join(f"coalesce({name}, '') AS {name}" for name in texts)
    return f"SELECT *{f' REPLACE ({listed})' if listed else ''} FROM ({whole})"  # noqa: S608 - all of it is ours


def from_json_lines(files: Sequence[str], kinds: Mapping[str, str], longest: int = 1 << 20) -> str:
    """The rows of files, whose lines have at most so many bytes."""
    if not files:
        return no_rows(kinds)
    listed = ", ".join(map(literal, files))
    typed = ", ".join(f"{quoted(name)}: '{kind}'" for name, kind in kinds.items())
    options = f"format = 'newline_delimited', columns = {{{typed}}}, maximum_object_size = {longest}"
    return f"SELECT * FROM read_json([{listed}], {options})"  # noqa: S608 - all of it is ours
