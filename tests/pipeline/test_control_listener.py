"""What other processes want of a session reaches its crawl."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.local_crawl import Crawl
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.events import Event, ScopeChanged
from trasmallo.pipeline import control_files
from trasmallo.pipeline.control_listener import ControlListener
from trasmallo.pipeline.staleness import start_run
from trasmallo.store.run_folders import Run


class Steered:
    """A crawl that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def pause(self, *, paused: bool) -> None:
        self.told.append(paused)

    async def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        self.told.append((tuple(exclude), tuple(include)))

    async def search(self, question: QueueQuestion) -> QueueAnswer:
        return QueueAnswer(matching=len(question.text))


def made(folder: Path, told: list[Event]) -> tuple[ControlListener, Run, Steered, Crawl]:
    (folder / "trasmallo.toml").write_text('[crawl]\nseeds = ["http://a.es/"]\n')
    run, crawl = start_run(folder / "runs", Config(), "crawl", "trasmallo/0"), Steered()
    listener = ControlListener(folder, run, Config().crawl, told.append)
    listener.open()
    return listener, run, crawl, cast(Crawl, crawl)


def test_a_pause_lasts_until_it_is_ended_or_the_run_stops(tmp_path: Path) -> None:
    listener, run, crawl, steered = made(tmp_path, [])
    control_files.pause(run, paused=True)
    for stopped in (False, False, True):
        listener.listen(steered, stopped=stopped)
    assert crawl.told == [True, False]
    assert not listener.paused


def test_a_question_is_answered_beside_it(tmp_path: Path) -> None:
    listener, run, _, steered = made(tmp_path, [])
    asked = run.folder / "asked"
    asked.mkdir()
    (asked / "1.ask").write_bytes(msgspec.json.encode(QueueQuestion("abc")))

    async def listen() -> None:
        listener.listen(steered, stopped=False)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(listen())
    assert msgspec.json.decode((asked / "1.answer").read_bytes(), type=QueueAnswer).matching == 3


def test_other_exclusions_of_the_project_file_are_followed(tmp_path: Path) -> None:
    told: list[Event] = []
    listener, _, crawl, steered = made(tmp_path, told)
    asyncio.run(listener.follow_settings(steered))
    path = tmp_path / "trasmallo.toml"
    path.write_text('[crawl]\nseeds = ["http://a.es/"]\nexclude = ["sport"]\n')
    os.utime(path, (1, 1))
    asyncio.run(listener.follow_settings(steered))
    assert crawl.told == [(("sport",), ())]
    assert told == [ScopeChanged(exclude=("sport",), include=())]
