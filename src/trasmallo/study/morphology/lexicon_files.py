"""Finds the files of a lexicon that another package brings, without importing it, and reads their rows."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec

from trasmallo.study import languages
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ProjectError

_BATCH = 20_000
"""Rows that are read at once, between two reports. Judgement."""


class LexiconSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `lexicon.toml`: the package ("" for none), its files in order, and what lies between the cells of a row.

    A row is a form, its lemma and its tag. With `paradigms` it is a lemma, its kind and its other forms, those of one cell
    apart by "/": then the table gives for each kind the tag of the lemma and those of the cells, "" for a cell that is passed
    over; an empty cell repeats the one before it.
    """

    package: str = ""
    files: tuple[str, ...] = ()
    separator: str = " "
    paradigms: dict[str, tuple[str, ...]] = {}


class LexiconFiles(msgspec.Struct, frozen=True):
    """The files of an installed lexicon; `digest` changes when one of them does."""

    paths: tuple[Path, ...]
    digest: str
    lexicon: LexiconSettings

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(path.stat().st_size for path in self.paths)

    def rows(self) -> Iterator[tuple[list[tuple[str, str, str]], int]]:
        """Form, lemma and tag in batches, each with the bytes read so far; lines of another shape are passed over."""
        done = 0
        for path in self.paths:
            content = path.read_bytes()
            lines = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8", "replace").splitlines()
            for begin in range(0, len(lines), _BATCH):
                cells = [line.split(self.lexicon.separator) for line in lines[begin : begin + _BATCH]]
                yield self._batch(cells), done + len(content) * begin // len(lines)
            done += len(content)

    def _batch(self, lines: list[list[str]]) -> list[tuple[str, str, str]]:
        if not self.lexicon.paradigms:
            return [(cells[0], cells[1], cells[2]) for cells in lines if len(cells) == 3]
        return [row for cells in lines for row in self._paradigm(cells)]

    def _paradigm(self, cells: list[str]) -> Iterator[tuple[str, str, str]]:
        tags = self.lexicon.paradigms.get(cells[1], ()) if len(cells) > 1 else ()
        forms = cells[0]
        for cell, tag in zip([cells[0], *cells[2:]], tags, strict=False):
            forms = cell or forms
            for form in forms.split("/"):
                yield form.lower(), cells[0].lower(), tag


@cache
def settings(code: str) -> LexiconSettings:
    """What a language folder says of its lexicon."""
    return msgspec.toml.decode(languages.load(code).content("lexicon.toml"), type=decodable(LexiconSettings))


def find(code: str) -> LexiconFiles | None:
    """The lexicon of a language, None when it has none; raises ProjectError when its package is not installed."""
    lexicon = settings(code)
    if not lexicon.package:
        return None
    try:
        listed = metadata.files(lexicon.package) or []
    except metadata.PackageNotFoundError:
        raise ProjectError(
            "the lexicon of {code} is not installed", "pip install {package}", code=code, package=lexicon.package
        ) from None
    named = {file.name: file for file in listed if file.name in lexicon.files}
    if len(named) != len(lexicon.files):
        raise ProjectError(
            "{package} lacks a file of its lexicon", "pip install --force-reinstall {package}", package=lexicon.package
        )
    chosen = [named[name] for name in lexicon.files]
    paths = tuple(Path(str(file.locate())) for file in chosen)
    marks = [file.hash.value if file.hash else _digest(path) for file, path in zip(chosen, paths, strict=True)]
    return LexiconFiles(paths, hashlib.sha256("".join(marks).encode()).hexdigest(), lexicon)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
