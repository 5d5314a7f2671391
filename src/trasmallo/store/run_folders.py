"""A run: one folder `runs/<name>-<YYYYMMDD-HHMMSS>/` with its state, events, frontier and results."""

from __future__ import annotations

import calendar
import math
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import DRAFT, write_whole
from trasmallo.values.date_ends import checked_end, is_written_as_date
from trasmallo.values.errors import REBUILD, NoResults, NotFound, ProjectError, StoreDamaged, StoreTooNew, disk_errors
from trasmallo.values.run_status import RunStatus
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

_MANIFEST = "run.json"
SNAPSHOTS = "snapshots"
"""The folder of a project that holds frozen results, each as a run with the name of the snapshot (`results.snapshots`)."""
VERSION = 1
"""Layout of a run's folder; a later version may read this one, never the other way round."""


CRAWL, REVISIT, IMPORT, PUSH, SELECTION, FILES = "crawl", "revisit", "import", "push", "selection", "files"
"""Kinds of runs: from the start addresses on, to pages of the collection, from files, by hubs that push what is new,
without any visit, because sites are taken out of the collection or put back, and over folders and mailboxes that changed."""

QUEUED = (CRAWL, REVISIT)
"""Those that have a queue of addresses."""

_NAMED = 8
"""So many runs are named to who asked for one that is not there. Judgement: a few lines of a terminal."""


class LimitStart(msgspec.Struct, frozen=True):
    """What a run had brought when it went on after a limit: pages obtained and bytes received."""

    obtained: int = 0
    received: int = 0


class Manifest(msgspec.Struct):
    """What a run says of itself in `run.json`. `state` is running, stopped or finished; `crawled` when no download is left.

    `ended` says why the downloads ended before nothing was left: a limit, or who stopped them.
    `processes` crawl, each its share of the hosts; a run keeps their number, because their frontiers depend on it.
    `clean` and `study` are digests of the settings that its results were made under, that of `study` after the project's
    language and a hyphen; `studying` is that of a study of its texts which has begun and is not in the tables yet, "" when
    there is none. The tables of a `sealed` run have digests. `remade` counts how often results were given up, to be made again;
    limits of the whole crawl count from `limits_from` on. `indexed` is False where no search index was wished at the end. It
    adds to the results of the run `base`, "" when it is the first of its collection. A `completed` run has been finished once:
    from then on its results are those of the collection. It is `unread` from when a repair forgot all that was read until that
    is there again. The results of one that was `thinned` out are gone, what it stored is not. The queue of a
    `shared` run is in a database, for other machines too. `left_out` are the hosts of sites that its results leave out, and
    since when each was taken out; None when nobody told. It `takes` in what other runs brought that its base lacks: they went
    on when later ones had been completed.
    """

    name: str
    kind: str
    began: float
    state: str = "running"
    version: int = VERSION
    software: str = ""
    crawled: bool = False
    clean: str = ""
    study: str = ""
    processes: int = 1
    ended: str = ""
    studying: str = ""
    sealed: bool = False
    remade: int = 0
    limits_from: LimitStart = LimitStart()
    indexed: bool = True
    base: str = ""
    completed: bool = False
    unread: bool = False
    thinned: bool = False
    shared: bool = False
    left_out: dict[str, float] | None = None
    takes: tuple[str, ...] = ()


