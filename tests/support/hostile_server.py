"""A loopback server that plays every bad server, and good ones beside them.

    with hostile_server() as server:  # in a thread of its own, so that it never waits for who asks
        asyncio.run(ask(server.url("/drip")))

Each path is a behaviour of `ROUTES`; whoever needs another adds it with `server.routes[path] = behaviour`.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
import ssl
import struct
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

import brotli
import zstandard

from trasmallo.values.model import Outcome

PAGE = b"<html><title>Red</title><p>" + b"texto de ejemplo con palabras, " * 1000 + b"</p></html>"
# A thousand zeros a byte: 20 MB when decompressed.
GZIP_BOMB = gzip.compress(b"\0" * 20_000_000, 9)


class Wire:
    """One connection as a behaviour sees it: `say` bytes, `hold` it open until the client goes, `reset` it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.method = self.target = ""
        self.request = b""
        self.open = True

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def hold(self) -> None:
        await self.reader.read()
        self.open = False

    async def drip(self, data: bytes, pause: float = 0.02) -> None:
        for byte in data:
            await self.say(bytes((byte,)))
            await asyncio.sleep(pause)

    def close(self) -> None:
        self.open = False

    def reset(self) -> None:
        """Close with a reset instead of an end."""
        self.open = False
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def answer(self, body: bytes = PAGE, headers: bytes = b"", status: bytes = b"200 OK") -> None:
        """A correct answer."""
        length = b"Content-Length: %d\r\n" % len(body)
        head = b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\n" + length + headers + b"\r\n"
        await self.say(head + (b"" if self.method == "HEAD" else body))


Behaviour = Callable[[Wire], Awaitable[None]]
ROUTES: dict[str, Behaviour] = {}


def _route(path: str) -> Callable[[Behaviour], Behaviour]:
    def keep(behaviour: Behaviour) -> Behaviour:
        ROUTES[path] = behaviour
        return behaviour

    return keep


def _says(path: str, data: bytes, *, close: bool = True) -> None:
    """A behaviour that says fixed bytes and then closes, or waits for the next request."""

    async def behave(wire: Wire) -> None:
        await wire.say(data)
        if close:
            wire.close()

    ROUTES[path] = behave


def _encoded(path: str, body: bytes, label: bytes) -> None:
    async def behave(wire: Wire) -> None:
        await wire.answer(body, b"Content-Encoding: " + label + b"\r\n")

    ROUTES[path] = behave


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
RAW_DEFLATE = zlib.compress(PAGE)[2:-4]

_encoded("/gzip", gzip.compress(PAGE), b"gzip")
_encoded("/x-gzip", gzip.compress(PAGE), b"X-GZIP")
_encoded("/deflate", zlib.compress(PAGE), b"deflate")
_encoded("/raw-deflate", RAW_DEFLATE, b"deflate")
_encoded("/brotli", brotli.compress(PAGE), b"br")
_encoded("/zstd", zstandard.compress(PAGE), b"zstd")
_encoded("/gzip-in-brotli", brotli.compress(gzip.compress(PAGE)), b"gzip, br")
_encoded("/unknown-coding", PAGE, b"snake-oil")
_encoded("/not-gzip", PAGE, b"gzip")
_encoded("/truncated-gzip", gzip.compress(PAGE)[:-60], b"gzip")
_encoded("/gzip-bomb", GZIP_BOMB, b"gzip")
_encoded("/brotli-bomb", brotli.compress(b"\0" * 20_000_000, quality=5), b"br")
_encoded("/zstd-bomb", zstandard.compress(b"\0" * 20_000_000), b"zstd")
_encoded("/gzip-bomb-twice", gzip.compress(GZIP_BOMB), b"gzip, gzip")

