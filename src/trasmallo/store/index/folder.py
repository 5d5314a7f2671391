"""An index on disk: opened for one writer and any number of readers, its misfortunes told as ours.

A commit is one rename: who opens the index sees all of a commit or nothing of it, and kill -9 in the middle of one leaves the
commit before. `stamp.json` says which version wrote it; the files of a finished index are sealed (`digests`), so that a lost or
damaged one is noticed when it is opened. Memory: 64 MB of documents that are not written yet, and
documents of 40 million characters that wait when a whole index is built; a reader maps files and holds next to nothing.

An index can be begun with the documents of another (`begin_with`), from which some are removed then. Until it is built whole,
tantivy counts what was removed in the frequencies of words: scores are a little off, hits and their numbers are not.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

from trasmallo.store.digests import NAME, seal, sealed_files, verify
from trasmallo.store.index.boosts import Boosts
from trasmallo.store.index.entries import VERSION, IndexEntry, schema, to_document
from trasmallo.store.index.words import ANALYSER, analyser
from trasmallo.values.errors import ProjectBusy, StoreDamaged, StoreError, disk_error, disk_errors
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

if TYPE_CHECKING:
    import tantivy

_STAMP = "stamp.json"
_HEAP = 64_000_000  # bytes of tantivy's buffer; it accepts no less than 15 MB a thread
_MOST_WAITING = 40_000_000
"""Characters of documents that may wait to be indexed; tantivy lets 10,000 documents wait, however long they are."""
_OURS = (_STAMP, _STAMP + ".new", NAME)


class Stamp(msgspec.Struct, frozen=True):
    """Who wrote an index; `whole` when no more documents are to come, `taken` is what its documents come from.

    So many documents were `removed` from it since it was built whole.
    """

    version: int = VERSION
    documents: int = 0
    whole: bool = False
    taken: tuple[str, ...] = ()
    removed: int = 0


class IndexWriter:
    """The one writer of an index, which is made when there is none; what was not committed is lost at the end."""

    def __init__(self, folder: Path, *, whole: bool = False, most_waiting: int = _MOST_WAITING) -> None:
        """`whole` means that all documents come at once, faster than they are indexed, and nobody looks before the end."""
        self.folder = folder
        self._whole = whole
        self._most_waiting = most_waiting
        self._waiting = 0
        with disk_errors(folder), explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._index = open_index(folder) if (folder / "meta.json").exists() else _new_index(folder)
            self._writer = self._open_writer()
            self._searcher = self._index.searcher()

    def _open_writer(self) -> tantivy.IndexWriter:
        try:
            return self._index.writer(_HEAP, 1)
        except ValueError as error:
            if "lock" in str(error).lower():
                raise ProjectBusy(
                    "another program writes to {folder}", "wait until it ends, or stop it", folder=self.folder
                ) from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def holds(self, document: str) -> bool:
        """Whether a document was committed."""
        return self._searcher.doc_freq("id", document) > 0

    def add(self, entries: Iterable[IndexEntry]) -> int:
        """Take documents in; they are found after the next commit."""
        number = 0
        with disk_errors(self.folder), explained(self.folder):
            for entry in entries:
                self._writer.add_document(to_document(entry))
                number += 1
                self._waiting += len(entry.text)
                if self._whole and self._waiting > self._most_waiting:
                    self._writer.commit()
                    self._waiting = 0
        return number

    def remove(self, documents: Iterable[str]) -> None:
        """Let documents go, by their ids; those that are added afterwards stay."""
        with disk_errors(self.folder), explained(self.folder):
            for document in documents:
                self._writer.delete_documents_by_term("id", document)

    def commit(self, taken: Iterable[str] = ()) -> None:
        """Make what was added findable, all of it or none of it; the stamp follows, and may be older after a crash."""
        with disk_errors(self.folder), explained(self.folder):
            self._writer.commit()
            self._index.reload()
            self._searcher = self._index.searcher()
            write_stamp(self.folder, Stamp(documents=self._searcher.num_docs, taken=tuple(sorted(taken))))

    def seal(self, boosts: Boosts | None = None, removed: int = 0) -> None:
        """Commit the last documents and write down what the finished index consists of, and its boosts.

        So many documents were `removed` since it was built whole.
        """
        with disk_errors(self.folder), explained(self.folder):
            self._writer.commit()
            self._writer.garbage_collect_files()
            self.close()
            self._index.reload()
            documents = self._index.searcher().num_docs
            (boosts or Boosts.of(())).write(self.folder)
            seal(self.folder, filter(_is_kept, self.folder.iterdir()))
            write_stamp(self.folder, Stamp(documents=documents, whole=True, removed=removed))

    def close(self) -> None:
        """Let the threads end that put small pieces together; nothing happens the second time."""
        if self._writer is not None:
            writer, self._writer = self._writer, None  # type: ignore[assignment]
            with suppress(Exception):
                writer.wait_merging_threads()


def begin_with(before: Path, folder: Path) -> None:
    """Let an index begin with the documents of another, which is finished and stays as it is; files are linked if they can be.

    tantivy never changes a file of documents; its lists of them it replaces.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True)
        for path in filter(_is_kept, before.iterdir()):
            (shutil.copyfile if path.suffix == ".json" else link_file)(path, folder / path.name)