class Run:
    """A run's folder and what is where in it; or those results of a run that its start address `of` it led to."""

    def __init__(self, folder: Path, manifest: Manifest, of: Run | None = None) -> None:
        self.folder = folder
        self.manifest = manifest
        self._of = of

    @property
    def name(self) -> str:
        """The folder's name; "RUN/ADDRESS" for the results of a start address."""
        return self.folder.name if self._of is None else f"{self._of.name}/{self.folder.name}"

    @property
    def catalogued(self) -> str:
        """The name by which the catalog knows the run, which a snapshot of it has too."""
        return self.manifest.name

    @property
    def project(self) -> Path:
        """The folder of its project."""
        return self.folder.parents[1] if self._of is None else self._of.project

    @property
    def addresses(self) -> Path:
        """Where its results by start address are, a folder each, if they are wanted so."""
        return self.folder / "addresses"

    def of_address(self, folder: str) -> Run:
        """The results of a start address, by the name of their folder."""
        return Run(self.addresses / folder, self.manifest, self)

    @property
    def frontier(self) -> Path:
        """Where the crawl's queue is, or those of its workers are."""
        return self.folder / "frontier"

    def frontier_of(self, worker: int) -> Path:
        """Where the queue of a share of the hosts is, from 0; the whole crawl's when there is only one."""
        return self.frontier / self._worker(worker) if self.manifest.processes > 1 else self.frontier

    @property
    def frontiers(self) -> list[Path]:
        """Where the queues are, a folder for each worker."""
        return [self.frontier_of(worker) for worker in range(self.manifest.processes)]

    def traps_of(self, worker: int) -> Path:
        """What the crawl of a worker learned about endless addresses."""
        return self._file_of("traps", worker)

    def robots_of(self, worker: int) -> Path:
        """Where the robots.txt files that the crawl of a worker was given are in the archive."""
        return self._file_of("rules", worker)

    def probes_of(self, worker: int) -> Path:
        """What the hosts of a worker said of addresses that cannot exist."""
        return self._file_of("probes", worker)

    def labels_of(self, worker: int) -> Path:
        """What the hosts of a worker taught about rendering."""
        return self._file_of("rendering", worker)

    def clock_of(self, worker: int) -> Path:
        """When the last session of a worker's crawl ended, as the crawl counts time."""
        return self._file_of("clock", worker)

    def retries_of(self, worker: int) -> Path:
        """Where requests lie that a worker ask for addresses once more."""
        return self._file_of("again", worker)

    @property
    def retry_folders(self) -> list[Path]:
        """Where such requests lie, a folder for each worker."""
        return [self.retries_of(worker) for worker in range(self.manifest.processes)]

    def _file_of(self, name: str, worker: int) -> Path:
        return self.folder / (f"{name}-{self._worker(worker)}" if self.manifest.processes > 1 else name)

    def scope_log_of(self, worker: int) -> Path:
        """The exclusions and inclusions that the queue of a worker was last held against."""
        return self._file_of("border", worker)

    def _worker(self, worker: int) -> str:
        return f"{worker + 1}-of-{self.manifest.processes}"

    @property
    def parts(self) -> Path:
        """Where results arrive, a folder a batch."""
        return self.folder / "parts"

    @property
    def shown_parts(self) -> Path:
        """The parts that count for who asks: results that were made again do as soon as all of them are there."""
        return self.studied if self.studied.exists() else self.parts

    @property
    def carried(self) -> Path:
        """The results of the run before that this one adds to, until its own tables hold them."""
        return self.folder / "carried"

    @property
    def visits(self) -> Path:
        """The visits that were planned for a run that asks for pages again, and why."""
        return self.folder / "visits.jsonl"

    @property
    def studying(self) -> Path:
        """Where parts arrive when the stored texts are studied again."""
        return self.folder / "studying"

    @property
    def studied(self) -> Path:
        """The same when all of them are there, until they take the place of `parts`."""
        return self.folder / "studied"

    @property
    def events(self) -> Path:
        """What happened, a JSON object a line."""
        return self.folder / "events.jsonl"

    @property
    def progress(self) -> Path:
        """Where the run stands, renewed once a second while somebody works on it."""
        return self.folder / "progress.json"

    @property
    def deaths(self) -> Path:
        """Pages at which reading processes died, and how often."""
        return self.folder / "deaths.json"

    def status(self) -> RunStatus:
        """Where the run stood when it last wrote it down; an empty status when it never did."""
        try:
            return decode_sealed(self.progress.read_bytes(), RunStatus)
        except FileNotFoundError:
            if self.manifest.state != "running":  # it is written when work begins, and when it ends
                raise StoreDamaged("{path} is missing", REBUILD, path=self.progress) from None
            return RunStatus()
        except msgspec.DecodeError as error:
            raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=self.progress, error=error) from None

    def write_status(self, status: RunStatus) -> None:
        """Write down where the run stands."""
        write_whole(self.progress, encode_sealed(status))

    @property
    def language(self) -> str:
        """The project's language that its results were made under, "" when nobody told."""
        return self.manifest.study.partition("-")[0]

    @property
    def finished(self) -> bool:
        """Whether there is nothing to resume."""
        return self.manifest.state == "finished"

    def reread(self) -> Run:
        """The same run with what it says of itself now; raises StoreDamaged or StoreTooNew."""
        return open_run(self.folder) if self._of is None else self._of.reread().of_address(self.folder.name)

    def give_up_results(self) -> None:
        """Say that the results are made again, before the first of their files changes; who reads them relies on it."""
        self.manifest.remade += 1
        self.mark("stopped")

    def mark(self, state: str) -> None:
        """Change the state on disk."""
        self.manifest.state = state
        self.save()

    def save(self) -> None:
        """Write `run.json`, whole or not at all."""
        write_whole(self.folder / _MANIFEST, msgspec.json.format(encode_sealed(self.manifest)))


