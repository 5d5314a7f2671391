"""The raw answers of the web, in WARC files that every WARC tool reads.

A folder holds `<prefix>-<YYYYMMDDHHMMSS>-<serial>.warc.gz` files, whose names sort by creation in each prefix, and a file
`format` with the version of this layout. One program writes the files of a prefix (`Archive`), any number reads all of them at
the same time (`ArchiveReader`, `records`). Each append is one write of whole gzip members, so that what a kill leaves torn can
only be the end of a prefix's newest file.
"""

from __future__ import annotations

import heapq
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from trasmallo.store.gzip_members import MemberError, ReadWindow, last_whole, read_member, starts, unpack
from trasmallo.store.warc import Pairs, WarcRecord, parse_record, payload_digest
from trasmallo.store.warc_members import (
    conversion_member,
    info_member,
    metadata_member,
    new_id,
    response_members,
    revisit_members,
)
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreDamaged, StoreError, StoreTooNew, disk_errors
from trasmallo.values.model import NO_ORIGIN, Fetch, Locator, Origin, RenderedPage, Response

FORMAT = 1  # version of the layout on disk

SOURCE_ROLE, PART_ROLE = "source", "part"
"""What answers were asked for as that only a browser read: the page as it was sent, and what its scripts asked for."""

_SUFFIX = ".warc.gz"
_NAME = re.compile(r"(?P<prefix>.+)-(?P<stamp>\d{14})-(?P<serial>\d{5,})\.warc\.gz")
_OPEN_FILES = 32  # judgement: far below the usual limit of 1,024 files a process
# Read at once where only one record is wanted.
_GLANCE = 1 << 14
# A write of another process is seen page by page: how often, and after what pause, its end is looked for before it is torn.
_PATIENCE = 50
_PAUSE_S = 0.001  # judgement: a writer that holds the file needs less than that

OnDamage = Callable[[StoreDamaged], None]


