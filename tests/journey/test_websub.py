"""A feed whose hub pushes: found, subscribed to, pushed, ended, over real sockets and with the real fetcher and frontier."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterator
from http.client import HTTPMessage
from pathlib import Path
from typing import cast
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest

from support.hub import PATIENCE, Hub, call, serving_hub
from trasmallo.crawl.fetch import Fetcher, places
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, EntryFilter
from trasmallo.crawl.websub import (
    BODY_LIMIT,
    HEADERS,
    HubDoor,
    Settings,
    Subscriber,
    Subscriptions,
    SubscriptionState,
    own_offer,
)
from trasmallo.events import Event, Pushed
from trasmallo.values.model import Outcome, Response
from trasmallo.values.private_places import PrivatePlace

HOME = places("127.0.0.1")


async def serve_door(door: HubDoor) -> asyncio.Server:
    """The smallest server that a door can be mounted in."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        body = await reader.readexactly(min(length, BODY_LIMIT + 1))
        status, answer = door.answer(method, target.partition("?")[2], headers, body)
        fields = "".join(f"{name}: {value}\r\n" for name, value in (*HEADERS, ("Content-Length", str(len(answer)))))
        writer.write(f"HTTP/1.1 {status} Said\r\n{fields}Connection: close\r\n\r\n".encode() + answer)
        await writer.drain()
        writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


class Stage:
    """A subscriber with everything real around it, for as long as the block lasts."""

    def __init__(self, folder: Path, private: tuple[PrivatePlace, ...] = HOME) -> None:
        self.frontier = EmbeddedFrontier(folder / "frontier")
        self.subscriptions = Subscriptions(folder / "websub")
        self.fetcher = Fetcher("trasmallo/test", private=private)
        self.pushed: asyncio.Queue[Pushed] = asyncio.Queue()
        self.doors: asyncio.Server
        self.subscriber: Subscriber
        self._running: asyncio.Task[None]

    def emit(self, event: Event) -> None:
        if isinstance(event, Pushed):
            self.pushed.put_nowait(event)

    async def __aenter__(self) -> Stage:
        # The door's port is known before the subscriber is, which must know it too.
        self.doors = await serve_door(cast(HubDoor, self))
        settings = Settings(f"http://127.0.0.1:{self.doors.sockets[0].getsockname()[1]}/websub", "trasmallo")
        self.subscriber = Subscriber(
            settings,
            self.subscriptions,
            self.fetcher,
            hand=lambda _answer, targets: self.frontier.add(targets),
            emit=self.emit,
            decode=lambda content, _charset: (content.decode("latin-1"), "latin-1"),
        )
        self._running = asyncio.create_task(self.subscriber.run())
        return self

    def answer(self, *request: object) -> tuple[int, bytes]:
        return self.subscriber.door.answer(*request)  # type: ignore[arg-type]

    async def __aexit__(self, *_: object) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        self.doors.close()
        await self.fetcher.close()
        await self.frontier.control(Close())
        self.subscriptions.__exit__(None, None, None)

    async def queued(self, host: str) -> list[tuple[str, int]]:
        page = await self.frontier.entries(EntryFilter(host=host))
        return [(target.url.removeprefix(host), target.priority) for target in page.entries]


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving_hub() as hub:
        yield hub


async def called(hub: Hub) -> None:
    assert await asyncio.to_thread(hub.called.acquire, timeout=PATIENCE), "the hub has not called back"


def test_what_a_hub_pushes_is_in_the_frontier_at_once(hub: Hub, tmp_path: Path) -> None:
    topic = f"{hub.home}/feed"

    async def first_day() -> None:
        async with asyncio.timeout(PATIENCE), Stage(tmp_path) as stage:
            answer = await stage.fetcher.get(topic)
            assert isinstance(answer, Response)
            offer = own_offer(answer)
            assert offer is not None
            stage.subscriber.subscribe(offer.topic, offer.hubs[0])
            await called(hub)
            assert len(hub.subscribers) == 1
            assert await asyncio.to_thread(hub.publish, "/forged", forged=True) == [202]
            assert await asyncio.to_thread(hub.publish, "/new") == [202]
            assert await stage.pushed.get() == Pushed(url=topic, entries=3, new=3)
            assert await stage.queued(hub.home) == [("/old", -1), ("/forged", -1), ("/new", -1)]
            assert stage.pushed.empty(), "the forged push was not read"

    async def next_day() -> None:
        async with asyncio.timeout(PATIENCE), Stage(tmp_path) as stage:
            (kept,) = stage.subscriptions
            assert kept.state is SubscriptionState.ACTIVE
            # The second program has another port; hubs know the first one's.
            port = stage.doors.sockets[0].getsockname()[1]
            hub.subscribers = {f"http://127.0.0.1:{port}/websub?key={kept.key}": kept.secret}
            assert await asyncio.to_thread(hub.publish, "/newer") == [202]
            assert await stage.pushed.get() == Pushed(url=topic, entries=4, new=1)
            assert stage.subscriber.unsubscribe(topic)
            await called(hub)
            assert (hub.subscribers, len(stage.subscriptions)) == ({}, 0)

    asyncio.run(first_day())
    asyncio.run(next_day())


def test_strangers_at_the_door(hub: Hub, tmp_path: Path) -> None:
    async def main() -> None:
        async with asyncio.timeout(PATIENCE), Stage(tmp_path) as stage:
            door = f"http://127.0.0.1:{stage.doors.sockets[0].getsockname()[1]}/websub"
            query = urlencode({"hub.mode": "subscribe", "hub.topic": f"{hub.home}/feed", "hub.challenge": "x"})
            assert await asyncio.to_thread(call, f"{door}?key=guess&{query}") == (404, b"")
            assert await asyncio.to_thread(call, f"{door}?key=guess", b"<feed/>") == (410, b"")
            head = await asyncio.to_thread(_head_of, door)
            assert (head["Content-Type"], head["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")

    asyncio.run(main())


def _head_of(url: str) -> HTTPMessage:
    with pytest.raises(HTTPError) as caught:
        urllib.request.urlopen(url, timeout=PATIENCE)
    with caught.value:
        return caught.value.headers


def test_a_hub_on_a_private_address_is_not_asked(hub: Hub, tmp_path: Path) -> None:
    async def main() -> None:
        async with asyncio.timeout(PATIENCE), Stage(tmp_path, private=()) as stage:
            stage.subscriber.subscribe("http://a.es/feed", f"{hub.home}/hub")
            await stage.subscriber.tend()
            (found,) = stage.subscriptions
            assert (found.state, "private address" in found.cause) == (SubscriptionState.FAILED, True)
            assert Outcome.PRIVATE.value in found.cause

    asyncio.run(main())
