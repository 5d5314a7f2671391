"""Processes of the first machine: their trouble is the project's, told once."""

from __future__ import annotations

import asyncio

import pytest

from trasmallo.events import Event
from trasmallo.pipeline.local_workers import LocalWorkers
from trasmallo.values.errors import ProjectError


def test_what_a_worker_cannot_do_is_the_projects_trouble() -> None:
    pytest.importorskip("psycopg")
    workers = LocalWorkers("postgresql://me:s3cret@127.0.0.1:1/nothing", [2], lambda _: None)
    with pytest.raises(ProjectError, match="start PostgreSQL") as told:
        asyncio.run(workers.run())
    assert "s3cret" not in str(told.value)
    assert workers.living() == []
    assert not workers.owns(1, local=True)


def test_processes_that_cannot_start_are_not_started_for_ever() -> None:
    told: list[Event] = []
    with pytest.raises(ProjectError, match="again and again"):
        workers = LocalWorkers("postgresql://127.0.0.1:1/nothing", [2], told.append, program="trasmallo.no_such_program")
        asyncio.run(workers.run())
    assert len(told) == 3
