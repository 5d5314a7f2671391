"""Names that people marked in documents: a file a document in the project's folder, which comes back as it went.

`annotations/ID.json` has the document's id and address, the digest of the text that was read, the spans in characters of it
with their kinds, and whether the document is complete: then what is not marked is no name. Of a partial one only the marks
are known. A mark counts while the text is the one that was read.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.folder_lock import locked

FOLDER = "annotations"
_KIND = re.compile(r"[A-Z][A-Z0-9_]{0,31}")
_ID = re.compile(r"[0-9a-f]{16}")
_MOST_SPANS = 100_000
"""Spans of a document at most. Judgement."""


class MarkedSpan(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A name in a text: its characters and its kind."""

    start: int
    end: int
    kind: str


class Annotation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The marks in a document whose text has this digest (MD5 of its UTF-8); `text` is only there where it is exported."""

    document: str
    digest: str
    spans: tuple[MarkedSpan, ...] = ()
    complete: bool = False
    url: str = ""
    language: str = ""
    when: str = ""
    text: str = ""


def digest_of(text: str) -> str:
    """What tells a text apart."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def stamp(folder: Path) -> tuple[int, ...]:
    """Changes when an annotation does; (0,) while there is none."""
    try:
        files = sorted((path.stat().st_mtime_ns, path.stat().st_size) for path in (folder / FOLDER).glob("*.json"))
    except OSError:
        return (0,)
    return (len(files), *(part for file in files for part in file)) if files else (0,)


def load(folder: Path) -> list[Annotation]:
    """All annotations of a project, by document; raises UsageError for a damaged file."""
    return [read(path) for path in sorted((folder / FOLDER).glob("*.json"))]


def find(folder: Path, document: str) -> Annotation | None:
    """The annotation of a document, None where there is none."""
    path = _path(folder, document)
    return read(path) if path.exists() else None


def read(path: Path) -> Annotation:
    """The annotation in a file; raises UsageError."""
    try:
        return _checked(msgspec.json.decode(path.read_bytes(), type=decodable(Annotation)))
    except OSError as error:
        raise UsageError(
            "cannot read {path} ({reason})", "give a file of annotations", path=path, reason=error.strerror
        ) from None
    except UNDECODABLE as error:
        raise UsageError("{path} is no annotation ({error})", "mend or remove it", path=path, error=error) from None


def annotate(folder: Path, annotation: Annotation, text: str) -> Annotation:
    """Keep the marks in a document whose text this is; raises UsageError for marks that overlap or stand outside of it."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    spans = tuple(sorted(set(annotation.spans)))
    if spans and (spans[0].start < 0 or spans[-1].end > len(text)):
        raise UsageError("a mark stands outside of the text", "give characters from 0 to {size}", size=len(text))
    made = _checked(msgspec.structs.replace(annotation, spans=spans, digest=digest_of(text), when=when, text=""))
    _write(folder, [made])
    return made


def forget(folder: Path, document: str) -> bool:
    """Remove the marks in a document; whether there were any."""
    path = _path(folder, document)
    with locked(folder), disk_errors(path):
        there = path.exists()
        path.unlink(missing_ok=True)
    return there


def take_over(folder: Path, annotations: Iterable[Annotation]) -> int:
    """Keep annotations that were exported, in the place of those of the same documents; how many. Raises UsageError."""
    given = [msgspec.structs.replace(_checked(one), text="") for one in annotations]
    _write(folder, given)
    return len(given)


def _write(folder: Path, annotations: Sequence[Annotation]) -> None:
    home = folder / FOLDER
    with locked(folder), disk_errors(home):
        home.mkdir(exist_ok=True)
        for one in annotations:
            write_whole(_path(folder, one.document), msgspec.json.format(msgspec.json.encode(one)) + b"\n")


def _path(folder: Path, document: str) -> Path:
    if not _ID.fullmatch(document):
        raise UsageError("{document!r} is no document", "give its id of 16 digits", document=document[:40])
    return folder / FOLDER / f"{document}.json"


def _checked(one: Annotation) -> Annotation:
    if not _ID.fullmatch(one.document):
        raise UsageError("{document!r} is no document", "give its id of 16 digits", document=one.document[:40])
    if len(one.spans) > _MOST_SPANS:
        raise UsageError("a document has more than {most:,} marks", "mark fewer", most=_MOST_SPANS)
    last = 0
    for span in sorted(one.spans):
        if not last <= span.start < span.end:
            raise UsageError("marks overlap or are empty at character {start}", "mark each name once", start=span.start)
        if not _KIND.fullmatch(span.kind):
            raise UsageError(
                "{kind!r} is no kind", "write capital letters, digits and _, at most 32, as DRUG", kind=span.kind[:40]
            )
        last = span.end
    return one
