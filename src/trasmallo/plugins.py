"""All the points where somebody else's package can be plugged in; our own parts come through the same door, and first.

A plug-in is an entry point of an installed package, in one of the groups below. It is imported when it is named, or when all
of its group are asked for; its name is its own, and one that a part of ours has counts for nothing.
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
    "trasmallo.formats": "A format of documents that are read: a `trasmallo.clean.formats.registry.Format`.",
    "trasmallo.methods": "A method that finds the main content of a page: a `trasmallo.clean.content.registry.Method`.",
    "trasmallo.languages": "A language, named by its code: a package with any of the files of `study.languages.FILES`.",
}
"""Groups of entry points, and what a plug-in of each is."""

_EXPORTS = "trasmallo.results.exports"
_FORMATS = "trasmallo.clean.formats.entries"
_METHODS = "trasmallo.clean.content"
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
    "trasmallo.formats": {
        "html": f"{_FORMATS}:HTML",
        "xhtml": f"{_FORMATS}:XHTML",
        "text": f"{_FORMATS}:TEXT",
        "markdown": f"{_FORMATS}:MARKDOWN",
        "csv": f"{_FORMATS}:CSV",
        "tsv": f"{_FORMATS}:TSV",
        "xml": f"{_FORMATS}:XML",
        "entry": f"{_FORMATS}:ATOM",
        "pdf": f"{_FORMATS}:PDF",
        "docx": f"{_FORMATS}:DOCX",
        "pptx": f"{_FORMATS}:PPTX",
        "xlsx": f"{_FORMATS}:XLSX",
        "odt": f"{_FORMATS}:ODT",
        "ods": f"{_FORMATS}:ODS",
        "odp": f"{_FORMATS}:ODP",
        "epub": f"{_FORMATS}:EPUB",
        "rtf": f"{_FORMATS}:RTF",
        "doc": f"{_FORMATS}:DOC",
        "ppt": f"{_FORMATS}:PPT",
        "xls": f"{_FORMATS}:XLS",
        "mbox": f"{_FORMATS}:MAILBOX",
        "mail": f"{_FORMATS}:MAIL",
        "gzip": f"{_FORMATS}:GZIP",
        "zip": f"{_FORMATS}:ZIP",
        "prepared": f"{_FORMATS}:PREPARED_TEXT",
    },
    "trasmallo.methods": {
        "best": f"{_METHODS}.best:BEST",
        "plain": f"{_METHODS}.rules:PLAIN",
        "cnr": f"{_METHODS}.cnr:CNR",
        "cetr": f"{_METHODS}.cetr:CETR",
        "cetr-1d": f"{_METHODS}.cetr:CETR_1D",
        "bte": f"{_METHODS}.bte:BTE",
        "bte-window": f"{_METHODS}.bte:BTE_WINDOW",
        "all": f"{_METHODS}.whole_page:ALL",
    },
}
"""Our own plug-ins; listed here and not in the package's metadata, so that a checkout needs no new installation to see them."""

_OWN_FOLDERS = {"trasmallo.languages": "trasmallo.study.languages"}
"""Packages of ours whose folders are plug-ins, each by its own name."""

_OWN_MODULES = {"trasmallo.tables": ("trasmallo.results.tables", "TABLES")}
"""Packages of ours whose modules are plug-ins, each by its own name, and what of a module the plug-in is."""


def names(group: str) -> tuple[str, ...]:
    """The names that can be loaded from a group, ours first."""
    return tuple(dict.fromkeys(point.name for point in points(group)))


def own_names(group: str) -> tuple[str, ...]:
    """The names of our own parts of a group; nobody else's packages are looked at, which takes a while."""
    return tuple(_own(group))


def load(group: str, name: str) -> Any:
    """The object behind a name; raises UsageError that names the nearest one."""
    for point in points(group):
        if point.name == name:
            return _loaded(point)
    known = names(group)
    meant = nearest(name, known)
    repair = "use one of {known} (perhaps {meant})" if meant else "use one of {known}"
    raise UsageError("there is no {name!r} among {group}", repair, name=name, group=group, known=", ".join(known), meant=meant)


def load_all(group: str) -> dict[str, Any]:
    """Everything of a group by its name, ours first; raises UsageError for a plug-in that does not load."""
    found: dict[str, Any] = {}
    for point in points(group):
        if point.name not in found:
            found[point.name] = _loaded(point)
    return found


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:  # somebody else's code
        problem = "the plug-in {name!r} of {group} does not load ({kind}: {error})"
        raise UsageError(
            problem,
            "repair or uninstall the package it comes from",
            name=point.name,
            group=point.group,
            kind=type(error).__name__,
            error=error,
        ) from error


def points(group: str) -> Iterator[EntryPoint]:
    """The entry points of a group, ours first; others' packages are looked for when ours do not do. Nothing is imported."""
    for name, place in _own(group).items():
        yield EntryPoint(name, place, group)
    yield from entry_points(group=group)


def _own(group: str) -> dict[str, str]:
    """Names and places of our own plug-ins."""
    if group in _OWN:
        return _OWN[group]
    if group in _OWN_FOLDERS:
        package = _OWN_FOLDERS[group]
        return {path.name: f"{package}.{path.name}" for path in _inside(package) if path.is_dir()}
    package, attribute = _OWN_MODULES[group]
    return {path.stem: f"{package}.{path.stem}:{attribute}" for path in _inside(package) if path.suffix == ".py"}


def _inside(package: str) -> list[Path]:
    """The folders and files of a package of ours, in order."""
    paths = Path(__file__).parent.joinpath(*package.split(".")[1:]).iterdir()
    return sorted(path for path in paths if not path.name.startswith("_"))
