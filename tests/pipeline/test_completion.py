"""What the end of a run makes, and what is forgotten of it."""

from __future__ import annotations

import os
from pathlib import Path

from support.runs import make_run
from trasmallo.config import Config
from trasmallo.events import Event
from trasmallo.pipeline.completion import CompletionStatus, complete, forget_results, forget_tables, remove_parts
from trasmallo.results.database.tables import Tables
from trasmallo.values.run_status import AgentStatus


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


def test_what_is_being_made_is_written_down(tmp_path: Path) -> None:
    run, seen = make_run(tmp_path), list[AgentStatus]()
    complete(run, Config(), lambda _event: seen.extend(run.status().agents), finished=True)
    assert {(agent.process, agent.work) for agent in seen} == {(os.getpid(), "indexing")}
    shown = CompletionStatus(run)
    shown.turn_to("making a table", "words")
    other = AgentStatus(process=1, work="waiting")
    shown.show([other])
    own, told = run.status().agents
    assert (own.work, own.what, told) == ("making a table", "words", other)


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
