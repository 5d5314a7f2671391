"""Snapshots: results of a collection that somebody froze under a name, so that what was published can be asked again.

A snapshot is a folder of `snapshots` with the results of a run as links, which take no room as long as the run has them too. It
stays as it is when that run is studied again, thinned out or removed, and is asked like a run (`run_folders.named`). Its digest
tells pages and versions: the SHA-256 of a line "address, tab, digest of its payload" for each page, in the order of the
addresses.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.store import digests, run_folders
from trasmallo.store.digests import NAME as DIGESTS
from trasmallo.store.digests import FileDigest
from trasmallo.store.result_soundness import edition_of
from trasmallo.store.run_folders import SNAPSHOTS, Run
from trasmallo.values.atomic_files import DRAFT, drafted, remove, write_whole
from trasmallo.values.date_ends import is_written_as_date
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import (
    REBUILD,
    NoResults,
    NotFound,
    StoreDamaged,
    StoreError,
    StoreTooNew,
    UsageError,
    disk_errors,
)
from trasmallo.values.software import SOFTWARE

_FILE = "snapshot.json"
_NAME = re.compile(r"[^\W_][\w.-]{0,79}")
_LEFT_OUT = shutil.ignore_patterns("frontier", "parts", "carried", "events.jsonl", "spill", "*.lock", f"*{DRAFT}")
"""What of a run's folder is no result."""
_TRIES = 5  # judgement: results are made again within minutes, and linked within a second


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot: of which run, `began` when that began, `made` when it was frozen, and what it holds.

    `pages` are all that were obtained, `documents` those with a text that counts, `words` theirs.
    """

    name: str
    run: str
    began: float
    made: float
    pages: int
    documents: int
    words: int
    digest: str
    software: str = SOFTWARE
    note: str = ""

    def citation(self, project: str) -> str:
        """A line by which others can name it and check that they have the same."""
        day = time.strftime("%Y-%m-%d", time.gmtime(self.began))
        size = f"{self.pages:,} pages, {self.documents:,} documents, {self.words:,} words"
        return f"{project}, snapshot {self.name} of {day}: {size}. {self.digest}. Made with {self.software}."


def take_snapshot(run: Run, name: str, note: str = "") -> Snapshot:
    """Freeze the results of a run that is finished under a name; raises UsageError for one that cannot be given."""
    home = run.project / SNAPSHOTS
    _check_name(name, run)
    if not (run.finished and run.manifest.sealed):
        raise NoResults("{run} is not finished yet", "freeze it when it is", run=run.name)
    with disk_errors(home):
        home.mkdir(exist_ok=True)
    for _ in range(_TRIES):
        with suppress(_MadeAgain):
            return _freeze(run, name, note)
    raise StoreError("the results of {name} are made again just now", "freeze them when that is done", name=run.name)


class _MadeAgain(Exception):
    """The results of a run were replaced while they were linked."""


def _freeze(run: Run, name: str, note: str) -> Snapshot:
    before = edition_of(run)
    found = _describe(run, name, note)
    with drafted(run.project / SNAPSHOTS / name) as draft:
        remove(draft)  # of who was killed
        try:
            shutil.copytree(run.folder, draft, copy_function=_link, ignore=_LEFT_OUT)
        except FileNotFoundError:
            if edition_of(run) == before:
                raise
        if edition_of(run) != before:
            raise _MadeAgain
        write_whole(draft / _FILE, msgspec.json.format(msgspec.json.encode(found)))
        digests.require(draft)
        digests.seal_also(draft, draft / _FILE)
    return found


def _check_name(name: str, run: Run) -> None:
    if not _NAME.fullmatch(name) or is_written_as_date(name) or name[0].isdigit() or name.endswith(DRAFT):
        problem = "{name!r} is no name for a snapshot"
        raise UsageError(problem, "begin with a letter; letters, digits, - and . may follow", name=name[:80])
    taken = [*run_folders.find(run.project / "runs"), *run_folders.find(run.project / SNAPSHOTS)]
    if name in {each.name for each in taken}:
        raise UsageError("there is a run or snapshot {name!r} already", "choose another name, or remove it", name=name)


def _link(source: str, place: str) -> None:
    """Link a file; one that is not sealed may be written over, and is copied."""
    if Path(source).suffix == ".json" or Path(source).name == DIGESTS:
        shutil.copyfile(source, place)
        return
    try:
        os.link(source, place)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, place)


def _describe(run: Run, name: str, note: str) -> Snapshot:
    with Tables(run) as tables:
        counted = tables.select("SELECT count(*), count(*) FILTER (drop = ''), sum(words) FILTER (drop = '') FROM pages")
        told = hashlib.sha256()
        for url, digest in tables.stream("SELECT url, digest FROM pages ORDER BY url"):
            told.update(f"{url}\t{digest}\n".encode("utf-8", "surrogatepass"))
    pages, documents, words = (int(number or 0) for number in counted[0])
    return Snapshot(
        name=name,
        run=run.catalogued,
        began=run.manifest.began,
        made=time.time(),
        pages=pages,
        documents=documents,
        words=words,
        digest=f"sha256:{told.hexdigest()}",
        note=note,
    )


def snapshot_damage(folder: Path) -> Iterator[StoreDamaged]:
    """What is wrong with the files of a snapshot, all of them read; raises StoreTooNew."""
    try:
        _read(folder / _FILE)
        run_folders.open_run(folder).status()
        digests.require(folder)
    except StoreTooNew:
        raise
    except StoreDamaged as damage:
        yield damage
        return
    yield from digests.damaged_files(folder)


def mend_snapshot(folder: Path, runs: Path) -> bool:
    """Put back what a snapshot has lost and its run has as it was frozen; whether all of it is sound then.

    Both shared the damaged file, if it was a link; a repair has made that of the run again.
    """
    with suppress(StoreError):
        source = runs / run_folders.open_run(folder).catalogued
        for name, stated in digests.sealed_files(folder).items():
            if not _is(folder / name, stated) and _is(source / name, stated):
                with drafted(folder / name) as draft:
                    remove(draft)
                    _link(str(source / name), str(draft))
    return not any(snapshot_damage(folder))


def _is(path: Path, stated: FileDigest) -> bool:
    return path.is_file() and path.stat().st_size == stated.size and digests.digest_of(path) == stated.digest


def snapshot_folders(project: Path) -> list[Path]:
    """The folders of all snapshots of a project, by name, sound or not."""
    home = project / SNAPSHOTS
    found = home.iterdir() if home.is_dir() else ()
    return sorted(path for path in found if path.is_dir() and not path.name.endswith(DRAFT))


def snapshots(project: Path) -> Iterator[Snapshot]:
    """The snapshots of a project, the oldest first; raises StoreDamaged for one that cannot be read."""
    found = (_read(folder / _FILE) for folder in snapshot_folders(project))
    yield from sorted(found, key=lambda snapshot: (snapshot.made, snapshot.name))


def find_snapshot(project: Path, name: str) -> Snapshot:
    """The snapshot of a name; raises NotFound that names the others."""
    known = {found.name: found for found in snapshots(project)}
    if name not in known:
        others = ", ".join(known) or "none yet"
        raise NotFound("there is no snapshot {name!r}", "choose one of {known}", name=name[:80], known=others)
    return known[name]


def remove_snapshot(project: Path, name: str) -> Snapshot | None:
    """Let a snapshot go, and tell what it was, None for one that is damaged; what is stored, and its run, stay."""
    known = {path.name: path for path in snapshot_folders(project)}
    if name not in known:
        others = ", ".join(known) or "none yet"
        raise NotFound("there is no snapshot {name!r}", "choose one of {known}", name=name[:80], known=others)
    folder, found = known[name], None
    with suppress(StoreDamaged):
        found = _read(folder / _FILE)
    with disk_errors(folder):
        draft = folder.with_name(name + DRAFT)
        remove(draft)  # of who was killed
        remove(folder.rename(draft))  # half of one is never seen
    return found


def _read(path: Path) -> Snapshot:
    try:
        digests.verify(path)
        return msgspec.json.decode(path.read_bytes(), type=decodable(Snapshot))
    except FileNotFoundError:
        raise StoreDamaged("{path} is missing", REBUILD, path=path) from None
    except UNDECODABLE as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None
