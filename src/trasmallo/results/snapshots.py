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
from pathlib import Path

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.store import digests, run_folders
from trasmallo.store.digests import NAME as DIGESTS
from trasmallo.store.result_soundness import edition_of
from trasmallo.store.run_folders import SNAPSHOTS, Run
from trasmallo.values.atomic_files import drafted, remove, write_whole
from trasmallo.values.date_ends import is_written_as_date
from trasmallo.values.errors import NoResults, NotFound, StoreDamaged, StoreError, UsageError, disk_errors
from trasmallo.values.software import SOFTWARE

_FILE = "snapshot.json"
_NAME = re.compile(r"[^\W_][\w.-]{0,79}")
_LEFT_OUT = shutil.ignore_patterns("frontier", "parts", "carried", "events.jsonl", "spill", "*.lock", "*.new")
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
        before = edition_of(run)
        found = _describe(run, name, note)
        with drafted(home / name) as draft:
            remove(draft)
            shutil.copytree(run.folder, draft, copy_function=_link, ignore=_LEFT_OUT)
            write_whole(draft / _FILE, msgspec.json.format(msgspec.json.encode(found)))
            if edition_of(run) == before:
                digests.require(draft)
                return found
    raise StoreError("the results of {name} are made again just now", "freeze them when that is done", name=run.name)


def _check_name(name: str, run: Run) -> None:
    if not _NAME.fullmatch(name) or is_written_as_date(name) or name[0].isdigit():
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


def snapshots(project: Path) -> Iterator[Snapshot]:
    """The snapshots of a project, the oldest first; raises StoreDamaged for one that cannot be read."""
    folders = (path for path in sorted((project / SNAPSHOTS).glob(f"*/{_FILE}")) if not path.parent.name.endswith(".new"))
    yield from sorted(map(_read, folders), key=lambda found: (found.made, found.name))


def find_snapshot(project: Path, name: str) -> Snapshot:
    """The snapshot of a name; raises NotFound that names the others."""
    known = {found.name: found for found in snapshots(project)}
    if name not in known:
        others = ", ".join(known) or "none yet"
        raise NotFound("there is no snapshot {name!r}", "choose one of {known}", name=name[:80], known=others)
    return known[name]


def remove_snapshot(project: Path, name: str) -> Snapshot:
    """Let a snapshot go; what is stored, and the run it was made of, stay."""
    found = find_snapshot(project, name)
    folder = project / SNAPSHOTS / name
    with disk_errors(folder):
        going = folder.rename(folder.with_name(f"{name}.new"))  # half of one is never seen
        remove(going)
    return found


def _read(path: Path) -> Snapshot:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Snapshot)
    except msgspec.DecodeError as error:
        repair = "remove its folder, and freeze it again"
        raise StoreDamaged("{path} is damaged ({error})", repair, path=path, error=error) from None
