"""Hubs of a project's feeds: who is asked to push, what they push, and the run that takes it in.

One service works for a project in one event loop, as long as the app serves it and the project says its public address:

1. `look` notes the wish to be told of every feed of the collection that offers a hub, or to be told no more.
2. The subscriber asks the hubs and renews the leases; hubs call at `answer`, which believes only what is signed.
3. A push is kept beside the collection, where search finds it at once; when nobody works on the project a run takes it in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Self

from trasmallo.clean.decode import decode_page
from trasmallo.config import Config
from trasmallo.crawl.fetch import Fetcher
from trasmallo.crawl.local_crawl import AGENT, find_private, user_agent
from trasmallo.crawl.websub import Settings, Subscriber, Subscriptions
from trasmallo.crawl.websub.door import Answer
from trasmallo.crawl.websub.subscriptions import FILE
from trasmallo.events import EventFile
from trasmallo.pipeline.pushes import prepare_reading, receive_push
from trasmallo.project import control
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedStates
from trasmallo.store.pushed import FOLDER, pushes
from trasmallo.store.run_folders import PUSH
from trasmallo.values.errors import ProjectBusy, TrasmalloError, disk_errors
from trasmallo.values.folder_lock import try_lock
from trasmallo.values.model import Response, Target
from trasmallo.values.software import SOFTWARE

EVENTS = "events.jsonl"
"""What hubs did and what was refused, in the folder of what was pushed."""

_LOOK_SECONDS = 10.0
"""Between two looks at the feeds and at what was pushed. Judgement: pushes that come together go into one run."""

_QUIET_SECONDS = 10.0
"""That a push waits for others before a run takes it in. Judgement."""


_REST_SHARE = 9
"""Times as long as the last run of pushes took that the next one waits. Judgement: a tenth of the machine."""


class HubService:
    """The subscriptions of the project in `folder`; hubs call at `callback`. `async with HubService(...) as service`.

    Raises ProjectBusy when another program keeps them already.
    """

    def __init__(
        self, folder: Path, config: Config, callback: str, *, clock: Callable[[], float] = time.time, takes_in: bool = True
    ) -> None:
        self._folder = folder
        self._config = config
        self._callback = callback
        self._clock = clock
        self._takes_in = takes_in
        self._last_push = 0.0
        self._stack = AsyncExitStack()
        self.subscriber: Subscriber

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            (self._folder / FOLDER).mkdir(exist_ok=True)
            path = self._folder / FILE
            with disk_errors(path):
                lock = stack.enter_context(path.with_suffix(".lock").open("a"))
            if not try_lock(lock.fileno()):
                raise ProjectBusy("another program keeps {path}", "stop it, or serve this project there", path=path)
            subscriptions = stack.enter_context(Subscriptions(path))
            events = EventFile(self._folder / FOLDER / EVENTS)
            stack.callback(events.close)
            crawl = self._config.crawl
            fetcher = Fetcher(user_agent(crawl.contact, SOFTWARE), private=await find_private(crawl))
            stack.push_async_callback(fetcher.close)
            self.subscriber = Subscriber(
                Settings(self._callback, AGENT),
                subscriptions,
                fetcher,
                hand=self._receive,
                emit=events,
                decode=decode_page,
                clock=self._clock,
            )
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def answer(self, method: str, query: str, headers: Iterable[tuple[str, str]], body: bytes) -> Answer:
        """Status and body for a request of a hub."""
        return self.subscriber.door.answer(method, query, headers, body)

    async def run(self) -> None:
        """Subscribe, renew, and take in pushes until cancelled."""
        await asyncio.to_thread(prepare_reading, self._config)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.subscriber.run())
            group.create_task(self._keep_looking())

    async def look(self) -> None:
        """Wish for what the feeds of the collection offer, and have a run take in what was pushed."""
        for topic, hub in await asyncio.to_thread(self._offers):
            if self._config.web.subscribe:
                self.subscriber.subscribe(topic, hub)
            else:
                self.subscriber.unsubscribe(topic)
        if self._takes_in and self._clock() - self._last_push >= _QUIET_SECONDS:
            await asyncio.to_thread(self._start_run)

    async def _keep_looking(self) -> None:
        while True:
            with suppress(TrasmalloError, OSError):  # a project that is damaged or busy is looked at again
                await self.look()
            await asyncio.sleep(_LOOK_SECONDS)

    async def _receive(self, answer: Response, _targets: Sequence[Target]) -> int:
        self._last_push = self._clock()
        try:
            return await asyncio.to_thread(receive_push, self._folder, self._config, answer)
        except TrasmalloError:
            return 0  # the feed itself has it when it is next asked for

    def _offers(self) -> list[tuple[str, str]]:
        """Topics and hubs of the feeds of the collection."""
        folder = self._folder / "store" / "catalog"
        if not folder.exists():
            return []
        with Catalog(folder, read_only=True) as catalog:
            return [(state.topic, state.hub) for _, state in FeedStates(catalog).feeds() if state.hub and state.topic]

    def _start_run(self) -> None:
        project = Project.open(self._folder)
        if pushes(self._folder) and not project.worker() and self._clock() >= next_run(project.runs):
            control.start_pushes(project)


def next_run(folder: Path) -> float:
    """When the next run may take in pushes: the longer the last one took, the later."""
    last = [run for run in run_folders.find(folder) if run.manifest.kind == PUSH][-1:]
    ends = ((run.status().at, run.manifest.began) for run in last)
    return max((ended + _REST_SHARE * (ended - began) for ended, began in ends), default=0.0)
