"""Processes of the first machine: their trouble is the project's, told once."""

from __future__ import annotations

import asyncio

import pytest

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
