"""The timetable on disk: its entries and the history of its runs, in one SQLite file that several programs may use at once.

Every change is one transaction, so that a kill at any moment leaves the timetable as it was before or after it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from trasmallo.crawl.revisit.budget import parse_budget
from trasmallo.project.timetable.times import next_after, parse, zone_of
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import StoreDamaged, StoreFull, StoreTooNew, UsageError, disk_errors

Missed = Literal["catch-up", "skip"]
"""What becomes of a run whose time came while no scheduler was there."""

Work = Literal["run", "revisit"]
"""What is done at an entry's time: a new run from the start addresses, or visits to pages of the collection."""

_FORMAT = 2  # version of the file's layout
_PATIENCE = 10.0
"""Seconds to wait for another process that writes. Judgement: a write takes milliseconds."""

_MOST_HISTORY = 10_000
"""Runs that are remembered. Judgement: years of daily runs of several projects."""

_SCHEMA = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, "when" TEXT NOT NULL, zone TEXT NOT NULL, missed TEXT NOT NULL,
    "on" INTEGER NOT NULL, since REAL NOT NULL, due REAL, resume INTEGER NOT NULL DEFAULT 0,
    work TEXT NOT NULL DEFAULT 'run', budget TEXT NOT NULL DEFAULT ''
);
CREATE TABLE history (
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL, due REAL NOT NULL, began REAL NOT NULL, ended REAL, state TEXT NOT NULL,
    cause TEXT NOT NULL, run TEXT NOT NULL
);
"""

_FROM_FIRST_FORMAT = """
ALTER TABLE entries ADD COLUMN work TEXT NOT NULL DEFAULT 'run';
ALTER TABLE entries ADD COLUMN budget TEXT NOT NULL DEFAULT '';
"""


class TimetableEntry(msgspec.Struct, frozen=True):
    """A project on the timetable: `when` is a time or period (`times.parse`), `zone` is "" for this machine's, set at `since`.

    `due` is when it runs next, None when it does not; `resume` says that an interrupted run is to go on then. `budget` is how
    many visits a revisit may make, "" for the usual number.
    """

    id: int
    folder: str
    when: str
    zone: str
    missed: Missed
    on: bool
    since: float
    due: float | None
    resume: bool
    work: Work = "run"
    budget: str = ""


class PastRun(msgspec.Struct, frozen=True):
    """A run of the history: when it was due, began and ended (None while it goes on), its state, why, and the run's name.

    The state is running, finished, stopped, failed, interrupted or skipped.
    """

    id: int
    folder: str
    due: float
    began: float
    ended: float | None
    state: str
    cause: str
    run: str


Row = TypeVar("Row", TimetableEntry, PastRun)


class Timetable:
    """A timetable in a file, which is made when it is first written to; holds nothing open."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.stopping = self.path.with_suffix(".stopping")

    def entries(self) -> list[TimetableEntry]:
        """All entries, those that are due next first."""
        return self._select(TimetableEntry, 'SELECT * FROM entries ORDER BY "on" DESC, due IS NULL, due, id')

    def due(self, now: float) -> list[TimetableEntry]:
        """The entries whose time has come, the longest waiting first."""
        return [entry for entry in self.entries() if entry.on and entry.due is not None and entry.due <= now]

    def find(self, folder: str | Path) -> TimetableEntry:
        """The entry of a project; raises UsageError when it is not on the timetable."""
        named = _resolved(folder)
        for entry in self.entries():
            if entry.folder == named:
                return entry
        raise UsageError(
            "{folder} is not on the timetable", "put it there with: trasmallo schedule {folder} --at 03:00", folder=folder
        )

    def history(self, limit: int = 100, folder: str | Path = "") -> list[PastRun]:
        """The latest runs, the newest first; 0 is all that are kept, at most 10,000."""
        named = _resolved(folder) if folder else ""
        sql = "SELECT * FROM history WHERE ? IN ('', folder) ORDER BY id DESC LIMIT ?"
        return self._select(PastRun, sql, [named, limit or _MOST_HISTORY])

    def add(
        self,
        folder: str | Path,
        when: str,
        now: float,
        *,
        zone: str = "",
        missed: Missed = "catch-up",
        work: Work = "run",
        budget: str = "",
    ) -> TimetableEntry:
        """Put a project on the timetable, or give it another time; raises UsageError for what is no time, zone or budget."""
        _check_work(work, budget)
        rule = parse(when)
        due = next_after(rule, now, now, zone_of(zone))
        if due is None:
            raise UsageError("{when} is past", "give a time to come", when=when)
        values = (_resolved(folder), str(rule), zone, missed, now, due, work, budget)
        with self._changing() as connection:
            connection.execute(
                'INSERT INTO entries (folder, "when", zone, missed, "on", since, due, work, budget)'
                " VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?)"
                ' ON CONFLICT (folder) DO UPDATE SET "when" = excluded."when", zone = excluded.zone, missed = excluded.missed,'
                ' "on" = 1, since = excluded.since, due = excluded.due, resume = 0, work = excluded.work,'
                " budget = excluded.budget",
                values,
            )
        return self.find(folder)

    def change(self, folder: str | Path, now: float, *, on: bool | None = None, missed: Missed | None = None) -> TimetableEntry:
        """Switch an entry on or off, or choose what becomes of runs it misses. Times are changed by `add`."""
        entry = self.find(folder)
        on = entry.on if on is None else on
        due = entry.due if on == entry.on or not on else _next(entry, now)
        with self._changing() as connection:
            connection.execute(
                'UPDATE entries SET "on" = ?, missed = ?, due = ? WHERE id = ?', (on, missed or entry.missed, due, entry.id)
            )
        return self.find(folder)

    def remove(self, folder: str | Path) -> TimetableEntry:
        """Take a project off the timetable; its history stays. What was removed can be put back."""
        entry = self.find(folder)
        with self._changing() as connection:
            connection.execute("DELETE FROM entries WHERE id = ?", (entry.id,))
        return entry

    def put_back(self, entry: TimetableEntry) -> None:
        """Undo a removal: the entry is as it was; raises UsageError when the project is on the timetable again."""
        values = msgspec.structs.astuple(entry)[1:]
        with self._changing() as connection:
            done = connection.execute(
                'INSERT INTO entries (folder, "when", zone, missed, "on", since, due, resume, work, budget)'
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (folder) DO NOTHING",
                values,
            )
        if not done.rowcount:
            raise UsageError("{folder} is on the timetable again", "change it there", folder=entry.folder)

    def begin(self, entry: TimetableEntry, now: float) -> PastRun:
        """A due entry's run begins: it is in the history from now on, and the entry waits for its next time."""
        with self._changing() as connection:
            connection.execute("UPDATE entries SET due = ?, resume = 0 WHERE id = ?", (_next(entry, now), entry.id))
            number = _record(connection, entry, now, None, "running", "")
        return self._past(number)

    def end(self, past: PastRun, now: float, state: str, cause: str = "", run: str = "", *, again: bool = False) -> None:
        """A run has ended; `again` lets an interrupted one go on as soon as possible, if its entry is to catch up."""
        with self._changing() as connection:
            connection.execute(
                "UPDATE history SET ended = ?, state = ?, cause = ?, run = ? WHERE id = ?", (now, state, cause, run, past.id)
            )
            if again:
                connection.execute(
                    "UPDATE entries SET due = ?, resume = 1 WHERE folder = ? AND \"on\" = 1 AND missed = 'catch-up'",
                    (now, past.folder),
                )

    def skip_missed(self, now: float) -> list[TimetableEntry]:
        """Pass over what came due before `now` in entries that do not catch up, and write it down; those entries."""
        missed = [entry for entry in self.due(now) if entry.missed == "skip"]
        with self._changing() as connection:
            for entry in missed:
                connection.execute("UPDATE entries SET due = ? WHERE id = ?", (_next(entry, now), entry.id))
                _record(connection, entry, now, now, "skipped", "no scheduler was running")
        return missed

    def skip(self, folder: str | Path, now: float) -> TimetableEntry:
        """Pass over a run that is due and has not begun, and write it down; raises UsageError when none is due."""
        entry = self.find(folder)
        if not (entry.on and entry.due is not None and entry.due <= now):
            raise UsageError("no run of {folder} is due", "skip one that waits in line", folder=folder)
        with self._changing() as connection:
            connection.execute("UPDATE entries SET due = ?, resume = 0 WHERE id = ?", (_next(entry, now), entry.id))
            _record(connection, entry, now, now, "skipped", "by hand")
        return self.find(folder)

    def unended(self) -> list[PastRun]:
        """The runs that have no end: that which goes on, or what a killed scheduler left."""
        return self._select(PastRun, "SELECT * FROM history WHERE ended IS NULL ORDER BY id")

    def _past(self, number: int) -> PastRun:
        return self._select(PastRun, "SELECT * FROM history WHERE id = ?", [number])[0]

    def _select(self, kind: type[Row], sql: str, values: Sequence[object] = ()) -> list[Row]:
        if not self.path.exists():
            return []
        with self._open() as connection:
            rows = connection.execute(sql, values).fetchall()
        return [msgspec.convert(dict(row), decodable(kind), strict=False) for row in rows]

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it or nothing."""
        with disk_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.rollback()
                raise

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)) as connection:
                connection.row_factory = sqlite3.Row
                _check_format(connection, self.path)
                yield connection
        except sqlite3.OperationalError as error:
            raise StoreFull(
                "cannot use {path} ({error})", "check its folder's permissions and the disk", path=self.path, error=error
            ) from error
        except sqlite3.DatabaseError as error:
            raise StoreDamaged(
                "{path} is no timetable ({error})", "move it away; a new one is made", path=self.path, error=error
            ) from error


def default_path() -> Path:
    """Where a user's timetable is, by the XDG base directory specification."""
    home = os.environ.get("XDG_DATA_HOME", "")
    folder = Path(home) if home.startswith("/") else Path.home() / ".local" / "share"
    return folder / "trasmallo" / "timetable.sqlite"


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file, or those of an earlier version as they are now; raises StoreTooNew for a later one."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found > _FORMAT:
        raise StoreTooNew("{path} was written by a later version of trasmallo", "install that version", path=path)
    if found == _FORMAT:
        return
    connection.execute("BEGIN IMMEDIATE")
    (found,) = connection.execute("PRAGMA user_version").fetchone()  # somebody else may have been quicker
    statements = {0: _SCHEMA, 1: _FROM_FIRST_FORMAT}.get(found, "")
    for statement in statements.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {max(found, _FORMAT)}")
    connection.execute("COMMIT")


def _check_work(work: Work, budget: str) -> None:
    if budget and work != "revisit":
        raise UsageError("a budget of visits is for revisits", "add --revisit")
    if budget:
        parse_budget(budget)


def _record(
    connection: sqlite3.Connection, entry: TimetableEntry, began: float, ended: float | None, state: str, cause: str
) -> int:
    """A new line of the history, which forgets its oldest."""
    values = (entry.folder, entry.due if entry.due is not None else began, began, ended, state, cause)
    made = connection.execute(
        "INSERT INTO history (folder, due, began, ended, state, cause, run) VALUES (?, ?, ?, ?, ?, ?, '')", values
    )
    connection.execute("DELETE FROM history WHERE id <= ?", ((made.lastrowid or 0) - _MOST_HISTORY,))
    return made.lastrowid or 0


def _next(entry: TimetableEntry, now: float) -> float | None:
    return next_after(parse(entry.when), now, entry.since, zone_of(entry.zone))


def _resolved(folder: str | Path) -> str:
    return str(Path(folder).resolve())
