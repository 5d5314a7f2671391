"""What the last pass over each root saw, in one file of columns, and how what is there now differs from it.

A file is known by its size, its times and its number in the file system (inode): never by whether it is newer than the last
pass, since files are moved in with old dates. 100,000 files take 8 MB and a tenth of a second to compare.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import xxhash

from trasmallo.crawl.files.walker import FileState, WalkedFile
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import REBUILD, StoreDamaged, StoreTooNew

FILE_NAME = "sources.manifest"
VERSION = 2
"""Layout of the file; the first one had no digest."""
_SEPARATOR = "\0"


class Held(NamedTuple):
    """A document inside a file, as it was last kept: its address, its payload's digest, and where it begins and how long."""

    address: str
    digest: str
    offset: int = 0
    length: int = 0


class _Columns(msgspec.Struct):
    """The files of a root: paths between zeros, and a column of 64-bit numbers each."""

    paths: bytes
    sizes: bytes
    modified: bytes
    changed: bytes
    inodes: bytes
    states: bytes
    held: dict[str, list[Held]]


class _File(msgspec.Struct):
    """What stands in the file: `roots` are columns by seed, `digest` is that of their bytes."""

    version: int
    roots: msgspec.Raw
    digest: str = ""


class RootManifest:
    """The files of a root by their paths, and the documents inside those that hold several."""

    def __init__(self, files: dict[str, WalkedFile] | None = None, held: Mapping[str, tuple[Held, ...]] | None = None) -> None:
        self.files = files if files is not None else {}
        self._held: dict[str, tuple[Held, ...]] = {}
        self._places: dict[str, list[str]] = {}
        for path, documents in (held or {}).items():
            self.hold(path, documents)

    @property
    def held(self) -> Mapping[str, tuple[Held, ...]]:
        """The documents inside each file that holds several, by its path."""
        return self._held

    def held_in(self, path: str) -> tuple[Held, ...]:
        """The documents inside a file, () for one that is a document itself or is not known."""
        return self._held.get(path, ())

    def hold(self, path: str, documents: tuple[Held, ...]) -> tuple[Held, ...]:
        """Say what is inside a file now, () for nothing; what was inside it before."""
        before = self._held.pop(path, ())
        for one in before:
            self._remove_place(one.address, path)
        if documents:
            self._held[path] = documents
        for one in documents:
            self._places.setdefault(one.address, []).append(path)
        return before

    def _remove_place(self, address: str, path: str) -> None:
        left = self._places[address]
        left.remove(path)
        if not left:
            del self._places[address]

    def place_of(self, address: str) -> tuple[str, Held] | None:
        """A file in which a document lies, and where in it; None where it lies in none."""
        if address not in self._places:
            return None
        path = self._places[address][0]
        return path, next(one for one in self._held[path] if one.address == address)


class Changes(NamedTuple):
    """How a root differs: new and changed files, those whose rights or names alone changed, those that are gone.

    `moved` has (before, now) of files that have another name and are the same.
    """

    new: list[WalkedFile]
    changed: list[WalkedFile]
    touched: list[WalkedFile]
    moved: list[tuple[WalkedFile, WalkedFile]]
    gone: list[WalkedFile]

    def __bool__(self) -> bool:
        return any(self)


def compare(known: Mapping[str, WalkedFile], found: Iterable[WalkedFile]) -> Changes:
    """How what is found differs from what is known."""
    changes, left = Changes([], [], [], [], []), dict(known)
    for file in found:
        before = left.pop(file.path, None)
        if before is None:
            changes.new.append(file)
        elif before != file:
            _sort_in(before, file, changes)
    changes.gone.extend(left.values())
    return _with_moves(changes)


def _sort_in(before: WalkedFile, now: WalkedFile, changes: Changes) -> None:
    same = (before.size, before.modified, before.state) == (now.size, now.modified, now.state)
    # Rights and names are told by the time of change alone; a file that was put in the place of another has another number.
    (changes.touched if same and before.inode == now.inode else changes.changed).append(now)


