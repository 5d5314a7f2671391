"""Sorted tables on disk: RocksDB, opened for one writer and any number of readers, its misfortunes told as ours.

A reader follows the writer as a RocksDB secondary: it never locks, and sees what was written until it opened or last
refreshed. Where files are missing it sees an older state, while a writer refuses. It changes no byte of the folder: rocksdict
writes its small settings file at each opening, so a reader opens a mirror of the folder in a temporary one.
KeyValueTables that this version does not know are opened and kept as they are.

Memory: write buffers of all tables together 48 MB (flushed beyond), one block cache of 64 MB that holds the tables' indexes
too, so about 130 MB at any number of rows; a reader replays at most 64 MB of log into memory.
Every write is in the log when it returns, so kill -9 loses nothing; `sync` makes it safe from a power cut too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

import rocksdict

from trasmallo.store import digests
from trasmallo.values.errors import REBUILD, ProjectBusy, StoreDamaged, StoreError, disk_error
from trasmallo.values.messages import Message
from trasmallo.values.scratch import follow

_BUFFERS = 48 << 20  # bytes of all write buffers together; see the memory in this module's docstring
# Small, so that finding the place of a key stays within the processor's cache (a third less CPU a row than with 16 MB), and
# flushed eight together, so that files do not become small too.
_BUFFER = 2 << 20
_BUFFERS_A_FILE = 8  # judgement: buffers merged into one file, so that files are large
_BUFFERS_A_TABLE = 12  # judgement: more than `_BUFFERS_A_FILE`, so that writing need not wait for merging
_CACHE = 64 << 20  # bytes of blocks kept in memory; see the memory in this module's docstring
_LOG = 64 << 20  # bytes of the log after which buffers are written out
_BLOCK = 4 << 10  # RocksDB's usual block, a page of memory
# Most readers want the first entry or all of them.
_FIRST_CHUNK = 2
_LARGEST_CHUNK = 256  # judgement: rows that a scan fetches at once at most
_OPEN_ATTEMPTS = 5  # judgement: a writer may remove files while a reader opens them
_SEALED = ("CURRENT", "MANIFEST-*", "*.log")
_DISK_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS)
_UNREAD = ("LOCK", "LOG", "rocksdict-config.json")
"""Files that a reader would write to."""
_Explain = Callable[[Exception], Exception]


class Cursor:
    """The keys of a table that begin with a prefix, and their values, as they were when it was made.

    RocksDB's own upper bound is not used: rocksdict 0.3 lets keys beyond it through.
    """

    def __init__(self, iterator: rocksdict.RdictIter, prefix: bytes, start: bytes, explain: _Explain) -> None:
        self._iterator: rocksdict.RdictIter | None = iterator
        self._prefix = prefix
        self._explain = explain
        self._size = _FIRST_CHUNK
        iterator.seek(start)

    def __iter__(self) -> Iterator[tuple[bytes, bytes]]:
        while chunk := self._read():
            yield from chunk

    def _read(self) -> list[tuple[bytes, bytes]]:
        iterator = self._iterator
        if iterator is None:
            raise ValueError("the catalog was closed while it was being read")
        chunk: list[tuple[bytes, bytes]] = []
        while len(chunk) < self._size and iterator.valid() and (key := iterator.key()).startswith(self._prefix):
            chunk.append((key, iterator.value()))
            iterator.next()
        if len(chunk) < self._size:
            self._check(iterator)
        self._size = min(self._size * 4, _LARGEST_CHUNK)
        return chunk

    def _check(self, iterator: rocksdict.RdictIter) -> None:
        """A damaged block ends the iteration like the table's end does; only the status tells."""
        try:
            iterator.status()
        except Exception as error:
            raise self._explain(error) from error

    def close(self) -> None:
        """Let go of the table; the database stays locked while one cursor holds it."""
        self._iterator = None


