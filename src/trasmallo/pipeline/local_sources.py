"""A pass over the folders and mailboxes that a project starts from: what is new, changed, moved or gone since the last one.

1. Each root is walked (`crawl.files.walker`) and compared with what the last pass saw (`crawl.files.manifest`).
2. Documents of new and changed files get rows in the catalog, under the run; their octets stay where they are, or are kept in
   the archive if the project wants copies.
3. What was moved leads to its new address, what is gone is missing from now on. A root that is not there, or is empty all at
   once, says nothing about its files: it is told, and they are kept.
4. The manifest is written when all rows are: a pass that is killed is made again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.crawl_limits import limit_reached
from trasmallo.crawl.files.access import read_access
from trasmallo.crawl.files.manifest import FILE_NAME, Changes, Held, Manifest, RootManifest, compare
from trasmallo.crawl.files.walker import CAUSES, FileRules, FileState, Refuses, WalkedFile, Walker
from trasmallo.crawl.scope import Scope
from trasmallo.events import Emit, Failed, Fetched, Redirected, Refused
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.local_documents import (
    FoundDocument,
    LocalDocuments,
    UnstableFile,
    addresses_of,
    held_of,
    is_own,
)
from trasmallo.pipeline.recalled_files import recalled_roots
from trasmallo.results.originals import is_original
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import ProjectError
from trasmallo.values.local_addresses import MAILDIR, PLACES, file_address, place_of
from trasmallo.values.model import Failure, Fetch, Origin, Outcome, Reached, Response, Target

_AT_ONCE = 500  # judgement: rows that are written together
_MOVED = 301  # the status of what has moved for good (RFC 9110)
_UNSTABLE = "it is being written; the next pass reads it"
_MESSAGES = ("cur", "new")


class MissingRoot(NamedTuple):
    """A root that is not there, with the number of its files that are known."""

    path: str
    files: int


class PassResult(msgspec.Struct, kw_only=True):
    """What a pass found: documents that are new or changed, moved, gone; roots that are not there; a limit that ended it."""

    documents: int = 0
    touched: int = 0
    moved: int = 0
    gone: int = 0
    refused: int = 0
    missing: list[MissingRoot] = []
    ended: str = ""


def rules_of(config: Config, folder: Path, scheme: str = "file") -> FileRules:
    """The rules by which a project walks; folders of a Maildir begin with a point."""
    crawl = config.crawl
    return FileRules(
        hidden=crawl.hidden_files or scheme == MAILDIR,
        linked=crawl.linked_files,
        other_disks=crawl.other_disks,
        largest=int(crawl.page_megabytes * 1_000_000) if scheme != "mbox" else 1_000_000_000,
        depth=crawl.depth,
        own=(str(folder.resolve()),),
    )


def local_roots(config: Config) -> list[str]:
    """The seeds that lie in the file system."""
    return [seed for seed in config.crawl.seeds if seed.partition(":")[0] in PLACES]


def look_at(seed: str, config: Config, folder: Path, known: RootManifest) -> tuple[list[WalkedFile], Changes] | MissingRoot:
    """What a root holds now and how that differs, or that it is not there."""
    place = place_of(seed)
    try:
        found = list(Walker(rules_of(config, folder, place.scheme), path_refuser(config)).walk(place.path))
    except OSError:
        return MissingRoot(place.path, len(known.files))
    if place.scheme == MAILDIR:
        found = [sorted_message(file) for file in found]
    if known.files and not any(file.state is FileState.DOCUMENT for file in found) and _had_documents(known):
        return MissingRoot(place.path, len(known.files))
    return found, compare(known.files, found)


def path_refuser(config: Config) -> Refuses | None:
    """What says of a path why the project leaves it out; None where it leaves out nothing. Folders match no pattern yet."""
    if not config.crawl.exclude and not config.crawl.include:
        return None
    files, folders = Scope(config.crawl), Scope(msgspec.structs.replace(config.crawl, include=()))
    return lambda path: (folders if path.endswith("/") else files).drops(file_address(path))


def _had_documents(known: RootManifest) -> bool:
    return any(file.state is FileState.DOCUMENT for file in known.files.values())


def sorted_message(file: WalkedFile) -> WalkedFile:
    """A file of a Maildir, of which those in `cur` and `new` are messages."""
    if file.state is FileState.DOCUMENT and file.path.split("/")[-2] not in _MESSAGES:
        return file._replace(state=FileState.NAME)
    return file


def has_changes(config: Config, folder: Path) -> bool:
    """Whether any root differs from what the last pass saw; one that is not there does, so that it is told.

    Where nobody knows what the last pass saw, all of them do.
    """
    manifest = Manifest(folder / "store" / FILE_NAME)
    if not manifest.is_there:
        return bool(local_roots(config))
    for seed in local_roots(config):
        seen = look_at(seed, config, folder, manifest.root(seed))
        if isinstance(seen, MissingRoot) or seen[1]:
            return True
    return False


class LocalPass:
    """One pass of a run over all roots of a project in `folder`."""

    def __init__(self, *, folder: Path, config: Config, keeper: Keeper, catalog: Catalog, emit: Emit) -> None:
        self._folder, self._config = folder, config
        self._keeper, self._catalog, self._emit = keeper, catalog, emit
        self._began = time.monotonic()
        self._rows: list[Fetch] = []
        self._received = 0
        self.result = PassResult(missing=[])

    def take(self) -> PassResult:
        """Take in what changed; rows are safe when it returns."""
        manifest, seeds = Manifest(self._folder / "store" / FILE_NAME), local_roots(self._config)
        if not manifest.is_there:
            manifest.roots = recalled_roots(self._catalog, seeds)
        try:
            for seed in seeds:
                if not self.result.ended:
                    self._take_root(seed, manifest.root(seed))
        finally:
            self._write()
            manifest.save()
        return self.result

    def _take_root(self, seed: str, known: RootManifest) -> None:
        seen = look_at(seed, self._config, self._folder, known)
        if isinstance(seen, MissingRoot):
            self.result.missing.append(seen)
            return
        _, changes = seen
        documents = LocalDocuments(seed, int(self._config.crawl.page_megabytes * 1_000_000), time.time())
        for file in (*changes.new, *changes.changed):
            if self._is_over():
                return
            self._take_file(file, documents, known)
        for before, now in changes.moved:
            self._move(before, now, documents, known)
        for file in changes.touched:
            self._touch(file, known)
        self._forget(changes.gone, known)

    def _is_over(self) -> bool:
        crawl, minutes = self._config.crawl, (time.monotonic() - self._began) / 60
        self.result.ended = limit_reached(crawl, crawl.pages or None, self.result.documents, self._received, minutes * 60)
        return bool(self.result.ended)

    def _take_file(self, file: WalkedFile, documents: LocalDocuments, known: RootManifest) -> None:
        if file.state is not FileState.DOCUMENT:
            self._refuse(file, *CAUSES[file.state])
            known.files[file.path] = file
            return
        try:
            self._keep_all(file, documents, known)
        except UnstableFile:
            self._refuse(file, Outcome.BROKEN, _UNSTABLE)
            return
        except OSError as error:
            self._refuse(file, Outcome.BROKEN, f"cannot be read: {error.strerror}")
            known.files[file.path] = file
            return
        known.files[file.path] = file

    def _keep_all(self, file: WalkedFile, documents: LocalDocuments, known: RootManifest) -> None:
        """Keep the documents of a file that are not known as they are; those that it had and has no more are gone."""
        before, now = {one.address: one for one in known.held_in(file.path)}, list[Held]()
        for found in documents.of(file):
            if isinstance(found, Fetch):
                self._fail(found)
            elif is_own(found.row, file):
                self._keep(found)
            else:
                now.append(held_of(found.row))
                if before.get(found.row.url) != now[-1]:
                    self._keep(found)
        known.hold(file.path, tuple(now))
        self._lose(before.keys() - {one.address for one in now}, known)

    def _keep(self, document: FoundDocument) -> None:
        row = document.row
        self.result.documents += 1
        self._received += row.size
        if self._config.store.copy:
            headers = (("Content-Type", row.media), ("Last-Modified", row.modified))
            answer = Response(
                url=row.url, at=row.at, status=200, reason="OK", headers=headers, body=document.content,
                content=document.content, access=row.access,
            )  # fmt: skip
            self._keeper.keep(
                Target(row.url, seed=row.origin.seed, reached=row.origin.reached, via=row.origin.via),
                answer,
                Outcome.FETCHED,
                "",
            )
        else:
            self._put(row)
        self._emit(Fetched(url=row.url, status=row.status, size=row.size, media=row.media, digest=row.digest))

    def _move(self, before: WalkedFile, now: WalkedFile, documents: LocalDocuments, known: RootManifest) -> None:
        """Have a file's old address lead to the new one; messages have theirs wherever they lie."""
        held = known.hold(before.path, ())
        known.files.pop(before.path, None)
        self._take_file(now, documents, known)
        for old, new in _leads(before.path, now.path, addresses_of(before.path, held)):
            row = Fetch(
                old, time.time(), Outcome.REDIRECTED, status=_MOVED, location=new, origin=Origin(reached=Reached.FOLDER)
            )
            self._put(row)
            self._emit(Redirected(url=old, location=new))
        self.result.moved += 1

    def _touch(self, file: WalkedFile, known: RootManifest) -> None:
        """Renew the rights of a file whose content is as it was."""
        try:
            access = read_access(file.path)
        except OSError:  # gone since it was walked: the next pass says so
            return
        for address in addresses_of(file.path, known.held_in(file.path)):
            row = self._catalog.latest(address)
            if row is not None and row.outcome.obtained:
                self._put(msgspec.structs.replace(row, at=time.time(), outcome=Outcome.UNCHANGED, access=access))
        self.result.touched += 1
        known.files[file.path] = file

    def _forget(self, files: Iterable[WalkedFile], known: RootManifest) -> None:
        for file in files:
            addresses = addresses_of(file.path, known.hold(file.path, ()))
            del known.files[file.path]
            if file.state is FileState.DOCUMENT:
                self._lose(addresses, known)

    def _lose(self, addresses: Iterable[str], known: RootManifest) -> None:
        """Say that documents are no longer there, but for those that lie in another file too."""
        for address in sorted(addresses):
            place = known.place_of(address)
            if place is not None:
                self._point_elsewhere(address, *place)
                continue
            cause = "it was deleted"
            self._put(
                Fetch(address, time.time(), Outcome.MISSING, status=404, cause=cause, origin=Origin(reached=Reached.FOLDER))
            )
            self.result.gone += 1
            self._emit(Failed(url=address, outcome=Outcome.MISSING, cause=cause))

    def _point_elsewhere(self, address: str, path: str, held: Held) -> None:
        """Have the row of a message lead to another copy of it; one that the archive has a copy of lies there anyway."""
        row = self._catalog.latest(address)
        if row is None or row.locator is None or not is_original(row.locator):
            return
        self._put(
            msgspec.structs.replace(
                row,
                at=time.time(),
                outcome=Outcome.FETCHED,
                digest=held.digest,
                locator=row.locator._replace(offset=held.offset, length=held.length),
                location=file_address(path),
            )
        )

    def _refuse(self, file: WalkedFile, outcome: Outcome, cause: str) -> None:
        self._fail(Fetch(file_address(file.path), time.time(), outcome, cause=cause, origin=Origin(reached=Reached.FOLDER)))

    def _fail(self, row: Fetch) -> None:
        """Keep that a file is passed over, and why."""
        self.result.refused += 1
        target = Target(row.url, seed=row.origin.seed, reached=row.origin.reached, via=row.origin.via)
        self._keeper.keep(target, Failure(row.url, row.at, row.outcome, row.cause), row.outcome, row.cause)
        refused = row.outcome is Outcome.OUT_OF_SCOPE
        self._emit(
            Refused(url=row.url, cause=row.cause) if refused else Failed(url=row.url, outcome=row.outcome, cause=row.cause)
        )

    def _put(self, row: Fetch) -> None:
        self._rows.append(row)
        if len(self._rows) >= _AT_ONCE:
            self._write()

    def _write(self) -> None:
        rows, self._rows = self._rows, []
        self._keeper.keep_originals(rows)


def _leads(before: str, now: str, addresses: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The addresses of a moved file that change with its path, each with the new one."""
    old, new = file_address(before), file_address(now)
    return ((address, new + address[len(old) :]) for address in addresses if address.startswith(old))


def require_roots(missing: Iterable[MissingRoot]) -> None:
    """Raise ProjectError for the first root that is not there."""
    for root in missing:
        raise ProjectError(
            "{path} is not there, or is empty all at once; the {number:,} files known of it are kept",
            "mount it or put it back and give the same command again, or take it out of `seeds`",
            path=os.fsencode(root.path).decode(errors="replace"),
            number=root.files,
        )
