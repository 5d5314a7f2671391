"""Stored answers by their rows: from the archive, or from the original where that stays where it is.

The row of a file or message of this machine has the locator `ORIGINAL`: its address says which file it is, `location` where a
message lies now (a mailbox moves its files), and the locator's offset and length where it begins in an mbox. What is read must
be what was listed, by its digest: a file that was changed since is refused, and the next pass reads it anew.
"""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import gmtime, strftime

from trasmallo.clean.formats.mail_parts import list_attachments, without_attachments
from trasmallo.crawl.files.archives import OpenedArchive
from trasmallo.crawl.mail.messages import MessagePlace, message_in
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.trec import SOURCE_DATE
from trasmallo.store.warc import WarcRecord, date_of, payload_digest
from trasmallo.values.errors import DocumentError
from trasmallo.values.local_addresses import MAILDIR, LocalPlace, place_of
from trasmallo.values.model import Fetch, Locator

ORIGINAL = "original"
"""The file of a locator that leads to an original in the place of a record."""

OWNER = "X-Trasmallo-Owner"
"""Header with the system's user who owns a file."""

LARGEST = 1_000_000_000
"""Octets of a file that is read; what is kept is less (`page_megabytes`)."""


def is_original(locator: Locator | None) -> bool:
    """Whether a locator leads to an original."""
    return locator is not None and locator.file == ORIGINAL


def read_record(archive: ArchiveReader, fetch: Fetch) -> WarcRecord:
    """The answer that a row tells of; raises DocumentError for an original that has changed or is gone."""
    assert fetch.locator is not None, "who asks has looked"
    return original_record(fetch) if is_original(fetch.locator) else archive.read(fetch.locator)


def original_record(fetch: Fetch) -> WarcRecord:
    """An original as a record, whose payload is a message without what is attached to it."""
    place = place_of(fetch.url)
    path = _path_now(fetch, place)
    content, told = _read_place(path, fetch, place)
    if payload_digest(content) != fetch.digest:
        problem = "{path} has changed since it was listed"
        raise DocumentError(problem, "the next pass reads it anew", path=_shown(path))
    body = without_attachments(content) if place.message and not place.part else content
    head = [("Content-Type", fetch.media), (OWNER, owner(told.st_uid))]
    if not place.message:  # a letter says itself when it was written
        head.append((SOURCE_DATE, strftime("%Y-%m-%d", gmtime(max(told.st_mtime, 0)))))
    return _record(fetch, head, body)


def _record(fetch: Fetch, headers: list[tuple[str, str]], body: bytes) -> WarcRecord:
    about = (("WARC-Type", "response"), ("WARC-Target-URI", fetch.url), ("WARC-Date", date_of(fetch.at)))
    named = (*about, ("WARC-Payload-Digest", fetch.digest), ("Content-Type", "application/http;msgtype=response"))
    outer = b"WARC/1.1\r\n" + _lines(named)
    data = outer + b"HTTP/1.1 200 OK\r\n" + _lines(headers) + body
    return WarcRecord(data, len(outer), len(data))


def _lines(pairs: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{name}: {value}\r\n" for name, value in pairs).encode("latin-1", "replace") + b"\r\n"


@lru_cache(1_024)
def owner(uid: int) -> str:
    """The name of a user, or the number of one that has none."""
    with suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return str(uid)


def _read_place(path: str, fetch: Fetch, place: LocalPlace) -> tuple[bytes, os.stat_result]:
    """The octets of what an address names inside a file, and what the system tells of the file."""
    assert fetch.locator is not None
    _, offset, length = fetch.locator
    if place.member:
        told = _stat(path)
        return _archive(path, told.st_size, told.st_mtime_ns, told.st_ino).read(place.member, fetch.size), told
    content, told = _read(path, offset, length)
    if place.message and length:
        content = message_in(content, MessagePlace(0, length))
    return (_part(content, place.part) if place.part else content), told


@lru_cache(1)
def _archive(path: str, _size: int, _modified: int, _inode: int) -> OpenedArchive:
    """The archive that was asked last: its files are asked for one after the other."""
    return OpenedArchive(_read(path)[0])


def _part(content: bytes, part: str) -> bytes:
    found = next((one.content for one in list_attachments(content) if one.part == part), None)
    if found is None:
        raise DocumentError("the message has no part {part} any more", "the next pass looks again", part=part)
    return found


def _stat(path: str) -> os.stat_result:
    try:
        return Path(path).stat()
    except OSError as error:
        raise _unreadable(path, error) from None


def _read(path: str, offset: int = 0, length: int = 0) -> tuple[bytes, os.stat_result]:
    """Octets of a file, all for no length; what is no file any more is never opened for long (a pipe would wait for ever)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            told = os.fstat(descriptor)
            if not stat.S_ISREG(told.st_mode) or (length or told.st_size) > LARGEST:
                raise DocumentError("{path} is no file that can be read", "the next pass says why", path=_shown(path))
            file.seek(offset)
            return file.read(length or told.st_size + 1), told
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: OSError) -> DocumentError:
    problem = "{path} cannot be read ({reason})"
    return DocumentError(problem, "the next pass looks again", path=_shown(path), reason=error.strerror or "")


def _path_now(fetch: Fetch, place: LocalPlace) -> str:
    """Where a file is: a Maildir names its messages anew when they are read or answered."""
    path = place_of(fetch.location).path if fetch.location else place.path
    if place.scheme != MAILDIR or Path(path).exists():
        return path
    folder, name = Path(path).parents[1], Path(path).name.partition(":")[0]
    found = (each for part in ("cur", "new") for each in (folder / part).glob(_literal(name) + "*"))
    return str(next(found, path))


def _literal(name: str) -> str:
    """A name as a pattern that means only itself."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _shown(path: str) -> str:
    return os.fsencode(path).decode(errors="replace")
