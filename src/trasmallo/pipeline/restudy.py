"""Makes the results of a run again: beside those that are there until all of it is done, then in their place.

1. `begin` makes the folder `studying`: for a study of the stored texts with the rows that study does not touch (links, fields,
   and pages that gave no document); for a new reading of the stored pages (`begin_reading`) it is empty.
2. Worker processes write parts there. Killed, the next session goes on with what is not done yet.
3. `end` renames the folder to `studied`: that is the moment from which the results before do not count any more.
4. It becomes the run's `parts`, and tables are made of them as ever. Killed in between, `take_over` is called again.

Until then the tables show what was there before.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.pipeline.analysis.items import StoredText
from trasmallo.pipeline.completion import forget_tables
from trasmallo.pipeline.reading.deaths import Deaths
from trasmallo.pipeline.reading.stored_texts import StoredTexts
from trasmallo.pipeline.staleness import clean_digest, study_digest
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.parts import tally_drops
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import drafted, remove, remove_at_once
from trasmallo.values.errors import StoreDamaged, disk_errors
from trasmallo.values.model import Drop

_CARRIED = "00000000-carried"
"""The part that holds what study does not touch."""

_READING = "clean "
"""What the note of a new reading begins with; the digests of [clean] and [study] follow."""

_AT_ONCE = 64  # judgement: texts in memory together


def begin(run: Run, config: Config, without: Collection[str] = ()) -> bool:
    """Make ready for studying a run's texts under these settings, or go on; False when all of them have been studied.

    Nothing is taken over of the documents `without`, which are read again.
    """
    take_over(run)
    digest = study_digest(run, config)
    if run.manifest.studying == digest:
        return run.studying.exists()
    shutil.rmtree(run.studying, ignore_errors=True)
    with drafted(run.studying) as draft:
        remove(draft)
        _carry_over(run, draft, without)
    run.manifest.studying = digest
    run.save()
    return True


def begin_reading(run: Run, config: Config) -> bool:
    """Make ready for reading a run's pages under these settings, or go on; False when all of them have been read."""
    take_over(run)
    digests = f"{_READING}{clean_digest(config)} {study_digest(run, config)}"
    if run.manifest.studying == digests:
        return run.studying.exists()
    with disk_errors(run.studying):
        shutil.rmtree(run.studying, ignore_errors=True)
        run.studying.mkdir()
    run.manifest.studying = digests
    run.save()
    return True


def pages_lost(run: Run) -> int:
    """Pages that could be read before and cannot now, because the archive is damaged."""
    lost = tally_drops(run.studying)[Drop.DAMAGED]
    if not lost:
        return 0
    try:
        with Tables(run) as tables:
            return max(0, lost - tables.number("pages", (f"drop={Drop.DAMAGED}",)))
    except StoreDamaged:
        return lost


@contextmanager
def open_texts(run: Run, without: Collection[str] = ()) -> Iterator[StoredTexts]:
    """The documents of a run as cleaning left them, but those `without`; their tables stay open as long as the block lasts."""
    with Tables(run) as tables:
        yield StoredTexts(stored for stored in _texts(tables) if stored.page.document not in without)


def end(run: Run) -> None:
    """Put what was studied in the place of the results before."""
    with disk_errors(run.folder):
        if run.studying.exists():
            run.studying.rename(run.studied)
        take_over(run)
    run.give_up_results()
    forget_tables(run)
    shutil.rmtree(_outdated(run), ignore_errors=True)


def take_over(run: Run) -> None:
    """Let results that are whole be the run's; does nothing when there are none, and may be cut short anywhere."""
    if not run.studied.exists():
        return
    if run.manifest.studying.startswith(_READING):
        run.manifest.clean, run.manifest.study = run.manifest.studying.removeprefix(_READING).split()
    else:
        run.manifest.study = run.manifest.studying
    run.save()
    with disk_errors(run.parts):
        remove_at_once(run.carried)  # what was made again holds it
        if run.parts.exists():
            shutil.rmtree(_outdated(run), ignore_errors=True)
            run.parts.rename(_outdated(run))
        run.studied.rename(run.parts)


def _outdated(run: Run) -> Path:
    return run.folder / "outdated"


def _carry_over(run: Run, folder: Path, without: Collection[str]) -> None:
    part = folder / _CARRIED
    part.mkdir(parents=True)
    left_out = ", ".join(f"'{document}'" for document in ["", *without])
    with Tables(run) as tables:
        # What feeds tell of documents is joined when somebody asks.
        for table, rows in (("links", "links"), ("fields", "all_fields")):
            sql = f"SELECT * FROM {rows} WHERE document NOT IN ({left_out})"  # noqa: S608 - hexadecimal
            tables.dump(sql, part / f"{table}.jsonl")
        # Pages at which reading processes died are read once more.
        open_ones = ", ".join(f"'{document}'" for document in ["", *Deaths(run.deaths).documents])
        sql = f"SELECT * FROM all_pages WHERE document NOT IN (SELECT document FROM texts) AND document NOT IN ({open_ones})"  # noqa: S608 - hexadecimal
        tables.dump(sql, part / "pages.jsonl")


def _texts(tables: Tables) -> Iterator[StoredText]:
    """Every document with the row of its page; one that was found to be a copy is a document like the others."""
    page = PageRow.__struct_fields__
    # Runs of earlier versions do not tell all of it.
    known = {name for (name,) in tables.select("SELECT column_name FROM (DESCRIBE texts)")}
    shown, code = (f"t.{name}" if name in known else "NULL" for name in ("own_language", "code"))
    listed = ", ".join(f'p."{name}"' for name in page)
    told = f"coalesce({shown}, p.language), coalesce({code}, '')"
    sql = f"SELECT t.text, t.signature, {told}, {listed} FROM texts t JOIN all_pages p USING (document)"  # noqa: S608
    # Texts are looked at one after the other and rows of pages kept in memory, not the other way round.
    tables.select("SET disabled_optimizers = 'join_order,build_side_probe_side'")
    for text, signature, language, spans, *values in tables.stream(sql, at_once=_AT_ONCE):
        row = PageRow(**dict(zip(page, values, strict=True)))
        found = TextRow(row.document, text, signature, language, spans)
        yield StoredText(msgspec.structs.replace(row, drop="", cause=""), found)
