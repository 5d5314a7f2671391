"""All the points where somebody else's package can be plugged in; our own parts come through the same door, and first.

A plug-in is an entry point of an installed package, in one of the groups below. It is imported only when it is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from trasmallo.values.errors import UsageError
from trasmallo.values.nearest import nearest

GROUPS = {
    "trasmallo.exporters": "A format for `export --as NAME`: a callable (source, path, wanted) -> number of what it wrote; "
    "see `results.exports.source.ExportSource` and `results.exports.header.Wanted`.",
    "trasmallo.tables": "Result tables: a tuple of `results.registry.Table`.",
    "trasmallo.languages": "A language, named by its code: a package with any of the files of `study.languages.FILES`.",
}
"""Groups of entry points, and what a plug-in of each is."""

_EXPORTS = "trasmallo.results.exports"
_OWN = {
    "trasmallo.exporters": {
        "csv": f"{_EXPORTS}.tabular:write_csv",
        "tsv": f"{_EXPORTS}.tabular:write_tsv",
        "jsonl": f"{_EXPORTS}.tabular:write_jsonl",
        "parquet": f"{_EXPORTS}.tabular:write_parquet",
        "tei": f"{_EXPORTS}.tei:write_tei",
        "conllu": f"{_EXPORTS}.conllu:write_conllu",
        "vert": f"{_EXPORTS}.vertical:write_vert",
        "warc": f"{_EXPORTS}.warc:write_warc",
    },
}
"""Our own plug-ins; listed here and not in the package's metadata, so that a checkout needs no new installation to see them."""

_OWN_FOLDERS = {"trasmallo.languages": "trasmallo.study.languages"}
"""Packages of ours whose folders are plug-ins, each by its own name."""

_OWN_MODULES = {"trasmallo.tables": ("trasmallo.results.tables", "TABLES")}
"""Packages of ours whose modules are plug-ins, each by its own name, and what of a module the plug-in is."""


def names(group: str) -> tuple[str, ...]:
    """The names that can be loaded from a group, sorted."""
    return tuple(sorted({point.name for point in points(group)}))


def load(group: str, name: str) -> Any:
    """The object behind a name; raises UsageError that names the nearest one."""
    for point in points(group):
        if point.name == name:
            return point.load()
    known = names(group)
    meant = nearest(name, known)
    raise UsageError(
        f"there is no {name!r} among {group}",
        f"use one of {', '.join(known)}" + (f" (perhaps {meant})" if meant else ""),
    )


def points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, ours first; nothing is imported."""
    if group not in GROUPS:
        raise KeyError(group)
    return (*(EntryPoint(name, place, group) for name, place in _own(group)), *entry_points(group=group))


def _own(group: str) -> Iterator[tuple[str, str]]:
    """Names and places of our own plug-ins."""
    yield from _OWN.get(group, {}).items()
    if package := _OWN_FOLDERS.get(group):
        yield from ((path.name, f"{package}.{path.name}") for path in _inside(package) if path.is_dir())
    if group in _OWN_MODULES:
        package, attribute = _OWN_MODULES[group]
        yield from ((path.stem, f"{package}.{path.stem}:{attribute}") for path in _inside(package) if path.suffix == ".py")


def _inside(package: str) -> list[Path]:
    """The folders and files of a package of ours, in order."""
    paths = Path(__file__).parent.joinpath(*package.split(".")[1:]).iterdir()
    return sorted(path for path in paths if not path.name.startswith("_"))
