"""The rights of a store's documents: a file of JSON lines beside the catalog, as soon as a document is not public.

A line tells the rights of an address, a later one counts more than an earlier one. Lines come before the rows that they are
about, so that whatever is stored is known to be restricted; what a kill leaves torn at the end is about a row that is not
there. Without the file everything is public, and nobody's rights are looked at: so another one, the seal, says how long it is
and its digest, from before the rows that it is about.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
import xxhash

from trasmallo.values.access import Access
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import REBUILD, StoreDamaged, disk_errors
from trasmallo.values.model import Fetch
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

_CATALOG, _ENDING, _SEAL = "catalog", ".rights.jsonl", ".seal"
"""The file is called like the folder of the catalog, with this behind it; so is its seal, with another ending."""

_LONGEST = 1 << 20  # judgement: bytes of one batch of lines whose end is looked at


class _Line(msgspec.Struct, frozen=True, array_like=True):
    """An address and its rights, None since it is public."""

    url: str
    access: Access | None


_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(decodable(_Line))


class _Seal(msgspec.Struct, frozen=True):
    """Octets of the file that were whole, and their digest."""

    size: int
    xxh3: str


class RightsWriter:
    """Writes the rights of what a catalog is about to get; a run and a watch may do so at the same time."""

    def __init__(self, catalog: Path) -> None:
        self._path = rights_file(catalog)
        self._known: dict[str, Access] | None = None
        self._content = xxhash.xxh3_128()
        self._size = 0  # of the file when it was last read or written here

    def note(self, fetches: Iterable[Fetch]) -> None:
        """Write down the rights of fetches where they differ from what is known; of the web there is nothing to say."""
        changed = {fetch.url: fetch.access for fetch in fetches}
        if self._known is None and not _is_there(self._path) and all(access is None for access in changed.values()):
            return
        with disk_errors(self._path):
            handle = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)  # until it is closed
                self._write(handle, changed)
            finally:
                os.close(handle)

    def _write(self, handle: int, changed: dict[str, Access | None]) -> None:
        known = self._known
        if known is None or os.fstat(handle).st_size != self._size:
            known = self._read()
        lines = [_Line(url, access) for url, access in changed.items() if known.get(url) != access]
        if lines:
            _cut_torn(handle)
            self._content.update(added := _encoder.encode_lines(lines))
            os.write(handle, added)
            os.fsync(handle)
            self._size += len(added)
            self._seal()
            for line in lines:
                _take(line, known)

    def _read(self) -> dict[str, Access]:
        content = _whole_lines(self._path)
        self._content, self._size = xxhash.xxh3_128(content), len(content)
        self._known = _rights_in(content, self._path)
        return self._known

    def _seal(self) -> None:
        seal = _Seal(self._size, self._content.hexdigest())
        write_whole(_seal_file(self._path), encode_sealed(seal), durable=True)


def read_rights(store: Path) -> dict[str, Access]:
    """The rights of every address that is not public; raises StoreDamaged where a line cannot be read, or one was lost."""
    path = rights_file(store / _CATALOG)
    return _rights_in(_whole_lines(path), path)


def rights_file(catalog: Path) -> Path:
    """The file that goes with the catalog in a folder."""
    return catalog.with_name(catalog.name + _ENDING)


def replace_rights(catalog: Path, draft: Path) -> None:
    """Put the rights that were made with another catalog, which shall take the place of this one, in the place of its own."""
    path, made = rights_file(catalog), rights_file(draft)
    forget_seal(catalog)  # what is not sealed is not held against a seal, be it of the one or of the other
    if made.exists():  # else nothing is restricted any more, and rights too many do no harm
        made.rename(path)
    if _seal_file(made).exists():
        _seal_file(made).rename(_seal_file(path))


def remove_rights(catalog: Path) -> None:
    """Remove the rights that go with the catalog in a folder."""
    forget_seal(catalog)
    rights_file(catalog).unlink(missing_ok=True)


def forget_seal(catalog: Path) -> None:
    """Remove what says how long the rights of a catalog are."""
    _seal_file(rights_file(catalog)).unlink(missing_ok=True)


def _seal_file(path: Path) -> Path:
    return path.with_suffix(_SEAL)


def _is_there(path: Path) -> bool:
    return path.exists() or _seal_file(path).exists()


def _whole_lines(path: Path) -> bytes:
    """All lines of the file that have an end, be there one or not; raises StoreDamaged where its seal says something else.

    What stands behind the last end of a line is torn.
    """
    seal = _read_seal(path)
    while True:
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            content = b""
        before, seal = seal, _read_seal(path)
        if before == seal:
            break
    if seal is not None and xxhash.xxh3_128_hexdigest(content[: seal.size]) != seal.xxh3:
        problem = "{path} is damaged (its digest differs)" if content else "{path} is missing"
        raise StoreDamaged(problem, REBUILD, path=path)
    return content[: content.rfind(b"\n") + 1]


def _read_seal(path: Path) -> _Seal | None:
    """What says how long the file is; None where nothing does, as in stores of earlier versions."""
    seal = _seal_file(path)
    try:
        return decode_sealed(seal.read_bytes(), _Seal)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=seal, error=error) from None


def _rights_in(content: bytes, path: Path) -> dict[str, Access]:
    found = dict[str, Access]()
    for text in content.split(b"\n")[:-1]:
        _take(_read(text, path), found)
    return found


def _take(line: _Line, known: dict[str, Access]) -> None:
    if line.access is None:
        known.pop(line.url, None)
    else:
        known[line.url] = line.access


def _cut_torn(handle: int) -> None:
    """Cut what a kill left of a line at the end."""
    size = os.fstat(handle).st_size
    start = max(0, size - _LONGEST)
    end = os.pread(handle, size - start, start)
    if end and not end.endswith(b"\n"):
        os.ftruncate(handle, start + end.rfind(b"\n") + 1)


def _read(text: bytes, path: Path) -> _Line:
    try:
        return _decoder.decode(text)
    except UNDECODABLE as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None


def is_restricted(store: Path) -> bool:
    """Whether a store has, or had, documents that not everybody may read."""
    return _is_there(rights_file(store / _CATALOG))


def stamp_of(store: Path) -> tuple[int, int]:
    """What differs when rights were written: when the file changed, and its size; zeros where there is none."""
    try:
        told = rights_file(store / _CATALOG).stat()
    except FileNotFoundError:
        return 0, 0
    return told.st_mtime_ns, told.st_size
