"""Folders of files, read for import: every file becomes a page, `http://folder.invalid/FOLDER/PATH`.

Hidden files and symbolic links are passed over. Collections (WARC, JSON lines, mbox...) are opened, known by the ending of
their names, those of TREC by their first bytes; where a folder holds WARC files, only these are read, as the other files there
are about them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from trasmallo.clean.formats.sniff import media_of
from trasmallo.store.foreign import Found, holds_trec, read_foreign
from trasmallo.values.errors import DocumentError
from trasmallo.values.model import Failure, Outcome, Response

_ARCHIVES = (".warc", ".arc")
_COLLECTIONS = (*_ARCHIVES, ".jsonl", ".conllu", ".vert", ".mbox", ".trec")
_LARGEST = 100_000_000  # judgement: bytes; as for pages that are stored


def read_folder(folder: Path, *, limit: int = _LARGEST) -> Iterator[Found]:
    """The pages of all files in a folder and below, in the order of their names; a file of more bytes is a Failure."""
    root = folder.resolve()
    return (found for path in _files(root) for found in _pages(path, root, limit))


def _files(root: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = [Path(place, name) for name in sorted(names) if not name.startswith(".")]
        files = [path for path in paths if path.is_file() and not path.is_symlink()]
        yield from [path for path in files if _is_named(path, _ARCHIVES)] or files


def _pages(path: Path, root: Path, limit: int) -> Iterator[Found]:
    if _is_named(path, _COLLECTIONS) or holds_trec(path):
        try:
            yield from read_foreign(path, limit=limit)
            return
        except DocumentError:  # it is only called so
            pass
    yield _page(path, root, limit)


def _page(path: Path, root: Path, limit: int) -> Response | Failure:
    url = "http://folder.invalid/" + quote("/".join((root.name, *path.relative_to(root).parts)), errors="replace")
    try:
        told = path.stat()
        if told.st_size > limit:
            return Failure(url, told.st_mtime, Outcome.TOO_LARGE, f"{told.st_size:,} bytes are more than {limit:,}")
        content = path.read_bytes()
    except OSError as error:
        return Failure(url, 0.0, Outcome.BROKEN, f"cannot be read: {error.strerror}")
    headers = (("Content-Type", media_of(content, name=path.name)),)
    return Response(url=url, at=max(told.st_mtime, 0.0), status=200, reason="", headers=headers, body=content, content=content)


def _is_named(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(endings)