def start(folder: Path, project: str, kind: str, software: str, processes: int = 1, base: str = "") -> Run:
    """A new run under `folder`, named by project, date and time, whose crawl has so many processes; not saved yet.

    It adds to the results of the run `base`. Raises ProjectError while the clock is before what an earlier run has written: the
    newest of runs and of versions is known by its time alone, so that nothing of this one would ever be shown.
    """
    began = time.time()
    _require_later(folder, began)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(began))
    name = re.sub(r"[^\w.-]+", "-", project) + "-" + stamp
    home = _free_name(folder / name)
    with disk_errors(home):
        (home / "parts").mkdir(parents=True)
    return Run(home, Manifest(home.name, kind, began, software=software, processes=processes, base=base))


def _require_later(folder: Path, moment: float) -> None:
    last, name = max(((_last_written(run), run.name) for run in find(folder)), default=(0.0, ""))
    if last > moment:
        raise ProjectError(
            "the clock says {now}, but {name} was written at {then}",
            "set the clock and give the same command again; if it ran ahead then, go on in a new project",
            now=_told(moment),
            name=name,
            then=_told(last),
        )


def _last_written(run: Run) -> float:
    """When a run began, or last told where it stood."""
    try:
        return max(run.manifest.began, run.status().at)
    except StoreDamaged:
        return run.manifest.began


