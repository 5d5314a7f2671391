"""Folders of files, read for import: every file becomes a page, `http://folder.invalid/FOLDER/PATH`.

Hidden files and symbolic links are passed over. Collections (WARC, JSON lines, mbox...) are opened, known by the ending of
their names, those of TREC by their first bytes; where a folder holds WARC files, only these are read, as the other files there
are about them. What a file brings has the rights of that file, but for collections of the web's pages (WARC, ARC, TREC), which
everybody may read unless a record says otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import msgspec

from trasmallo.clean.formats.sniff import media_of
from trasmallo.crawl.files.access import read_access
from trasmallo.store.foreign import Found, Revisit, holds_trec, read_foreign
from trasmallo.values.access import NOBODYS, Access
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
            yield from read_collection(path, limit=limit)
            return
        except DocumentError:  # it is only called so
            pass
    yield _page(path, root, limit)


def read_collection(path: Path, *, limit: int = _LARGEST) -> Iterator[Found]:
    """What a collection holds, with the rights of its file where it is not of the web."""
    pages = read_foreign(path, limit=limit)
    if _is_named(path, _ARCHIVES) or holds_trec(path):
        return pages
    access = rights_of(path)
    return (_with_rights(found, access) for found in pages)


def rights_of(path: Path) -> Access:
    """The rights of a file; nobody's where the system does not tell them."""
    with suppress(OSError):
        return read_access(path)
    return NOBODYS


def _with_rights(found: Found, access: Access) -> Found:
    if isinstance(found, Revisit):
        return found
    return msgspec.structs.replace(found, access=found.access or access)


def _page(path: Path, root: Path, limit: int) -> Response | Failure:
    url = "http://folder.invalid/" + quote("/".join((root.name, *path.relative_to(root).parts)), errors="surrogateescape")
    access = rights_of(path)
    try:
        told = path.stat()
        if told.st_size > limit:
            return Failure(url, told.st_mtime, Outcome.TOO_LARGE, f"{told.st_size:,} bytes are more than {limit:,}", access)
        content = path.read_bytes()
    except OSError as error:
        return Failure(url, 0.0, Outcome.BROKEN, f"cannot be read: {error.strerror}", access)
    headers = (("Content-Type", media_of(content, name=path.name)),)
    at = max(told.st_mtime, 0.0)
    return Response(url=url, at=at, status=200, reason="", headers=headers, body=content, content=content, access=access)


def _is_named(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(endings)
