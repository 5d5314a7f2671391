"""A web in memory with a clock of its own: `FakeWeb.get` stands where `Fetcher.get` does.

    web = FakeWeb()
    web.page("http://a.test/", '<a href="/b">b</a>', latency=2.0)
    run(crawl(web.get, clock=web.clock))  # hours of waiting take no time
    assert web.visits[1].start - web.visits[0].end >= 1.0

`run` uses a loop whose clock jumps to the next timer instead of waiting for it, so sleeping is free and exact.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple, TypeVar

from trasmallo.values.model import Failure, Outcome, Response

T = TypeVar("T")
EPOCH = 1_800_000_000.0


class _Jump(selectors.DefaultSelector):
    """A selector that moves the clock instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            # Nothing is due: only a thread can bring something, and a real second is plenty for it.
            ready = super().select(1.0)
            if not ready:
                raise RuntimeError("everybody waits and nothing is due: a deadlock")
            return ready
        self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in which time passes only when everybody waits for it."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now

    def stop_for(self, seconds: float) -> None:
        """Let time pass in which nothing is done, as while a process is stopped."""
        self._jump.now += seconds


def run(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` on a virtual clock that starts at 0."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


class Visit(NamedTuple):
    """One request that the web saw; times as `FakeWeb.clock` tells them."""

    url: str
    start: float
    end: float
    method: str
    headers: dict[str, str]
    body: bytes = b""
    from_public: bool = False


Answerer = Callable[[str, Mapping[str, str]], Response | Failure]
"""Gives the answer to a URL and the request's headers."""


class FakeWeb:
    """URLs and what they answer. A host without any URL does not exist, an unknown URL of a known host is a 404."""

    def __init__(self, latency: float = 0.1) -> None:
        self.latency = latency
        self.visits: list[Visit] = []
        self.open: dict[str, int] = {}
        self.most_open: dict[str, int] = {}
        self._answers: dict[str, tuple[Answerer, float | None]] = {}
        self._hosts: set[str] = set()

    @staticmethod
    def clock() -> float:
        """The time of day, for who stamps things."""
        return EPOCH + asyncio.get_running_loop().time()

    def page(
        self,
        url: str,
        body: str | bytes = "<p>una frase del mar",
        *,
        status: int = 200,
        headers: Mapping[str, str] = {},
        latency: float | None = None,
    ) -> None:
        """Put a page at a URL; with an ETag header it answers conditional requests."""
        content = body.encode() if isinstance(body, str) else body
        fields = {"Content-Type": "text/html; charset=utf-8"} | dict(headers)

        def answer(url: str, asked: Mapping[str, str]) -> Response:
            low = {name.lower(): value for name, value in asked.items()}
            if "ETag" in fields and low.get("if-none-match") == fields["ETag"]:
                return self._response(url, 304, fields, b"")
            return self._response(url, status, fields, content)

        self.answer(url, answer, latency=latency)

    def redirect(self, url: str, to: str, *, status: int = 301) -> None:
        """Send whoever asks for a URL to another."""
        self.page(url, status=status, headers={"Location": to})

    def failure(self, url: str, outcome: Outcome, cause: str = "as the test wants", *, latency: float | None = None) -> None:
        """Let a URL bring no answer."""
        self.answer(url, lambda url, _: Failure(url, self.clock(), outcome, cause), latency=latency)

    def answer(self, url: str, answerer: Answerer, *, latency: float | None = None) -> None:
        """Let a function answer for a URL; `latency` in seconds, None for that of the whole web."""
        self._answers[url] = (answerer, latency)
        self._hosts.add(_origin(url))

    async def get(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = {},
        body: bytes = b"",
        progress: Callable[[int, int], None] | None = None,
        from_public: bool = False,
    ) -> Response | Failure:
        """What `Fetcher.get` does, from memory."""
        origin, start = _origin(url), self.clock()
        answerer, latency = self._answers.get(url, (self._missing, None))
        self.open[origin] = self.open.get(origin, 0) + 1
        self.most_open[origin] = max(self.most_open.get(origin, 0), self.open[origin])
        try:
            await asyncio.sleep(self.latency if latency is None else latency)
        finally:
            self.open[origin] -= 1
        answer = answerer(url, headers)
        self.visits.append(Visit(url, start, self.clock(), method, dict(headers), body, from_public))
        if isinstance(answer, Response):
            if method == "HEAD":
                return self._response(url, answer.status, dict(answer.headers), b"")
            if progress is not None:
                progress(len(answer.body), len(answer.body))
        return answer

    async def close(self) -> None:
        """Nothing is open."""

    def _missing(self, url: str, _: Mapping[str, str]) -> Response | Failure:
        if _origin(url) in self._hosts:
            return self._response(url, 404, {}, b"not here")
        return Failure(url, self.clock(), Outcome.NO_HOST, "no such host in this web")

    def _response(self, url: str, status: int, headers: Mapping[str, str], content: bytes) -> Response:
        request = f"GET {url} HTTP/1.1\r\n\r\n".encode()
        return Response(url, self.clock(), status, "", tuple(headers.items()), content, content, request, "192.0.2.1")


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])
