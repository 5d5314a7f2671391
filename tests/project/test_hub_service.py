"""The subscriptions of a project."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from trasmallo.project.hub_service import HubService, next_run
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedState, FeedStates
from trasmallo.store.run_folders import PUSH
from trasmallo.values.errors import ProjectBusy
from trasmallo.values.run_status import RunStatus

CALLBACK = "https://corpus.example.org/websub/p"


def test_feeds_that_offer_a_hub_are_wished_for_once(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p", ["http://a.es/"])

    async def main() -> None:
        async with HubService(project.folder, project.config, CALLBACK, takes_in=False) as service:
            await service.look()
            with Catalog(project.store / "catalog") as catalog:
                states = FeedStates(catalog)
                states.put_feed("http://a.es/f", FeedState(hub="https://hub.example/", topic="http://a.es/f"))
                states.put_feed("http://a.es/g", FeedState())
            await service.look()
            await service.look()
            with pytest.raises(ProjectBusy):
                await HubService(project.folder, project.config, CALLBACK).__aenter__()
            assert service.answer("GET", "key=guess", (), b"") == (404, b"")

    asyncio.run(main())
    text = (project.folder / "subscriptions.jsonl").read_text()
    assert text.count('"topic"') == 1


def test_the_longer_a_run_of_pushes_took_the_later_is_the_next(tmp_path: Path) -> None:
    assert next_run(tmp_path) == 0.0
    run = run_folders.start(tmp_path, "corpus", PUSH, "trasmallo/0")
    run.manifest.began = 1_000.0
    run.save()
    run.write_status(RunStatus(at=1_060.0))
    assert next_run(tmp_path) == 1_060.0 + 9 * 60.0
