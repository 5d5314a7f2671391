"""The documents that a file of this machine is or holds: itself, the members of an archive, the messages of a mailbox.

Files are read once here for their digests, and again by who makes text of them: between the two nothing of them is kept.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from email.utils import formatdate

import msgspec

from trasmallo.clean.formats.mail_parts import MORE_PARTS, MOST_PARTS, has_more_parts, list_attachments
from trasmallo.clean.formats.sniff import media_of
from trasmallo.crawl.files.access import read_access
from trasmallo.crawl.files.archives import is_archive, read_members
from trasmallo.crawl.files.manifest import Held
from trasmallo.crawl.files.walker import WalkedFile
from trasmallo.crawl.mail.messages import find_messages, is_mbox, message_in, name_of
from trasmallo.results.originals import ORIGINAL, owner
from trasmallo.store.warc import payload_digest
from trasmallo.values.access import Access
from trasmallo.values.errors import DocumentError
from trasmallo.values.local_addresses import (
    FILE,
    MAILDIR,
    file_address,
    member_address,
    message_address,
    part_address,
    place_of,
)
from trasmallo.values.model import Fetch, Locator, Origin, Outcome, Reached

LETTER = "message/rfc822"
_TICK = 20_000_000  # nanoseconds; times of files go on with the kernel's clock, every 1 to 10 ms (CONFIG_HZ of 1,000 to 100)
_WHOLE = Locator(ORIGINAL, 0, 0)


class FoundDocument(msgspec.Struct, frozen=True):
    """A document with its row and its octets."""

    row: Fetch
    content: bytes


class UnstableFile(Exception):
    """A file was changed while it was read; somebody is writing it."""


def read_stable(file: WalkedFile) -> bytes:
    """The octets of a file as it was walked; raises UnstableFile when it is another by now, OSError when it is not there.

    One that was written this very moment is waited for: what is written to it until the clock of the file system goes on has
    the same time, and would not be noticed.
    """
    age = time.time_ns() - file.changed
    if 0 <= age < _TICK:
        time.sleep((_TICK - age) / 1_000_000_000)
    descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise UnstableFile
        content = stream.read(file.size + 1)
        after = os.fstat(descriptor)
    # Its time tells that it was written to, its size that it was while nobody looked at the time.
    told = {(each.st_size, each.st_mtime_ns) for each in (before, after)}
    if told != {(file.size, file.modified)} or len(content) != file.size:
        raise UnstableFile
    return content


class LocalDocuments:
    """Lists the documents of the files of one root, whose address is `seed`; none has more than `largest` octets."""

    def __init__(self, seed: str, largest: int, now: float) -> None:
        self._seed, self._largest, self._now = seed, largest, now
        self._root = place_of(seed)

    def of(self, file: WalkedFile) -> Iterator[FoundDocument | Fetch]:
        """The documents of a file; what of it cannot be had is a row that says why. Raises UnstableFile and OSError."""
        content, about = read_stable(file), _About(file, self._access(file))
        if self._root.scheme == MAILDIR:
            yield from self._message(content, about, _WHOLE, file_address(file.path))
        elif self._root.scheme != FILE or (is_mbox(content[:1_024]) and not file.path.lower().endswith(".eml")):
            yield from self._messages(content, about)
        else:
            yield from self._file(content, about)

    def address_of(self, file: WalkedFile) -> str:
        """The address of the file itself."""
        return file_address(file.path)

    def _access(self, file: WalkedFile) -> Access:
        access = read_access(file.path)
        return access if self._root.scheme == FILE else msgspec.structs.replace(access, mailbox=owner(access.uid))

    def _file(self, content: bytes, about: _About) -> Iterator[FoundDocument | Fetch]:
        url, name = file_address(about.file.path), os.path.basename(about.file.path)  # noqa: PTH119 - a text, for speed
        media = media_of(content, name=name)
        if is_archive(media, content):
            yield from self._members(content, url, about)
        else:
            yield self._found(url, content, media, about, Origin(self._seed, Reached.FOLDER, "", self._depth(about.file)))

    def _members(self, content: bytes, url: str, about: _About) -> Iterator[FoundDocument | Fetch]:
        origin = Origin(self._seed, Reached.INSIDE, url, self._depth(about.file))
        try:
            for member in read_members(content, self._largest):
                address = member_address(url, member.name) if member.name else url
                if member.content is None:
                    yield self._failed(address, member.cause, origin)
                else:
                    media = media_of(member.content, name=member.name)
                    yield self._found(address, member.content, media, about, origin)
        except DocumentError as error:
            yield self._failed(url, str(error.problem), origin)

    def _messages(self, content: bytes, about: _About) -> Iterator[FoundDocument | Fetch]:
        location = file_address(about.file.path)
        if not is_mbox(content[:65_536]):
            if content.strip():
                origin = Origin(self._seed, Reached.FOLDER, "", self._depth(about.file))
                yield self._failed(location, 'no mailbox: it does not begin with a line "From "', origin)
            return
        for place in find_messages(content):
            if place.length > self._largest:
                origin = Origin(self._seed, Reached.INSIDE, location, self._depth(about.file))
                cause = f"the message at octet {place.offset:,} has {place.length:,} octets"
                yield Fetch(location, self._now, Outcome.TOO_LARGE, cause=cause, origin=origin)
                continue
            letter = message_in(content, place)
            yield from self._message(letter, about, Locator(ORIGINAL, place.offset, place.length), location)

    def _message(self, letter: bytes, about: _About, locator: Locator, location: str) -> Iterator[FoundDocument | Fetch]:
        box = self._seed if self._root.scheme != FILE else location
        url = message_address(box, name_of(letter))
        origin = Origin(self._seed, Reached.INSIDE, location, self._depth(about.file))
        yield self._found(url, letter, LETTER, about, origin, locator, location)
        for attached in list_attachments(letter):
            address, inside = part_address(url, attached.part), msgspec.structs.replace(origin, via=url)
            yield self._found(address, attached.content, attached.media, about, inside, locator, location)
        if has_more_parts(letter):
            yield self._failed(part_address(url, str(MOST_PARTS + 1)), MORE_PARTS, msgspec.structs.replace(origin, via=url))

    def _found(
        self,
        url: str,
        content: bytes,
        media: str,
        about: _About,
        origin: Origin,
        locator: Locator = _WHOLE,
        location: str = "",
    ) -> FoundDocument | Fetch:
        if len(content) > self._largest:
            return Fetch(url, self._now, Outcome.TOO_LARGE, cause=f"{len(content):,} bytes", origin=origin)
        row = Fetch(
            url=url,
            at=self._now,
            outcome=Outcome.FETCHED,
            status=200,
            media=media,
            digest=payload_digest(content),
            size=len(content),
            locator=locator,
            location=location,
            origin=origin,
            modified=formatdate(about.file.modified // 1_000_000_000, usegmt=True),
            access=about.access,
        )
        return FoundDocument(row=row, content=content)

    def _failed(self, url: str, cause: str, origin: Origin) -> Fetch:
        return Fetch(url, self._now, Outcome.BROKEN, cause=cause, origin=origin)

    def _depth(self, file: WalkedFile) -> int:
        return max(0, file.path.count("/") - self._root.path.rstrip("/").count("/") - 1)


class _About(msgspec.Struct, frozen=True):
    file: WalkedFile
    access: Access


def held_of(row: Fetch) -> Held:
    """What a manifest keeps of a document inside a file."""
    place = row.locator or Locator("", 0, 0)
    return Held(row.url, row.digest, place.offset, place.length)


def is_own(row: Fetch, file: WalkedFile) -> bool:
    """Whether a document is the file itself, nothing inside it."""
    return row.url == file_address(file.path)


def addresses_of(path: str, held: tuple[Held, ...]) -> list[str]:
    """The addresses of the documents of a file: those inside it, else its own."""
    return [one.address for one in held] or [file_address(path)]