_says("/chunked", CHUNKED + b"5\r\nholas\r\n6;name=value\r\n mundo\r\n0\r\nTrailer: x\r\n\r\n", close=False)
_says("/http-1.0", b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
_says("/until-close", OK + b"Content-Type: text/html\r\n\r\n" + PAGE)
_says("/bare-lf", b"HTTP/1.1 200 OK\nContent-Length: 4\n\nhola", close=False)
_says("/interim", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3 + OK + b"Content-Length: 4\r\n\r\nhola", close=False)
_says("/nothing", b"HTTP/1.1 204 No Content\r\nContent-Length: 10\r\n\r\n", close=False)
_says("/unchanged", b'HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\nETag: "x"\r\n\r\n', close=False)
_says("/no-reason", b"HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nhola", close=False)
_says("/status-999", b"HTTP/1.1 999 Request denied\r\nContent-Length: 4\r\n\r\nhola", close=False)
_says("/no-colon", OK + b"this line has none\r\nContent-Length: 4\r\n\r\nhola", close=False)
_says("/latin-1-header", OK + b"X-Name: Espa\xf1a \xff\xfe\r\nContent-Length: 4\r\n\r\nhola", close=False)
_says("/folded", OK + b"X-Long: one\r\n two\r\nContent-Length: 4\r\n\r\nhola", close=False)
_says("/length-no-number", OK + b"Content-Length: lots\r\n\r\nhola")
_says("/length-and-chunks", OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhola\r\n0\r\n\r\n", close=False)
_says("/same-length-twice", OK + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nhola", close=False)
_says("/extra-bytes", OK + b"Content-Length: 4\r\n\r\nholaHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", close=False)
_says("/nul-body", OK + b"Content-Length: 4\r\n\r\n\0\0\0\0", close=False)
_says("/binary", OK + b"Content-Type: text/html\r\nContent-Length: 256\r\n\r\n" + bytes(range(256)), close=False)
_says(
    "/cookies", OK + b"".join(b"Set-Cookie: c%d=v\r\n" % i for i in range(2000)) + b"Content-Length: 4\r\n\r\nhola", close=False
)
_says("/redirect-circle", b"HTTP/1.1 302 Found\r\nLocation: /redirect-circle\r\nContent-Length: 0\r\n\r\n", close=False)

_says("/two-lengths", OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nhola")
_says("/broken-chunk", CHUNKED + b"zz\r\nhola\r\n0\r\n\r\n")
_says("/long-chunk", CHUNKED + b"2\r\nhola\r\n0\r\n\r\n")
_says("/negative-chunk", CHUNKED + b"-4\r\nhola\r\n0\r\n\r\n")
_says("/endless-chunk-size", CHUNKED + b"0" * 100_000)
_says("/truncated-chunks", CHUNKED + b"ff\r\nhola")
_says("/truncated-body", OK + b"Content-Length: 1000\r\n\r\nhola")
_says("/truncated-head", OK + b"Content-Le")
_says("/http-0.9", b"<html>hello from the nineties</html>")
_says("/not-http", b"SSH-2.0-OpenSSH_9.2\r\n")
_says("/bad-status", b"HTTP/1.1 20 OK\r\n\r\n")
_says("/nul-header", OK + b"X-Nul: a\0b\r\nContent-Length: 4\r\n\r\nhola")
_says("/switching", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
_says("/silent-close", b"")

_says("/huge-header", OK + b"X-Big: " + b"a" * 200_000 + b"\r\n\r\n")
_says("/many-cookies", OK + b"Set-Cookie: session=0123456789\r\n" * 10_000 + b"\r\n")
_says("/endless-interim", b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000)
_says("/ten-gigabytes", OK + b"Content-Length: 10000000000\r\n\r\nhola")
_says("/astronomic", OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nhola")
_says("/huge-chunk", CHUNKED + b"fffffffffffffff\r\nhola")


@_route("/")
@_route("/page")
async def _page(wire: Wire) -> None:
    await wire.answer()


@_route("/close")
async def _close(wire: Wire) -> None:
    await wire.answer(headers=b"Connection: close\r\n")
    wire.close()


@_route("/stale")
async def _stale(wire: Wire) -> None:
    """Answers, promises to keep the connection, and closes it."""
    await wire.answer()
    wire.close()


@_route("/echo")
async def _echo(wire: Wire) -> None:
    await wire.answer(wire.request)


@_route("/pieces")
async def _pieces(wire: Wire) -> None:
    """A correct answer, a few bytes at a time."""
    answer = OK + b"Content-Length: 9\r\n\r\nhola hola"
    for at in range(0, len(answer), 3):
        await wire.say(answer[at : at + 3])
        await asyncio.sleep(0)


@_route("/never")
async def _never(wire: Wire) -> None:
    await wire.hold()


@_route("/stops")
async def _stops(wire: Wire) -> None:
    await wire.say(OK + b"Content-Length: 1000\r\n\r\nhola")
    await wire.hold()


@_route("/slow-head")
async def _slow_head(wire: Wire) -> None:
    await wire.drip(OK + b"X: y\r\n" * 1000)


@_route("/drip")
async def _drip(wire: Wire) -> None:
    await wire.say(OK + b"Content-Length: 1000\r\n\r\n")
    await wire.drip(b"x" * 1000)


@_route("/endless")
async def _endless(wire: Wire) -> None:
    await wire.say(OK + b"Content-Type: text/html\r\n\r\n")
    while True:
        await wire.say(b"<p>more</p>" * 5000)


@_route("/endless-chunks")
async def _endless_chunks(wire: Wire) -> None:
    await wire.say(CHUNKED)
    while True:
        await wire.say(b"1\r\na\r\n" * 5000)


@_route("/reset")
async def _reset(wire: Wire) -> None:
    wire.reset()


@_route("/reset-in-body")
async def _reset_in_body(wire: Wire) -> None:
    await wire.say(OK + b"Content-Length: 1000\r\n\r\nhola")
    wire.reset()


@_route("CONNECT")
async def _tunnel(wire: Wire) -> None:
    """A proxy's tunnel; every host is this machine."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(wire.target.rpartition(":")[2]))
    await wire.say(b"HTTP/1.1 200 Connection established\r\n\r\n")
    try:
        await asyncio.gather(_pump(wire.reader, writer), _pump(reader, wire.writer))
    finally:
        writer.transport.abort()
        wire.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()


# What each bad behaviour must end as; the other paths bring an answer.
OUTCOMES = (
    dict.fromkeys(
        [
            "/two-lengths",
            "/broken-chunk",
            "/long-chunk",
            "/negative-chunk",
            "/endless-chunk-size",
            "/truncated-chunks",
            "/truncated-body",
            "/truncated-head",
            "/http-0.9",
            "/not-http",
            "/bad-status",
            "/nul-header",
            "/switching",
            "/silent-close",
            "/reset",
            "/reset-in-body",
            "/endless-chunks",
        ],
        Outcome.BROKEN,
    )
    | dict.fromkeys(
        [
            "/huge-header",
            "/many-cookies",
            "/endless-interim",
            "/ten-gigabytes",
            "/astronomic",
            "/huge-chunk",
            "/endless",
            "/gzip-bomb",
            "/brotli-bomb",
            "/zstd-bomb",
            "/gzip-bomb-twice",
        ],
        Outcome.TOO_LARGE,
    )
    | dict.fromkeys(["/never", "/stops", "/drip", "/slow-head"], Outcome.TIMED_OUT)
)


async def _nothing_here(wire: Wire) -> None:
    await wire.answer(b"nothing here", status=b"404 Not Found")


class HostileServer:
    """Listens on a free port of 127.0.0.1 until the `async with` ends. `connections` counts those that were opened.

    `otherwise` answers for paths without a route; a 404 does while it is None.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.routes = dict(ROUTES)
        self.otherwise: Behaviour | None = None
        self.connections = 0
        self.requests: list[bytes] = []
        self._tls = tls
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> HostileServer:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls, limit=1 << 20, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        wire = Wire(reader, writer)
        try:
            while wire.open:
                await self._answer_one(wire)
            writer.close()
            await writer.wait_closed()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()

    async def _answer_one(self, wire: Wire) -> None:
        wire.request = await wire.reader.readuntil(b"\r\n\r\n")
        self.requests.append(wire.request)
        wire.method, wire.target = wire.request.decode("latin-1").split(" ", 2)[:2]
        path = "CONNECT" if wire.method == "CONNECT" else re.sub(r"^https?://[^/]+|[?#].*", "", wire.target)
        behave = self.routes.get(path)
        if behave is None:
            behave = self.otherwise or _nothing_here
        await behave(wire)


@contextmanager
def hostile_server(tls: ssl.SSLContext | None = None) -> Iterator[HostileServer]:
    """A server in a thread with a loop of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="hostile server")
    thread.start()
    server = HostileServer(tls)
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
