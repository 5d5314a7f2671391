"""Digests of the files that a folder of results consists of, so that damage is noticed before it is shown as an answer.

`digests.json` names every file with its size and its xxh3-128, and has a digest of itself. It is written when the files are
whole: at the end of a run for its tables, with each part for its rows. A file is read for its digest once in the life of a
process, and again when it has changed: 0.1 s a GB that the system has in its cache. A folder without `digests.json` (of an
earlier version) is taken as it is.

Who changes files removes `digests.json` first (`unseal`) or the folder at once, and writes another when they are whole. So a
file that is not what the list says is damaged only where that very list is still there afterwards; else it is looked at again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import xxhash

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import REBUILD, StoreDamaged, disk_errors
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

NAME = "digests.json"
_AT_ONCE = 1 << 20  # judgement: bytes read together
_FILES = 10_000  # judgement: that are known to be sound, 3 MB; more than any project has open
_LISTS = 256  # judgement: that are remembered, 3 MB; twice as many as a run has parts

Key = TypeVar("Key")
Remembered = TypeVar("Remembered")
_Stat = tuple[int, int, int, int]
_verified: dict[str, int] = {}
"""By path the hash of a file's stat and of the digest that it had."""
_listed: dict[Path, _Listing] = {}
_remembering = threading.Lock()
"""Several threads ask; the oldest is looked for while nobody else changes what is remembered."""


class FileDigest(msgspec.Struct, frozen=True):
    """What a file was when it was whole."""

    size: int
    digest: str


class _Sealed(msgspec.Struct, frozen=True):
    files: dict[str, FileDigest]


class _Listing(NamedTuple):
    """A list as it was read; another one has another stat, also when it says the same."""

    stat: _Stat | None
    files: dict[str, FileDigest]


def seal(folder: Path, files: Iterable[Path]) -> None:
    """Write down what these files of a folder are now; what was written down before does not count any more."""
    with disk_errors(folder):
        found = {str(path.relative_to(folder)): FileDigest(path.stat().st_size, digest_of(path)) for path in sorted(files)}
    write_whole(folder / NAME, encode_sealed(_Sealed(found)))


def seal_as(folder: Path, files: Mapping[str, FileDigest]) -> None:
    """Write down what files of a folder are that were linked from another, without reading them again."""
    write_whole(folder / NAME, encode_sealed(_Sealed(dict(files))))


def seal_also(folder: Path, file: Path) -> None:
    """Write down what another file of a folder is now, beside those that are sealed."""
    with disk_errors(folder):
        seal_as(folder, sealed_files(folder) | {file.name: FileDigest(file.stat().st_size, digest_of(file))})


def unseal(folder: Path) -> None:
    """Forget it, because the files are about to change."""
    with suppress(FileNotFoundError, NotADirectoryError):
        (folder / NAME).unlink()


def sealed_files(folder: Path) -> dict[str, FileDigest]:
    """What the files of a folder should be; nothing when nobody has sealed it. Raises StoreDamaged."""
    return _listing(folder).files


def is_sealed(folder: Path) -> bool:
    """Whether a folder has a list of its files."""
    return (folder / NAME).exists()


def require(folder: Path) -> None:
    """Raise StoreDamaged when a folder that was sealed has lost a file, or the list of them."""
    if not is_sealed(folder):
        raise StoreDamaged("{path} is missing", REBUILD, path=folder / NAME)
    require_listed(folder)


def require_listed(folder: Path) -> None:
    """Raise StoreDamaged when a folder has lost a file that its list names; one without a list has lost none."""
    listing = _listing(folder)
    while lost := next((name for name in listing.files if not (folder / name).exists()), ""):
        before, listing = listing, _listing(folder)
        if listing == before:
            raise StoreDamaged("{path} is missing", REBUILD, path=folder / lost)


def verify(path: Path) -> None:
    """Raise StoreDamaged when a file is not what its folder says; nothing happens where the folder says nothing of it."""
    listing = _listing(path.parent)
    while (stated := listing.files.get(path.name)) and (damage := _damage_of(path, stated)):
        before, listing = listing, _listing(path.parent)
        if listing == before:
            raise damage


def _damage_of(path: Path, stated: FileDigest) -> StoreDamaged | None:
    """What is wrong with a file, None for nothing."""
    try:
        stat = _stat_of(path)
        state = hash((stat, stated.digest))
        if _verified.get(str(path)) == state:
            return None
        if stat[0] != stated.size or digest_of(path) != stated.digest:
            return StoreDamaged("{path} is not what was written", REBUILD, path=path)
    except (FileNotFoundError, NotADirectoryError):
        return StoreDamaged("{path} is missing", REBUILD, path=path)
    _remember(_verified, str(path), state, _FILES)
    return None


def damaged_files(folder: Path) -> Iterator[StoreDamaged]:
    """What is wrong with the files of a folder, each of them read again."""
    try:
        stated = sealed_files(folder)
    except StoreDamaged as damage:
        yield damage
        return
    for name in stated:
        with _remembering:
            _verified.pop(str(folder / name), None)
        try:
            verify(folder / name)
        except StoreDamaged as damage:
            yield damage


def forget(folder: Path) -> None:
    """Remember nothing of a folder and what is in it any more: nobody asks for it, and the next who does looks again."""
    inside = f"{folder}/"
    with _remembering:
        for path in [path for path in _listed if folder in path.parents]:
            del _listed[path]
        for name in [name for name in _verified if name.startswith(inside)]:
            del _verified[name]


def digest_of(path: Path) -> str:
    """The xxh3-128 of a file's bytes."""
    digest, buffer = xxhash.xxh3_128(), bytearray(_AT_ONCE)
    view = memoryview(buffer)
    with path.open("rb", buffering=0) as file:
        while number := file.readinto(buffer):
            digest.update(view[:number])
    return digest.hexdigest()


def _listing(folder: Path) -> _Listing:
    """The list of a folder as it is now, an empty one where there is none. Raises StoreDamaged."""
    path = folder / NAME
    try:
        stat = _stat_of(path)
        known = _listed.get(path)
        if known is None or known.stat != stat:
            known = _Listing(stat, decode_sealed(path.read_bytes(), _Sealed).files)
            _remember(_listed, path, known, _LISTS)
        return known
    except (FileNotFoundError, NotADirectoryError):
        return _Listing(None, {})
    except msgspec.DecodeError as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None


def _stat_of(path: Path) -> _Stat:
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns


def _remember(memory: dict[Key, Remembered], key: Key, what: Remembered, most: int) -> None:
    with _remembering:
        if len(memory) >= most:
            memory.pop(next(iter(memory), key), None)
        memory[key] = what
