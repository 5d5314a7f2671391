"""Pages that a browser sent to a project: kept at once in a WARC file of their own, studied when somebody asks for it.

They cannot go into the store directly, since a run may be at work on it; the file is imported like any other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.store.archive import Archive, ArchiveReader
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.folder_lock import locked
from trasmallo.values.model import Response
from trasmallo.values.software import SOFTWARE
from trasmallo.values.urls import canonical

FOLDER = "sent"
LARGEST = 10_000_000
"""Bytes of the largest page that is taken. Judgement: what `crawl.page_megabytes` allows a crawl by default."""


class SentPage(msgspec.Struct, frozen=True):
    """A page as a browser has it, and the filter through which its reader looked at it, as JSON."""

    url: str
    html: str
    title: str = ""
    language: str = ""
    filter: str = ""


def receive(folder: Path, page: SentPage, at: float = 0.0) -> int:
    """Keep a page; how many bytes it has. Raises UrlError or UsageError for one that cannot be taken."""
    url, body = canonical(page.url), page.html.encode("utf-8", "replace")
    if not body.strip():
        raise UsageError("the page is empty", "send one that has loaded")
    if len(body) > LARGEST:
        raise UsageError("the page has {count:,} bytes", "send one of at most {largest:,}", count=len(body), largest=LARGEST)
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    with disk_errors(folder), locked(folder), Archive(folder / FOLDER, software=SOFTWARE, prefix="sent") as archive:
        moment = at or time.time()
        archive.append(Response(url=url, at=moment, status=200, reason="OK", headers=headers, body=body, content=body))
        told = tuple((name, str(getattr(page, name))) for name in ("title", "language", "filter") if getattr(page, name))
        if told:
            archive.append_metadata(url, told, at=moment)
    return len(body)


def files(folder: Path) -> Sequence[Path]:
    """The files of pages sent so far, oldest first."""
    return sorted((folder / FOLDER).glob("*.warc.gz"))


def count(folder: Path) -> int:
    """How many pages were sent."""
    if not files(folder):
        return 0
    with ArchiveReader(folder / FOLDER) as reader:
        return sum(record.kind == "response" for _, record in reader.records(on_damage=lambda _damage: None))