def link_file(path: Path, place: Path) -> None:
    """A file that nobody changes in another place too, as a link if that can be."""
    try:
        os.link(path, place)
    except OSError:  # another file system, or one without links
        shutil.copyfile(path, place)


def open_index(folder: Path, mirror: Path | None = None) -> tantivy.Index:
    """An index that is there, opened by a `mirror` of its folder if given; raises StoreDamaged when it cannot be used."""
    import tantivy

    with explained(folder):
        index = tantivy.Index.open(str(mirror or folder))
        index.register_tokenizer(ANALYSER, analyser())
        return index


def _new_index(folder: Path) -> tantivy.Index:
    import tantivy

    index = tantivy.Index(schema(), path=str(folder))
    index.register_tokenizer(ANALYSER, analyser())
    write_stamp(folder, Stamp())
    return index


def read_stamp(folder: Path) -> Stamp | None:
    """Who wrote an index, None when that cannot be told."""
    try:
        return decode_sealed((folder / _STAMP).read_bytes(), Stamp)
    except (OSError, msgspec.DecodeError):
        return None


def write_stamp(folder: Path, stamp: Stamp) -> None:
    """Write the stamp, whole or not at all."""
    draft = folder / (_STAMP + ".new")
    draft.write_bytes(encode_sealed(stamp))
    draft.replace(folder / _STAMP)


def why_unusable(folder: Path) -> str:
    """Why an index must be built (again), "" when it need not: there is none, it is another version's, or a file is gone."""
    stamp = read_stamp(folder)
    if stamp is None:
        return "there is no index yet" if not folder.exists() else "the index is damaged"
    if stamp.version != VERSION:
        return "the index was made by another version of trasmallo"
    return "the index is damaged" if stamp.whole and not _is_sound(folder) else ""


def put_in_place(draft: Path, folder: Path) -> None:
    """Let a finished index take the place of another; who reads the old one keeps it as long as it is open."""
    old = folder.with_name(folder.name + ".old")
    with disk_errors(folder):
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        draft.rename(folder)
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """What tantivy cannot do with an index, as an error that says what to do; its panics too."""
    try:
        yield
    except (ValueError, FileNotFoundError) as error:
        raise _explain(error, folder) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise _explain(error, folder) from error


def _explain(error: BaseException, folder: Path) -> Exception:
    if not folder.exists():
        return StoreError("{folder} was removed", "ask for a run that is still there", folder=folder)
    told = " ".join(str(error).split())[:200]
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EROFS):
        if os.strerror(number) in str(error):
            return disk_error(OSError(number, told), folder)
    return StoreDamaged(
        "the index {folder} is damaged ({told})", "remove {folder} and ask again; it is built again", folder=folder, told=told
    )


def _is_kept(path: Path) -> bool:
    return path.is_file() and path.name not in _OURS and not path.name.endswith(".lock")


def _is_sound(folder: Path) -> bool:
    """Whether the files are those that were sealed."""
    try:
        names = sealed_files(folder)
        for name in names:
            verify(folder / name)
    except StoreDamaged:
        return False
    return bool(names)