def _told(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def find(folder: Path) -> list[Run]:
    """All runs under `folder`, oldest first; a folder with nothing in it is none (its start was cut short), nor is a draft."""
    if not folder.is_dir():
        return []
    runs = [open_run(path) for path in folder.iterdir() if not path.name.endswith(DRAFT) and has_begun(path)]
    return sorted(runs, key=lambda run: (run.manifest.began, run.name))


def latest(folder: Path) -> Run:
    """The newest run; raises NoResults when there is none."""
    runs = find(folder)
    if not runs:
        raise NoResults("{parent} has no results yet", "make some with: trasmallo run {parent}", parent=folder.parent)
    return runs[-1]


def told_of(folder: Path, *, working: bool) -> Run:
    """The run that states and counts are told of: the newest, or, while somebody is `working`, an older one that goes on.

    Who works on a run writes down where it stands once a second, so the last to have done so is at work. One that has just
    begun has written nothing yet. Raises NoResults when there is none.
    """
    newest = latest(folder)
    older = [run for run in find(folder)[:-1] if run.manifest.state == "running"] if working else []
    return max((newest, *older), key=_written_at)


def _written_at(run: Run) -> float:
    try:
        return run.progress.stat().st_mtime
    except FileNotFoundError:
        return math.inf


def current(folder: Path) -> Run:
    """The run whose results are those of the collection: the newest that was completed, else the newest there is.

    Raises NoResults when there is none.
    """
    return last_completed(folder) or latest(folder)


def last_completed(folder: Path) -> Run | None:
    """The newest run that was completed; None before there is one."""
    return next((run for run in reversed(find(folder)) if run.manifest.completed or run.finished), None)


def all_finished(folder: Path) -> bool:
    """Whether there are runs, and each of them was finished."""
    runs = find(folder)
    return bool(runs) and all(run.finished for run in runs)


def lineage(run: Run) -> list[str]:
    """The names of the runs that its results consist of: the first of the collection, and so on to itself."""
    known = {each.name: each.manifest for each in find(run.project / "runs")}
    names, last = [run.catalogued], run.catalogued
    while last in known and (base := known[last].base) and base not in names:
        names.append(base)
        last = base
    chain = names[::-1]
    return list(dict.fromkeys(name for each in chain for name in (*_taken(known.get(each), chain), each)))


def _taken(manifest: Manifest | None, chain: Sequence[str]) -> Iterator[str]:
    """The runs that one takes in which its results do not consist of anyhow."""
    return (name for name in (manifest.takes if manifest else ()) if name not in chain)


def as_of(folder: Path, moment: float, told: str) -> Run:
    """The run whose results were those of the collection at a time, which was `told` so; raises NotFound before the first."""
    found = [run for run in find(folder) if run.manifest.began <= moment and (run.manifest.completed or run.finished)]
    if not found:
        raise NotFound("the collection had no results on {told}", "choose a later date", told=told[:80])
    return require_kept(found[-1])


def named(folder: Path, name: str = "") -> Run:
    """The run or the snapshot of a name, or that of the collection on a date; without any that of the collection as it is now.

    Raises NoResults when there is none, NotFound for another name, UsageError for a day that does not exist.
    """
    if not name:
        return current(folder)
    if is_written_as_date(name):
        return as_of(folder, checked_end(name), name)
    known = [*find(folder), *find(folder.parent / SNAPSHOTS)]
    whole, _, address = name.partition("/")
    found = [run.of_address(address) if address else run for run in known if run.name == whole]
    if not found or (address and address not in _names_in(found[0].folder.parent)):
        raise _unknown(name, known)
    return require_kept(found[0])


def _unknown(name: str, known: Sequence[Run]) -> NotFound:
    """What is said of a name that nobody has; of many runs only the latest are named."""
    repair = "choose one of {known}, or a date like 2026-05-31"
    if len(known) > _NAMED:
        repair = "choose one of {known} (the latest of {number}), or a date like 2026-05-31"
    names = ", ".join(run.name for run in known[-_NAMED:])
    return NotFound("there is no run {name!r}", repair, name=name[:80], known=names, number=len(known))


def with_results(folder: Path) -> list[Run]:
    """All runs under `folder` but those whose results were thinned out, oldest first."""
    return [run for run in find(folder) if not run.manifest.thinned]


def require_kept(run: Run) -> Run:
    """A run; raises NotFound that names the nearest others when its results were thinned out."""
    if not run.manifest.thinned:
        return run
    kept = with_results(run.project / "runs")
    before, after = (
        [other.name for other in kept if (other.manifest.began > run.manifest.began) is later] for later in (False, True)
    )
    raise NotFound(
        "the results of {name} were thinned out",
        "ask for {nearest} with --run, or set results_kept = 0 in [store] to keep those of the next ones",
        name=run.name,
        nearest=" or ".join((*before[-1:], *after[:1])),
    )


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def has_begun(folder: Path) -> bool:
    """Whether a folder is a run's: it says so, or holds more than a start makes first (a place for parts, a draft)."""
    if (folder / _MANIFEST).exists():
        return True
    made = (path for path in (folder.iterdir() if folder.is_dir() else ()) if path.name != f"{_MANIFEST}.new")
    return any(path.name != "parts" or any(path.iterdir()) for path in made)


def open_run(folder: Path) -> Run:
    """The run in a folder; raises StoreDamaged or StoreTooNew."""
    path = folder / _MANIFEST
    try:
        manifest = decode_sealed(path.read_bytes(), Manifest)
    except FileNotFoundError:
        raise StoreDamaged("{path} is missing", REBUILD, path=path) from None
    except msgspec.DecodeError as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None
    if manifest.version > VERSION:
        raise StoreTooNew(
            "{folder} was made by a later version of trasmallo",
            "install that version, or move {folder} away and run again",
            folder=folder,
        )
    return Run(folder, manifest)


def time_in(name: str) -> float:
    """When a run began, as its name tells it; 0 where it does not."""
    found = re.search(r"-(\d{8}-\d{6})(?:-\d+)?$", name)
    return float(calendar.timegm(time.strptime(found[1], "%Y%m%d-%H%M%S"))) if found else 0.0


def _free_name(path: Path) -> Path:
    """Two runs within a second get different names."""
    candidate, serial = path, 1
    while candidate.exists():
        serial += 1
        candidate = path.with_name(f"{path.name}-{serial}")
    return candidate