class KeyValueTables:
    """A folder of sorted tables, each from bytes to bytes."""

    def __init__(self, folder: Path, names: Iterable[str], *, read_only: bool = False) -> None:
        self.folder = folder
        self.read_only = read_only
        self._wanted = frozenset(names)
        self._cursors: WeakSet[Cursor] = WeakSet()
        self._tables: dict[str, rocksdict.Rdict] = {}
        self._handles: dict[str, rocksdict.ColumnFamily] = {}
        self._mirror = tempfile.TemporaryDirectory(prefix="trasmallo-reader-") if read_only else None
        self._cache = rocksdict.Cache(_CACHE)
        self._is_open = self._follows = False
        try:
            self._open()
            self._is_open = True
        except BaseException:
            self._clean_up()
            raise

    def _open(self) -> None:
        if self.read_only and not (self.folder / "CURRENT").exists():
            raise StoreError(
                "there is no catalog in {folder}", "crawl or import something into the project first", folder=self.folder
            )
        for attempt in range(1, _OPEN_ATTEMPTS + 1):
            try:
                self._database = self._connect()
                break
            except Exception as error:
                # The writer may delete a file between our reading its name and opening it.
                if not (self.read_only and attempt < _OPEN_ATTEMPTS and "No such file" in str(error)):
                    raise self._explain(error) from error
        for name in self.names():
            self._adopt(name, self._database.get_column_family(name))

    def _connect(self) -> rocksdict.Rdict:
        access, place = self._access(), self._followed()
        exists = (self.folder / "CURRENT").exists()
        self._listed = set(rocksdict.Rdict.list_cf(str(place), self._options())) if exists else set()
        names = self._listed if self.read_only else self._listed | self._wanted
        if not self.read_only:
            self.folder.mkdir(parents=True, exist_ok=True)
        options = {name: self._options() for name in sorted(names | {"default"})}
        return rocksdict.Rdict(str(place), self._options(), column_families=options, access_type=access)

    def _followed(self) -> Path:
        """The folder that is opened: for a reader the mirror of the tables' own, as it is now."""
        if not self._mirror:
            return self.folder
        place = Path(self._mirror.name) / "files"
        place.mkdir(exist_ok=True)
        follow(self.folder, place, _UNREAD)
        return place

    def _access(self) -> rocksdict.AccessType:
        """A reader beside a writer follows it, and passes over files that it cannot open; alone it refuses them."""
        if self._mirror is None:
            self._check_seal()
            digests.unseal(self.folder)
            return rocksdict.AccessType.read_write()
        self._follows = lock_holder(self.folder / "LOCK") > 0
        if self._follows:
            return rocksdict.AccessType.secondary(f"{self._mirror.name}/log")
        self._check_seal()
        return rocksdict.AccessType.read_only()

    def _check_seal(self) -> None:
        """RocksDB takes a list of its files that was cut for one that a kill left; what was closed is sealed."""
        for name in digests.sealed_files(self.folder):
            digests.verify(self.folder / name)

    def _seal(self) -> None:
        """Its data files have checksums; those that name them shall be as they are now."""
        with suppress(StoreError, OSError):  # a full disk: it counts as killed
            digests.seal(self.folder, [path for pattern in _SEALED for path in self.folder.glob(pattern)])

    def _options(self) -> rocksdict.Options:
        options = rocksdict.Options(raw_mode=True)
        if self._mirror is not None:
            options.set_db_log_dir(self._mirror.name)
        options.create_if_missing(not self.read_only)
        options.create_missing_column_families(not self.read_only)
        options.set_db_write_buffer_size(_BUFFERS)
        options.set_write_buffer_size(_BUFFER)
        options.set_min_write_buffer_number_to_merge(_BUFFERS_A_FILE)
        options.set_max_write_buffer_number(_BUFFERS_A_TABLE)
        options.set_max_total_wal_size(_LOG)
        options.set_level_zero_file_num_compaction_trigger(8)
        options.set_max_background_jobs(2)
        options.set_keep_log_file_num(2)
        options.set_max_log_file_size(1 << 20)
        options.set_compression_type(rocksdict.DBCompressionType.lz4())
        options.set_bottommost_compression_type(rocksdict.DBCompressionType.zstd())
        blocks = rocksdict.BlockBasedOptions()
        blocks.set_block_size(_BLOCK)
        blocks.set_block_cache(self._cache)
        blocks.set_cache_index_and_filter_blocks(True)
        # In parts: a whole index would be larger than a shard of the cache and be read again for each seek.
        blocks.set_index_type(rocksdict.BlockBasedIndexType.two_level_index_search())
        blocks.set_metadata_block_size(_BLOCK)
        blocks.set_pin_top_level_index_and_filter(True)
        blocks.set_format_version(5)
        options.set_block_based_table_factory(blocks)
        return options

    def _adopt(self, name: str, table: rocksdict.Rdict) -> None:
        self._tables[name] = table
        self._handles[name] = self._database.get_column_family_handle(name)

    def _table(self, name: str) -> rocksdict.Rdict | None:
        """A table, None when the writer has not made it yet."""
        if not self._is_open:
            raise ValueError("the catalog is closed")
        return self._tables.get(name)

    def names(self) -> list[str]:
        """The names of all tables, those of other versions too."""
        known = self._tables.keys() | self._listed | (set() if self.read_only else self._wanted)
        return sorted(known - {"default"})

    def create(self, name: str) -> None:
        """Add a table; nothing happens when it is there."""
        if name not in self._tables:
            try:
                self._adopt(name, self._database.create_column_family(name, self._options()))
            except Exception as error:
                raise self._explain(error) from error

    def handle(self, name: str) -> rocksdict.ColumnFamily:
        """What `batch().put` takes as the table; do not keep it, the database stays locked while one exists."""
        return self._handles[name]

    def batch(self) -> rocksdict.WriteBatch:
        """Writes that will be made together or not at all: `put(key, value, handle)`."""
        return rocksdict.WriteBatch(raw_mode=True)

    def write(self, batch: rocksdict.WriteBatch) -> None:
        """Make the writes of a batch."""
        if self.read_only:
            raise ValueError("the catalog is open for reading only")
        try:
            self._database.write(batch)
        except Exception as error:
            raise self._explain(error) from error

    def get(self, name: str, key: bytes) -> bytes | None:
        """The value of a key, None without one."""
        table = self._table(name)
        try:
            value: bytes | None = table.get(key) if table else None
        except Exception as error:
            raise self._explain(error) from error
        return value

    def get_many(self, name: str, keys: list[bytes]) -> list[bytes | None]:
        """The values of many keys in their order."""
        table = self._table(name)
        try:
            values: list[bytes | None] = table.get(keys) if table else [None] * len(keys)  # type: ignore[arg-type, assignment]
        except Exception as error:
            raise self._explain(error) from error
        return values

    def first(self, name: str, start: bytes, prefix: bytes) -> tuple[bytes, bytes] | None:
        """The first key at or after `start` and its value, None when that key does not begin with `prefix`."""
        table = self._table(name)
        if table is None:
            return None
        iterator = table.iter()
        iterator.seek(start)
        if iterator.valid():
            key: bytes = iterator.key()
            return (key, iterator.value()) if key.startswith(prefix) else None
        try:
            iterator.status()
        except Exception as error:
            raise self._explain(error) from error
        return None

    def last_key(self, name: str) -> bytes:
        """The greatest key of a table, b"" when it is empty."""
        table = self._table(name)
        if table is None:
            return b""
        iterator = table.iter()
        iterator.seek_to_last()
        try:
            iterator.status()
        except Exception as error:
            raise self._explain(error) from error
        return iterator.key() or b""

    def scan(self, name: str, prefix: bytes = b"", start: bytes = b"") -> Iterable[tuple[bytes, bytes]]:
        """All keys that begin with `prefix`, from `start` on; nothing when there is no such table."""
        table = self._table(name)
        if table is None:
            return ()
        cursor = Cursor(table.iter(), prefix, start or prefix, self._explain)
        self._cursors.add(cursor)
        return cursor

    def refresh(self) -> None:
        """See what the writer has written since; a writer always sees everything."""
        if not self.read_only:
            return
        try:
            known = set(rocksdict.Rdict.list_cf(str(self._followed()), self._options()))
            if self._follows and known == self._listed:
                self._database.try_catch_up_with_primary()
                return
        except Exception as error:
            raise self._explain(error) from error
        self._release()
        self._open()

    def sync(self) -> None:
        """Bring all writes to the disk itself, so that a power cut cannot take them."""
        try:
            self._database.flush_wal(True)
        except Exception as error:
            raise self._explain(error) from error

    def compact(self) -> None:
        """Bring all tables to their smallest form; it may take a minute for millions of rows."""
        try:
            for table in self._tables.values():
                table.flush()
                table.compact_range(None, None)
        except Exception as error:
            raise self._explain(error) from error

    def close(self) -> None:
        """Let go of everything; nothing happens the second time."""
        if self._is_open:
            self._is_open = False
            self._release()
            if not self.read_only:
                self._seal()
        self._clean_up()

    def _release(self) -> None:
        for cursor in list(self._cursors):
            cursor.close()
        self._handles.clear()
        tables, self._tables = self._tables, {}
        # What was acknowledged is in the log already: a flush that fails here (a full disk) loses nothing.
        for table in (*tables.values(), self._database):
            with suppress(Exception):
                table.close()
        del self._database

    def _clean_up(self) -> None:
        if self._mirror:
            self._mirror.cleanup()

    def _explain(self, error: Exception) -> Exception:
        """The error a user can repair, or the same error where we know no repair."""
        if isinstance(error, OSError) and error.errno:  # rocksdict raises some without a number
            return disk_error(error, self.folder)
        message = " ".join(str(error).split())
        if "lock file" in message or "lock hold by current process" in message:
            return self._busy(in_process="current process" in message)
        for number in _DISK_ERRNOS:
            if os.strerror(number) in message:
                return disk_error(OSError(number, message), self.folder)
        if message.startswith("Corruption") or os.strerror(errno.ENOENT) in message:
            return StoreDamaged(
                "the catalog {folder} is damaged ({message})", REBUILD, folder=self.folder, message=message[:200]
            )
        return error

    def _busy(self, *, in_process: bool) -> ProjectBusy:
        # Opening the lock file would drop our own process's lock on it, so it is asked only about others.
        pid = os.getpid() if in_process else lock_holder(self.folder / "LOCK")
        who = Message("process {pid}", pid=pid) if pid else Message("another program")
        return ProjectBusy("{who} is writing to {folder}", "wait until it ends, or stop it", who=who, folder=self.folder)


_FLOCK = struct.Struct("hhqqi4x")


def lock_holder(path: Path) -> int:
    """The process that holds a lock on a file, 0 when none does or it cannot be known; never ask for a lock of one's own."""
    with suppress(OSError), path.open("rb+") as file:
        answer = fcntl.fcntl(file, fcntl.F_GETLK, _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        kind, _, _, _, pid = _FLOCK.unpack(answer)
        return 0 if kind == fcntl.F_UNLCK else int(pid)
    return 0
