"""Pages per CPU second of the fetcher, against aiohttp and httpx where they are installed.

    python benchmarks/fetch.py [--pages 5000] [--lines 50]

A server in another process gives one gzip page of 33 kB over kept connections; only the client's CPU time is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import importlib.util
import multiprocessing
import random
import resource
import time
from collections.abc import Awaitable, Callable, Coroutine
from multiprocessing.connection import Connection
from typing import Any, cast

import uvloop

from trasmallo.crawl.fetch import Fetcher, places
from trasmallo.values.model import Response

Get = Callable[[str], Awaitable[int]]
Client = Callable[[str, int, int], Coroutine[Any, Any, None]]


def make_page(size: int = 33_000) -> bytes:
    """A page that compresses about as real ones do (to 40 %)."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghilmnoprstuv", k=chance.randrange(3, 11))) for _ in range(1500)]
    text = " ".join(chance.choices(words, k=size // 5))
    return f"<html><title>Prueba</title><p>{text}".encode()[:size]


class _Server(asyncio.Protocol):
    answer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.held = b""

    def data_received(self, data: bytes) -> None:
        *whole, self.held = (self.held + data).split(b"\r\n\r\n")
        for _ in whole:
            self.transport.write(self.answer)


def serve(pipe: Connection) -> None:
    body = gzip.compress(make_page())
    fields = {
        "Server": "bench",
        "Date": "Sun, 01 Nov 2026 00:00:00 GMT",
        "Content-Type": "text/html; charset=utf-8",
        "Vary": "Accept-Encoding",
        "ETag": '"5f3c"',
        "Last-Modified": "Sat, 31 Oct 2026 00:00:00 GMT",
        "Content-Encoding": "gzip",
        "Connection": "keep-alive",
        "Content-Length": str(len(body)),
    }
    headers = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    _Server.answer = f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(_Server, "127.0.0.1", 0)
        pipe.send((server.sockets[0].getsockname()[1], len(body)))
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        server.close()

    uvloop.run(run())


async def share(get: Get, url: str, pages: int, lines: int) -> None:
    """Ask for the pages in several lines at a time."""
    numbers = iter(range(pages))

    async def line() -> None:
        for number in numbers:
            assert await get(f"{url}{number}") == 33_000

    await asyncio.gather(*(line() for _ in range(lines)))


async def run_ours(url: str, pages: int, lines: int) -> None:
    fetcher = Fetcher("bench", private=places("127.0.0.1"))

    async def get(url: str) -> int:
        answer = await fetcher.get(url)
        assert isinstance(answer, Response), answer
        return len(answer.content)

    await share(get, url, pages, lines)
    await fetcher.close()


async def run_aiohttp(url: str, pages: int, lines: int) -> None:
    import aiohttp

    async with aiohttp.ClientSession() as session:

        async def get(url: str) -> int:
            async with session.get(url) as answer:
                return len(await answer.read())

        await share(get, url, pages, lines)


async def run_httpx(url: str, pages: int, lines: int) -> None:
    import httpx

    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=lines, max_keepalive_connections=lines)) as client:

        async def get(url: str) -> int:
            return len((await client.get(url)).content)

        await share(get, url, pages, lines)


CLIENTS: dict[str, tuple[str, Client]] = {
    "trasmallo": ("trasmallo", run_ours),
    "aiohttp": ("aiohttp", run_aiohttp),
    "httpx": ("httpx", run_httpx),
}


def measure(client: Client, url: str, pages: int, lines: int) -> tuple[float, float]:
    """CPU seconds a page and pages a second of wall time; a tenth of the pages warms up first."""
    uvloop.run(client(url, pages // 10, lines))
    wall, cpu = time.perf_counter(), time.process_time()
    uvloop.run(client(url, pages, lines))
    return (time.process_time() - cpu) / pages, pages / (time.perf_counter() - wall)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pages", type=int, default=5000)
    options.add_argument("--lines", type=int, default=50)
    chosen = options.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,))
    server.start()
    port, size = here.recv()
    print(f"{chosen.pages} pages of 33 kB ({size} B gzip), {chosen.lines} lines\n")
    print(f"{'client':<12}{'ms CPU a page':>15}{'pages/CPU s':>13}{'pages/s':>10}")
    for name, (module, client) in CLIENTS.items():
        if importlib.util.find_spec(module) is None:
            print(f"{name:<12}{'not installed':>15}")
            continue
        cpu, rate = measure(client, f"http://127.0.0.1:{port}/", chosen.pages, chosen.lines)
        print(f"{name:<12}{cpu * 1000:>15.3f}{1 / cpu:>13.0f}{rate:>10.0f}")
    here.send(None)
    server.join()
    print(f"\npeak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
