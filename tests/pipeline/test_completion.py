"""What the end of a run makes, and what is forgotten of it."""

from __future__ import annotations

from pathlib import Path

from support.runs import make_run
from trasmallo.config import Config
from trasmallo.events import Event
from trasmallo.pipeline.completion import complete, forget_results, forget_tables, remove_parts
from trasmallo.results.database.tables import Tables


def test_a_finished_run_has_tables_tokens_and_an_index_and_needs_no_parts(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    told: list[Event] = []
    complete(run, Config(), told.append, finished=True)
    assert list(run.folder.glob("*.parquet"))
    remove_parts(run)
    assert not run.parts.exists()
    with Tables(run) as tables:
        assert tables.number("pages") == 30
    assert told


def test_an_unfinished_run_keeps_its_parts_and_gets_no_tables(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    complete(run, Config(), lambda _event: None, finished=False)
    assert not list(run.folder.glob("*.parquet"))
    with Tables(run) as tables:
        assert tables.number("pages") == 30


def test_what_is_made_of_the_parts_can_be_forgotten_alone(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    complete(run, Config(), lambda _event: None, finished=True)
    forget_tables(run)
    assert not list(run.folder.glob("*.parquet"))
    with Tables(run) as tables:
        assert tables.number("pages") == 30
    forget_results(run)
    assert list(run.parts.iterdir()) == []
