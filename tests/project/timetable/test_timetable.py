"""The timetable on disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from trasmallo.project.timetable import timetable as module
from trasmallo.project.timetable.timetable import Timetable, default_path
from trasmallo.values.errors import StoreDamaged, StoreFull, StoreTooNew, UsageError

DAY = 86_400.0
NOW = 1_000.0


@pytest.fixture
def table(tmp_path: Path) -> Timetable:
    return Timetable(tmp_path / "data" / "timetable.sqlite")


def test_nothing_is_made_by_looking(table: Timetable) -> None:
    assert (table.entries(), table.history(), table.due(1e9), table.unended()) == ([], [], [], [])
    assert not table.path.parent.exists()


def test_entries_are_kept_and_found_by_their_folder(table: Timetable, tmp_path: Path) -> None:
    first = table.add(tmp_path / "a", "every 6h", 1_000.0)
    second = table.add(tmp_path / "x" / ".." / "b", "03:00", 1_000.0, zone="UTC", missed="skip")
    assert (first.due, first.on, first.missed, first.resume) == (22_600.0, True, "catch-up", False)
    assert second.folder == str(tmp_path / "b")
    assert Timetable(table.path).entries() == [second, first], "the next first"
    assert [entry.folder for entry in table.due(22_600.0)] == [str(tmp_path / "b"), str(tmp_path / "a")]
    again = table.add(tmp_path / "a", "every 1h", 2_000.0)
    assert (again.id, again.due, again.when) == (first.id, 5_600.0, "every 1h")
    table.remove(tmp_path / "b")
    assert table.entries() == [again]
    with pytest.raises(UsageError, match="put it there with: trasmallo schedule"):
        table.find(tmp_path / "b")


def test_switching_off_and_on(table: Timetable, tmp_path: Path) -> None:
    table.add(tmp_path, "every 1h", 0.0)
    assert table.change(tmp_path, 100.0, on=False).on is False
    assert table.due(1e6) == []
    entry = table.change(tmp_path, 10_000.0, on=True, missed="skip")
    assert (entry.due, entry.missed) == (10_800.0, "skip"), "what passed while it was off is past"


def test_a_run_is_in_the_history_from_its_beginning(table: Timetable, tmp_path: Path) -> None:
    entry = table.add(tmp_path, "every 1h", 0.0)
    past = table.begin(entry, 3_700.0)
    assert (past.due, past.began, past.ended, past.state) == (3_600.0, 3_700.0, None, "running")
    assert table.unended() == [past]
    assert table.find(tmp_path).due == 7_200.0
    table.end(past, 4_000.0, "finished", "", "run-1")
    assert table.unended() == []
    (found,) = table.history()
    assert (found.ended, found.state, found.run) == (4_000.0, "finished", "run-1")
    assert table.history(folder=tmp_path / "other") == []


def test_what_was_cut_short_goes_on_if_it_catches_up(table: Timetable, tmp_path: Path) -> None:
    for name, missed in (("a", "catch-up"), ("b", "skip")):
        past = table.begin(table.add(tmp_path / name, "every 1d", 0.0, missed=missed), DAY)  # type: ignore[arg-type]
        table.end(past, DAY + 5, "interrupted", again=True)
    assert [(entry.folder, entry.resume) for entry in table.due(DAY + 6)] == [(str(tmp_path / "a"), True)]


def test_missed_runs_are_skipped_once_and_written_down(table: Timetable, tmp_path: Path) -> None:
    table.add(tmp_path / "a", "every 1h", 0.0, missed="skip")
    table.add(tmp_path / "b", "every 1h", 0.0)
    assert [entry.folder for entry in table.skip_missed(36_010.0)] == [str(tmp_path / "a")]
    assert table.find(tmp_path / "a").due == 39_600.0
    assert [(past.state, past.due) for past in table.history()] == [("skipped", 3_600.0)]
    assert [entry.folder for entry in table.due(36_010.0)] == [str(tmp_path / "b")]


def test_once_is_never_again(table: Timetable, tmp_path: Path) -> None:
    entry = table.add(tmp_path, "2026-12-24 18:00", 0.0, zone="UTC")
    assert entry.due is not None
    table.begin(entry, entry.due)
    assert table.find(tmp_path).due is None
    with pytest.raises(UsageError, match="is past"):
        table.add(tmp_path, "2026-12-24 18:00", entry.due + 1, zone="UTC")


def test_the_history_forgets_its_oldest(table: Timetable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_HISTORY", 3)
    entry = table.add(tmp_path, "every 1h", 0.0)
    for number in range(5):
        table.end(table.begin(entry, float(number)), number + 0.5, "finished")
    assert [past.began for past in table.history(0)] == [4.0, 3.0, 2.0]


def test_bad_files_are_told(table: Timetable, tmp_path: Path) -> None:
    table.add(tmp_path, "every 1h", 0.0)
    with closing(sqlite3.connect(table.path)) as connection:
        connection.execute("PRAGMA user_version = 9")
    with pytest.raises(StoreTooNew, match="install that version"):
        table.entries()
    table.path.write_bytes(b"no timetable at all" * 100)
    with pytest.raises(StoreDamaged, match="move it away; a new one is made"):
        table.entries()
    with pytest.raises(StoreFull):
        Timetable(tmp_path).entries()


def test_where_the_users_own_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Timetable().path == tmp_path / "trasmallo" / "timetable.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "share" / "trasmallo" / "timetable.sqlite"


def test_a_removal_is_undone(table: Timetable, tmp_path: Path) -> None:
    table.add(tmp_path, "every 1d", NOW, missed="skip")
    table.change(tmp_path, NOW, on=False)
    removed = table.remove(tmp_path)
    table.put_back(removed)
    assert table.entries() == [removed]
    with pytest.raises(UsageError, match="is on the timetable again"):
        table.put_back(removed)


def test_what_is_due_can_be_skipped_by_hand(table: Timetable, tmp_path: Path) -> None:
    table.add(tmp_path, "every 1h", NOW)
    with pytest.raises(UsageError, match="is due"):
        table.skip(tmp_path, NOW + 60)
    assert table.skip(tmp_path, NOW + 3_700).due == NOW + 7_200
    assert [(run.state, run.cause) for run in table.history()] == [("skipped", "by hand")]
    table.change(tmp_path, NOW, on=False)
    with pytest.raises(UsageError, match="is due"):
        table.skip(tmp_path, NOW + 9_000)


_FIRST_FORMAT = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, "when" TEXT NOT NULL, zone TEXT NOT NULL, missed TEXT NOT NULL,
    "on" INTEGER NOT NULL, since REAL NOT NULL, due REAL, resume INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE history (
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL, due REAL NOT NULL, began REAL NOT NULL, ended REAL, state TEXT NOT NULL,
    cause TEXT NOT NULL, run TEXT NOT NULL
);
INSERT INTO entries VALUES (7, '/p', 'every 6h', '', 'skip', 1, 1000.0, 22600.0, 0);
INSERT INTO history VALUES (3, '/p', 1000.0, 1000.0, 2000.0, 'finished', '', 'p-1');
PRAGMA user_version = 1;
"""


