"""Files that were just saved, for who searches: read at once and kept beside the collection until a run takes them in.

It looks at the paths that are said to have changed and compares them with what it last saw, beginning with the manifest of the
last pass. So it may be told too much or twice; what it was not told is found by the next pass over everything.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from trasmallo.clean.read import read
from trasmallo.clean.sandbox import Sandbox, SandboxLimits
from trasmallo.config import Config
from trasmallo.crawl.files.manifest import FILE_NAME, Manifest, RootManifest, compare
from trasmallo.crawl.files.walker import FileState, WalkedFile, Walker
from trasmallo.pipeline.analysis.document import page_row, with_source
from trasmallo.pipeline.analysis.field_rows import field_rows
from trasmallo.pipeline.local_documents import (
    FoundDocument,
    LocalDocuments,
    UnstableFile,
    addresses_of,
    held_of,
    is_own,
)
from trasmallo.pipeline.local_sources import MissingRoot, local_roots, look_at, path_refuser, rules_of, sorted_message
from trasmallo.results.originals import original_record
from trasmallo.results.rows import TextRow
from trasmallo.store.parts import document_id
from trasmallo.store.pushed import keep_early
from trasmallo.store.rights import RightsWriter
from trasmallo.study.language_detection import detect_language
from trasmallo.values.errors import DocumentError
from trasmallo.values.local_addresses import MAILDIR, place_of
from trasmallo.values.model import Fetch, Page

_LONGEST = 1_000_000
"""Characters of a document that are read at once. Judgement: a book; the run reads it whole."""

_SAMPLE = b"<html><title>Puerto</title><p>El puerto abre hoy a las ocho del martes.</p></html>"

_SHOWN_TOGETHER = 50
"""Documents that are found from the same moment on. Judgement: they are read in half a second, and search opens few parts."""

MOST_AT_ONCE = 2_000
"""Documents that are read at once; what is more is left to a run, which reads with all processors. Judgement."""


class EarlyFiles:
    """What has changed in the folders of a project since the last pass, and can be searched already."""

    def __init__(self, folder: Path, config: Config) -> None:
        self._folder, self._config = folder, config
        self._sandbox = Sandbox(SandboxLimits(config.clean.seconds, config.clean.megabytes))
        self._known: dict[str, RootManifest] = {}
        self.unstable: set[str] = set()
        self.begin_again()
        # What reading needs is loaded before the first file comes, which takes seconds.
        read(_SAMPLE, url="file:///sample.html", method=config.clean.method, detect=detect_language)

    def begin_again(self) -> None:
        """Compare with what the last pass saw from now on: a run has taken in what was kept here."""
        self._known = Manifest(self._folder / "store" / FILE_NAME).roots
        (self._folder / "store").mkdir(parents=True, exist_ok=True)
        self._rights = RightsWriter(self._folder / "store" / "catalog")

    def close(self) -> None:
        """End the process that converts formats."""
        self._sandbox.close()

    def take(self, paths: Iterable[str]) -> int:
        """Read what changed at some paths; how many documents are new, changed or gone."""
        taken = 0
        for seed in local_roots(self._config):
            root = place_of(seed).path
            mine = {path for path in paths if path == root or path.startswith(root.rstrip("/") + "/")}
            if mine:
                taken += self._take_root(seed, root, mine)
        return taken

    def scan(self) -> int:
        """Look at every root whole, for what nobody told; how many documents are new, changed or gone."""
        taken = 0
        for seed in local_roots(self._config):
            known = self._known.setdefault(seed, RootManifest())
            seen = look_at(seed, self._config, self._folder, known)
            if isinstance(seen, MissingRoot):
                continue
            found, _changes = seen
            taken += self._apply(seed, known, dict(known.files), found)
        return taken

    def _take_root(self, seed: str, root: str, paths: set[str]) -> int:
        known = self._known.setdefault(seed, RootManifest())
        place = place_of(seed)
        walker, found = Walker(rules_of(self._config, self._folder, place.scheme), path_refuser(self._config)), []
        try:
            for path in _topmost(paths):
                found += list(walker.below(root, path))
        except OSError:
            return 0  # the root is not there: nothing of it is said to be gone
        if place.scheme == MAILDIR:
            found = [sorted_message(file) for file in found]
        concerned = {path: file for path, file in known.files.items() if _is_below(path, paths)}
        return self._apply(seed, known, concerned, found)

    def _apply(self, seed: str, known: RootManifest, concerned: dict[str, WalkedFile], found: list[WalkedFile]) -> int:
        changes, gone, read_now = compare(concerned, found), list[str](), list[tuple[Fetch, Page]]()
        documents = LocalDocuments(seed, int(self._config.crawl.page_megabytes * 1_000_000), time.time())
        for before, _ in changes.moved:
            gone += self._lose(before, known)
        for file in changes.gone:
            gone += self._lose(file, known)
        known.files.update({file.path: file for file in changes.touched})
        taken = 0
        for file in (*changes.new, *changes.changed, *(now for _, now in changes.moved)):
            if taken + len(read_now) >= MOST_AT_ONCE:
                break
            lost, pages = self._read_file(file, documents, known)
            gone += lost
            read_now += pages
            if len(read_now) >= _SHOWN_TOGETHER:
                taken += self._show(read_now, gone)
                gone, read_now = [], []
        return taken + self._show(read_now, gone)

    def _show(self, read_now: list[tuple[Fetch, Page]], gone: list[str]) -> int:
        """Have a search find what was read, and no more what is gone; how many documents that are."""
        self._rights.note([row for row, _ in read_now])  # before anybody can find them
        if gone or read_now:
            keep_early(self._folder, self._tables(read_now), gone)
        return len(gone) + len(read_now)

    def _lose(self, file: WalkedFile, known: RootManifest) -> list[str]:
        known.files.pop(file.path, None)
        held = known.hold(file.path, ())
        if file.state is not FileState.DOCUMENT:
            return []
        return [document_id(address) for address in addresses_of(file.path, held) if known.place_of(address) is None]

    def _read_file(
        self, file: WalkedFile, documents: LocalDocuments, known: RootManifest
    ) -> tuple[list[str], list[tuple[Fetch, Page]]]:
        """Documents that a file has no more, and those that it has now."""
        self.unstable.discard(file.path)
        if file.state is not FileState.DOCUMENT:
            known.files[file.path] = file
            return [], []
        try:
            found = [one for one in documents.of(file) if isinstance(one, FoundDocument)]
        except UnstableFile:
            self.unstable.add(file.path)
            return [], []
        except OSError:
            return [], []
        now = tuple(held_of(one.row) for one in found if not is_own(one.row, file))
        before = {one.address: one for one in known.hold(file.path, now)}
        known.files[file.path] = file
        fresh = [one for one in found if is_own(one.row, file) or before.get(one.row.url) != held_of(one.row)]
        gone = (address for address in before.keys() - {one.row.url for one in found} if known.place_of(address) is None)
        lost = [document_id(address) for address in gone]
        return lost, [(one.row, page) for one in fresh if (page := self._read(one.row))]

    def _read(self, row: Fetch) -> Page | None:
        """The page of a document; None for one that cannot be read, or is in no language that is wanted."""
        try:
            record = original_record(row)
        except DocumentError:
            return None  # it changes right now, and will be told again
        clean = self._config.clean
        page = read(
            record.content() or b"",
            url=row.url,
            media=row.media,
            method=clean.method,
            favour=clean.favour,
            detect=detect_language,
            sandbox=self._sandbox,
        )
        if page.drop is not None or (clean.languages and page.language not in clean.languages):
            return None
        return with_source(page, record)

    def _tables(self, found: list[tuple[Fetch, Page]]) -> dict[str, list[msgspec.Struct]]:
        """The rows of documents that search needs; the others are made by the run."""
        rows = [(page_row(fetch, page), page) for fetch, page in found]
        language = self._config.language
        return {
            "pages": [msgspec.structs.replace(row, language=row.language or language) for row, _ in rows],
            "texts": [TextRow(row.document, page.main_text[:_LONGEST], "") for row, page in rows],
            "fields": [field for row, page in rows for field in field_rows(row.document, page)],
        }


def _topmost(paths: set[str]) -> list[str]:
    """Paths without those that lie below another."""
    kept: list[str] = []
    for path in sorted(paths):
        if not (kept and path.startswith(kept[-1].rstrip("/") + "/")):
            kept.append(path)
    return kept


def _is_below(path: str, paths: set[str]) -> bool:
    """Whether a path is one of some, or lies below one."""
    if path in paths:
        return True
    end = path.rfind("/")
    while end > 0:
        if path[:end] in paths:
            return True
        end = path.rfind("/", 0, end)
    return False
