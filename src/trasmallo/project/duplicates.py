"""Copies among documents that somebody names: files, folders of them, and projects.

Documents are compared by their main text, so that the menus of a site do not make its pages alike.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trasmallo import config
from trasmallo.clean.copies import CopyMethod, discovery, minhash
from trasmallo.clean.copies.minhash import Signatures
from trasmallo.pipeline.documents import extract_from
from trasmallo.pipeline.duplicates import signed_documents
from trasmallo.project.project import Project
from trasmallo.values.errors import DocumentError, UsageError

Skip = Callable[[str], None]
"""Called with the reason for each file of a folder that holds no text."""


class Likeness(NamedTuple):
    """Two alike documents by their names: a file's path, or the URL of a project's document."""

    first: str
    second: str
    similarity: float


class Collection:
    """Named documents and their signatures by one method."""

    def __init__(self, paths: Sequence[str], method: CopyMethod, skip: Skip) -> None:
        self._method = method
        self._skip = skip
        self.names: list[str] = []
        stored = method.sign is minhash.sign and any(map(is_project, paths))
        self._signed = np.concatenate([self._signed_at(path) for path in paths]) if stored else method.sign(self._texts(paths))

    def pairs(self, least: float) -> Iterator[Likeness]:
        """Every two that are so similar."""
        for first, second, similarity in discovery.expand(self._method.pairs(self._signed, least)):
            yield Likeness(self.names[first], self.names[second], similarity)

    def copies(self, least: float) -> Iterator[Likeness]:
        """Every copy once, as the second, with the document that represents its group as the first."""
        original, similarity = discovery.originals(self._method.pairs(self._signed, least), len(self.names))
        for number, first in enumerate(original):
            if first != number:
                yield Likeness(self.names[first], self.names[number], similarity[number])

    def like_first(self, least: float) -> Iterator[Likeness]:
        """What is so similar to the first document, the most alike first; where it comes again itself it is left out."""
        others = np.arange(1, len(self.names))
        similarity = self._method.compare(self._signed, np.zeros_like(others), others)
        first = self.names[0]
        for place in np.argsort(-similarity, kind="stable").tolist():
            name = self.names[place + 1]
            if similarity[place] >= least and os.path.abspath(name) != os.path.abspath(first):  # noqa: PTH100 - a name may be a URL
                yield Likeness(first, name, float(similarity[place]))

    def _signed_at(self, path: str) -> Signatures:
        """What a project has signed already, or the signatures of other documents."""
        if not is_project(path):
            signed: Signatures = self._method.sign(self._texts([path]))
            return signed
        with Project.open(path).tables() as tables:
            names, signed = signed_documents(tables)
        self.names.extend(url for _, url in names)
        return signed

    def _texts(self, paths: Iterable[str]) -> Iterator[str]:
        for path in paths:
            if is_project(path):
                yield from self._texts_of_project(path)
            elif Path(path).is_dir():
                yield from self._texts_of_folder(path)
            else:
                self.names.append(path)
                yield extract_from(path).text

    def _texts_of_project(self, path: str) -> Iterator[str]:
        with Project.open(path).tables() as tables:
            for _, url, text in tables.documents("text"):
                self.names.append(url)
                yield text

    def _texts_of_folder(self, path: str) -> Iterator[str]:
        for file in files_under(path):
            try:
                text = extract_from(file).text
            except DocumentError as error:
                self._skip(error.problem)
                continue
            self.names.append(file)
            yield text


def check_document(name: str) -> None:
    """Raises UsageError for a folder, where one document is meant."""
    if Path(name).is_dir():
        raise UsageError("{name} is a folder", "give one document: a file, a URL, or - for standard input", name=name)


def is_project(path: str) -> bool:
    """Whether a folder has a project file."""
    return (Path(path) / config.FILE_NAME).is_file()


def files_under(folder: str) -> Iterator[str]:
    """The files of a folder and those under it in the order of their names, but for hidden ones; links are not followed."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (str(Path(place, name)) for name in sorted(files) if not name.startswith("."))