def test_a_timetable_of_the_first_format_is_read_and_goes_on(table: Timetable) -> None:
    table.path.parent.mkdir()
    with closing(sqlite3.connect(table.path)) as connection:
        connection.executescript(_FIRST_FORMAT)
    (entry,) = table.entries()
    assert (entry.folder, entry.when, entry.missed, entry.work, entry.budget) == ("/p", "every 6h", "skip", "run", "")
    assert [past.run for past in table.history()] == ["p-1"]
    again = table.add("/p", "every 1h", NOW, work="revisit", budget="50")
    assert (again.id, again.work, again.budget) == (7, "revisit", "50")


def test_a_revisit_has_a_budget_and_a_run_has_none(table: Timetable, tmp_path: Path) -> None:
    entry = table.add(tmp_path, "every 1h", NOW, work="revisit", budget="500/day")
    assert (entry.work, entry.budget) == ("revisit", "500/day")
    table.remove(tmp_path)
    table.put_back(entry)
    found = table.find(tmp_path)
    assert (found.work, found.budget, found.when) == ("revisit", "500/day", "every 1h")
    assert table.add(tmp_path, "every 1h", NOW).work == "run"
    with pytest.raises(UsageError, match="is for revisits: add --revisit"):
        table.add(tmp_path, "every 1h", NOW, budget="500")
    with pytest.raises(UsageError, match="is no budget"):
        table.add(tmp_path, "every 1h", NOW, work="revisit", budget="many")