class ArchiveReader:
    """Random and sequential reading of an archive; safe beside its writer and from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()
        _check_format(folder)

    def read(self, locator: Locator, *, verify: bool = False) -> WarcRecord:
        """The record at a locator; StoreDamaged when it is not there. `verify` compares the digests too, not only the CRC."""
        try:
            return parse_record(unpack(self.raw(locator), locator.offset), verify=verify)
        except (MemberError, ValueError) as error:
            raise _damaged(self.folder / locator.file, locator.offset, str(error)) from error

    def raw(self, locator: Locator) -> bytes:
        """The compressed bytes at a locator, unchecked."""
        with self._lock:
            return os.pread(self._file(locator.file), locator.length, locator.offset)

    def records(self, *, verify: bool = False, on_damage: OnDamage | None = None) -> Iterator[tuple[Locator, WarcRecord]]:
        """Every record in the order of writing, see `records`."""
        return records(self.folder, verify=verify, on_damage=on_damage)

    def by_time(self, *, on_damage: OnDamage | None = None) -> Iterator[tuple[Locator, WarcRecord]]:
        """Every record, those of files that were written side by side in the order of their times; damage as for `records`."""
        prefixes = {found["prefix"] if found else path.name: path for path, found in _named(self.folder)}
        streams = [_prefix_records(self.folder, prefix, on_damage) for prefix in sorted(prefixes)]
        return heapq.merge(*streams, key=lambda each: each[1].at)

    def following(self, locator: Locator) -> tuple[Locator, WarcRecord] | None:
        """The record behind the one at a locator and where it lies; None where the file ends or is damaged there."""
        path, start = self.folder / locator.file, locator.offset + locator.length
        with path.open("rb", buffering=0) as file:
            fd, size = file.fileno(), os.fstat(file.fileno()).st_size
            try:
                data, length = read_member(ReadWindow(fd, _GLANCE), start, size)
                return Locator(locator.file, start, length), parse_record(data)
            except (MemberError, ValueError):
                return None

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            while self._files:
                os.close(self._files.popitem()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _file(self, name: str) -> int:
        """The open file of a name; the least recently used is closed when there are too many."""
        if name in self._files:
            self._files.move_to_end(name)
            return self._files[name]
        try:
            fd = os.open(self.folder / name, os.O_RDONLY)
        except FileNotFoundError as error:
            repair = "put the file back from a copy, or go on without what is lost: trasmallo repair DIR --accept-loss"
            raise StoreDamaged("the archive file {file} is missing", repair, file=self.folder / name) from error
        self._files[name] = fd
        if len(self._files) > _OPEN_FILES:
            os.close(self._files.popitem(last=False)[1])
        return fd


class Archive(ArchiveReader):
    """The one writer of an archive's files with a prefix, for one thread; it can read all of the archive.

    Opening cuts what a kill left torn and goes on in the newest file; a file is closed when it has reached `roll_at` bytes.
    `software` is the name and version the files say they were written by, `about` more named values of that kind.
    StoreFull leaves the files valid.
    """

    def __init__(
        self, folder: Path, *, software: str, roll_at: int = 1_000_000_000, prefix: str = "trasmallo", about: Pairs = ()
    ) -> None:
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            super().__init__(folder)
            _write_format(folder)
        self._software = software
        self.roll_at = roll_at
        self._prefix = prefix
        self._about = about
        self._fd = -1
        self._path = folder
        self._size = 0
        self._info = ""
        self._held: list[bytes] | None = None
        self._closed: Locator | None = None
        self._reopen()

    def append(
        self,
        response: Response,
        *,
        run: str = "",
        digest: str = "",
        role: str = "",
        origin: Origin = NO_ORIGIN,
        judged: str = "",
    ) -> tuple[Locator, str]:
        """Keep an answer with its request; gives where it lies and the digest of its payload.

        Who asked first whether the payload is known passes the `digest` it computed with `payload_digest`. `judged` is what
        the answer was found to be, where its status does not tell.
        """
        self._make_room()
        digest = digest or payload_digest(response.body)
        members = response_members(response, info=self._info, run=run, digest=digest, role=role, origin=origin, judged=judged)
        return self._put(*members), digest

    def append_rendered(
        self, page: RenderedPage, *, run: str = "", origin: Origin = NO_ORIGIN, judged: str = ""
    ) -> tuple[Locator, str]:
        """Keep a rendered page behind what was sent for it; where its tree lies, and the digest of it."""
        self._make_room()
        source, digest = new_id(), payload_digest(page.body)
        sent = [(page.source, SOURCE_ROLE, source), *((each, PART_ROLE, "") for each in page.received)]
        for answer, role, record_id in sent:
            own = payload_digest(answer.body)
            self._put(*response_members(answer, info=self._info, run=run, digest=own, role=role, record_id=record_id))
        member = conversion_member(page, info=self._info, run=run, digest=digest, origin=origin, judged=judged, source=source)
        return self._put(member), digest

    def append_revisit(
        self, response: Response, same_as: Fetch, *, run: str = "", origin: Origin = NO_ORIGIN, judged: str = ""
    ) -> Locator:
        """Keep only the head of an answer whose payload is that of an earlier fetch, or of a 304 that says so."""
        self._make_room()
        return self._put(*revisit_members(response, same_as, info=self._info, run=run, origin=origin, judged=judged))

    def append_metadata(self, url: str, fields: Pairs, *, at: float) -> Locator:
        """Keep named values about a URL; line breaks inside them become spaces."""
        self._make_room()
        return self._put(metadata_member(url, at, fields, info=self._info))

    def copy(self, source: ArchiveReader, locator: Locator) -> Locator:
        """Take over a record of another archive as it is."""
        self._make_room()
        return self._put(source.raw(locator))

    def behind(self, place: Locator | None) -> Iterator[tuple[Locator, WarcRecord]]:
        """The records of its own files that were written after the one at a place, or all of them."""
        for path in _own_files(self.folder, self._prefix):
            if place is None or path.name > place.file:
                yield from _file_records(path, verify=False, on_damage=None)
            elif path.name == place.file:
                yield from _file_records(path, verify=False, on_damage=None, start=place.offset + place.length)

    @property
    def closed_at(self) -> Locator | None:
        """Where its newest file ended when it was last closed in order, None where that is not known; of length 0."""
        return self._closed

    def owns(self, file: str) -> bool:
        """Whether a file of the archive is one that this writer writes."""
        found = _NAME.fullmatch(file)
        return found is not None and found["prefix"] == self._prefix

    @contextmanager
    def together(self) -> Iterator[None]:
        """Records appended inside are written at once at its end and can be read only then; an error takes all back."""
        self._held = []
        try:
            yield
            self._write_held()
        finally:
            self._size -= sum(map(len, self._held))
            self._held = None

    def sync(self) -> None:
        """Have all that was appended on the disk itself, so that a power cut cannot take it."""
        if self._fd >= 0:
            with disk_errors(self._path):
                os.fsync(self._fd)

    @property
    def end(self) -> tuple[str, int]:
        """The file that is written now and its bytes so far; ("", 0) when there is none."""
        return (self._path.name, self._size) if self._fd >= 0 else ("", 0)

    def syncing(self) -> Callable[[], None]:
        """What `sync` does for all that was appended until now, as a call for another thread."""
        if self._fd < 0:
            return lambda: None
        fd, path = os.dup(self._fd), self._path

        def sync() -> None:
            with disk_errors(path):
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)

        return sync

    def close(self) -> None:
        """Sync and close; a closed archive may be opened again."""
        super().close()
        if self._fd >= 0:
            self.sync()
            self._mark_closed()
            self._leave()

    @property
    def _mark(self) -> Path:
        """The file that says how much of which archive file was on the disk when it was closed."""
        return self.folder / f".{self._prefix}.closed"

    def _mark_closed(self) -> None:
        with suppress(OSError, StoreError):  # without it the next opening takes longer
            write_whole(self._mark, f"{self._size} {self._path.name}".encode())

    def _closed_size(self, path: Path) -> int:
        """Bytes of a file that were on the disk when it was last closed, 0 where that is not known."""
        with suppress(OSError, ValueError):
            size, _, name = self._mark.read_bytes().decode().partition(" ")
            if name == path.name and int(size) <= path.stat().st_size:
                return int(size)
        return 0

    def _reopen(self) -> None:
        """Cut the torn end of the newest file and go on in it; one that is full or damaged inside is left alone."""
        own = _own_files(self.folder, self._prefix)
        if not own:
            return
        path = own[-1]
        with disk_errors(path):
            self._fd = os.open(path, os.O_RDWR | os.O_APPEND)
            closed = self._closed_size(path)
            self._closed = Locator(path.name, closed, 0) if closed else None
            self._path, self._size, self._info = path, *_cut_torn(self._fd, closed)
            if not os.fstat(self._fd).st_size:
                path.unlink()
            if not self._info or self._size >= self.roll_at:
                self._leave()

    def _leave(self) -> None:
        """Be done with the file that was written last."""
        fd, self._fd = self._fd, -1
        os.close(fd)

    def _make_room(self) -> None:
        if self._fd >= 0 and self._size < self.roll_at:
            return
        if self._fd >= 0:
            self._write_held()
            self.sync()
            self._leave()
        now = time.time()
        path = self.folder / _next_name(_own_files(self.folder, self._prefix), self._prefix, now)
        with disk_errors(path):
            self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
        self._path, self._size = path, 0
        member, self._info = info_member(path.name, self._software, now, self._about)
        try:
            self._put(member)
        except BaseException:
            self._leave()
            path.unlink()
            raise
        _sync_folder(self.folder)

    def _put(self, first: bytes, second: bytes = b"") -> Locator:
        """Write members at once, or hold them until what belongs together is complete."""
        locator = Locator(self._path.name, self._size, len(first))
        if self._held is None:
            self._write(first + second)
        else:
            self._held += (first, second)
        self._size += len(first) + len(second)
        return locator

    def _write_held(self) -> None:
        if self._held:
            held, self._held = b"".join(self._held), []
            self._size -= len(held)
            self._write(held)
            self._size += len(held)

    def _write(self, members: bytes) -> None:
        """What cannot be written whole is taken back."""
        with disk_errors(self._path):
            try:
                _write_whole(self._fd, members)
            except BaseException:
                os.ftruncate(self._fd, self._size)
                raise


def records(
    path: Path, *, verify: bool = False, on_damage: OnDamage | None = None, patience: int = _PATIENCE
) -> Iterator[tuple[Locator, WarcRecord]]:
    """Every record of a file of gzip members, or of all such files of a folder by name.

    Damage raises StoreDamaged, which names file and byte, after all that lies before it was given; with `on_damage` the error
    is handed over instead, and reading goes on at the next record that is whole. The end of a record that is being written is
    looked for `patience` times.
    """
    files = sorted(path.glob("*" + _SUFFIX)) if path.is_dir() else [path]
    for file in files:
        yield from _file_records(file, verify, on_damage, patience=patience)


def _file_records(
    path: Path, verify: bool, on_damage: OnDamage | None, start: int = 0, patience: int = _PATIENCE
) -> Iterator[tuple[Locator, WarcRecord]]:
    with path.open("rb", buffering=0) as file:
        fd = file.fileno()
        name, window = path.name, ReadWindow(fd)
        offset, size = start, os.fstat(fd).st_size
        sound, tries = True, patience
        while offset < size or (size := os.fstat(fd).st_size) > offset:
            try:
                data, length = read_member(window, offset, size)
                record = parse_record(data, verify=verify)
            except (MemberError, ValueError) as error:
                if isinstance(error, MemberError) and error.torn and tries:
                    tries -= 1
                    time.sleep(_PAUSE_S)
                    window.forget()
                    size = os.fstat(fd).st_size
                    continue
                damage = _damaged(path, offset, str(error))
                if on_damage is None:
                    raise damage from error
                if sound:
                    on_damage(damage)
                sound = False
                offset = next(starts(fd, offset + 1, size), size)
                continue
            sound, tries = True, patience
            yield Locator(name, offset, length), record
            offset += length


def _cut_torn(fd: int, known: int) -> tuple[int, str]:
    """Cut what lies behind the last whole record; gives the size then and the id of the file's first record.

    The first bytes, as many as are `known`, were whole when the file was closed.
    Where whole records follow, nothing was torn: the file is damaged inside, nothing is cut and the id is "".
    """
    size = os.fstat(fd).st_size
    whole = last_whole(fd, size, known)
    if whole < size:
        if any(_record_id(fd, start, size) for start in starts(fd, whole + 1, size)):
            return size, ""
        os.ftruncate(fd, whole)
    return whole, _record_id(fd, 0, whole)


def _record_id(fd: int, offset: int, size: int) -> str:
    """The id of the record at an offset, "" where there is no whole record."""
    try:
        return parse_record(read_member(ReadWindow(fd, _GLANCE), offset, size)[0]).id
    except (MemberError, ValueError):
        return ""


def _damaged(path: Path, offset: int, problem: str) -> StoreDamaged:
    repair = "put the file back from a copy, or go on without what is lost: trasmallo repair DIR --accept-loss"
    return StoreDamaged("{path} is damaged at byte {offset} ({problem})", repair, path=path, offset=offset, problem=problem)


def _prefix_records(folder: Path, prefix: str, on_damage: OnDamage | None) -> Iterator[tuple[Locator, WarcRecord]]:
    """The records of the files with a prefix, or of a file that is called otherwise."""
    for path in _own_files(folder, prefix) or [folder / prefix]:
        yield from _file_records(path, verify=False, on_damage=on_damage)


def _named(folder: Path) -> list[tuple[Path, re.Match[str] | None]]:
    return [(path, _NAME.fullmatch(path.name)) for path in folder.glob("*" + _SUFFIX)]


def _own_files(folder: Path, prefix: str) -> list[Path]:
    """The files with a prefix that an archive wrote here, oldest first."""
    named = _named(folder)
    dated = [((found["stamp"], int(found["serial"])), path) for path, found in named if found and found["prefix"] == prefix]
    return [path for _, path in sorted(dated)]


def _next_name(own: list[Path], prefix: str, now: float) -> str:
    """A name behind all that exist, even when the clock was set back."""
    stamp = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d%H%M%S")
    serial = 0
    newest = _NAME.fullmatch(own[-1].name) if own else None
    if newest:
        stamp = max(stamp, newest["stamp"])
        serial = int(newest["serial"]) + 1
    return f"{prefix}-{stamp}-{serial:05}{_SUFFIX}"


def _write_whole(fd: int, data: bytes) -> None:
    """One write call, and more only where the system takes less than all."""
    done = os.write(fd, data)
    while done < len(data):
        done += os.write(fd, memoryview(data)[done:])


def _sync_folder(folder: Path) -> None:
    """Have a new file's name on the disk."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _check_format(folder: Path) -> None:
    path = folder / "format"
    try:
        text = path.read_text("ascii", "replace").strip()
    except FileNotFoundError:
        return
    if not (text.isascii() and text.isdigit()):
        raise StoreDamaged(
            "{path} does not say the version of the archive", "write the number {format} into it", path=path, format=FORMAT
        )
    if int(text) > FORMAT:
        problem = "the archive {folder} was written by a later version of trasmallo (format {format}, this one knows {known})"
        raise StoreTooNew(problem, "update trasmallo", folder=folder, format=text, known=FORMAT)


def _write_format(folder: Path) -> None:
    path = folder / "format"
    if not path.exists():
        write_whole(path, b"%d\n" % FORMAT, contested=True)
