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
    "trasmallo.exporters": "A format for `export --as NAME`: a callable (project, path, wanted) -> number of what it wrote.",
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
    repair = "use one of {known} (perhaps {meant})" if meant else "use one of {known}"
    raise UsageError("there is no {name!r} among {group}", repair, name=name, group=group, known=", ".join(known), meant=meant)


def points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, ours first; nothing is imported."""
    if group not in GROUPS:
        raise KeyError(group)
    own = _OWN.get(group) or dict(_folders(_OWN_FOLDERS[group]))
    return (*(EntryPoint(name, place, group) for name, place in own.items()), *entry_points(group=group))


def _folders(package: str) -> Iterator[tuple[str, str]]:
    """The folders of a package of ours, which are packages themselves."""
    for path in Path(__file__).parent.joinpath(*package.split(".")[1:]).iterdir():
        if path.is_dir() and not path.name.startswith("_"):
            yield path.name, f"{package}.{path.name}"