def _with_moves(changes: Changes) -> Changes:
    """The same, with what is gone here and new there told as moved."""
    went = {_identity(file): file for file in changes.gone if file.state is FileState.DOCUMENT}
    moved = [(went[_identity(file)], file) for file in changes.new if _identity(file) in went]
    if not moved:
        return changes
    before, now = {file.path for file, _ in moved}, {file.path for _, file in moved}
    return changes._replace(
        new=[file for file in changes.new if file.path not in now],
        gone=[file for file in changes.gone if file.path not in before],
        moved=moved,
    )


def _identity(file: WalkedFile) -> tuple[int, int, int]:
    return file.inode, file.size, file.modified


class Manifest:
    """What is known of all roots; `save` writes it, whole or not at all.

    `is_there` is False where no pass has ended yet, or the file was lost: what is known must be found elsewhere then.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.roots: dict[str, RootManifest] = {}
        self.is_there = path.exists()
        if self.is_there:
            self.roots = dict(_read(path))

    def root(self, seed: str) -> RootManifest:
        """What is known of a root; nothing of one that was never walked."""
        return self.roots.setdefault(seed, RootManifest())

    def save(self) -> None:
        """Write it."""
        roots = {seed: _columns(root) for seed, root in self.roots.items()}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        content = msgspec.msgpack.encode(roots)
        digest = xxhash.xxh3_64_hexdigest(content)
        write_whole(self._path, msgspec.msgpack.encode(_File(VERSION, msgspec.Raw(content), digest)))


def _columns(root: RootManifest) -> _Columns:
    files = list(root.files.values())
    return _Columns(
        paths=_SEPARATOR.join(root.files).encode("utf-8", "surrogateescape"),
        sizes=array("q", [file.size for file in files]).tobytes(),
        modified=array("q", [file.modified for file in files]).tobytes(),
        changed=array("q", [file.changed for file in files]).tobytes(),
        inodes=array("Q", [file.inode for file in files]).tobytes(),
        states=bytes(file.state for file in files),
        held={_packed(path): list(held) for path, held in root.held.items()},
    )


def _packed(path: str) -> str:
    """A path as a text of the file, which is UTF-8."""
    return path.encode("utf-8", "surrogateescape").decode("latin-1")


def _unpacked(path: str) -> str:
    return path.encode("latin-1").decode("utf-8", "surrogateescape")


def _read(path: Path) -> Iterator[tuple[str, RootManifest]]:
    try:
        for seed, columns in _decoded(path).items():
            held = {_unpacked(name): tuple(each) for name, each in columns.held.items()}
            yield seed, RootManifest({file.path: file for file in _files(columns)}, held)
    except (*UNDECODABLE, ValueError, IndexError) as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None


def _decoded(path: Path) -> dict[str, _Columns]:
    found = msgspec.msgpack.decode(path.read_bytes(), type=decodable(_File))
    if found.version > VERSION:
        repair = "use the later version of trasmallo that wrote it"
        raise StoreTooNew("{path} was written by a later version of trasmallo", repair, path=path)
    if found.digest != (xxhash.xxh3_64_hexdigest(found.roots) if found.version > 1 else ""):
        raise ValueError("its digest differs")
    return msgspec.msgpack.decode(found.roots, type=decodable(dict[str, _Columns]))


def _files(columns: _Columns) -> Iterator[WalkedFile]:
    paths = columns.paths.decode("utf-8", "surrogateescape").split(_SEPARATOR) if columns.paths else []
    numbers = (array(kind, octets) for kind, octets in zip("qqqQ", _numbers(columns), strict=True))
    states = map(_STATES.__getitem__, columns.states)
    return map(WalkedFile, paths, *numbers, states)


_STATES = list(FileState)


def _numbers(columns: _Columns) -> tuple[bytes, bytes, bytes, bytes]:
    return columns.sizes, columns.modified, columns.changed, columns.inodes
