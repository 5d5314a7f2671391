"""Connections: half-sent requests of strangers hold nothing, and whoever has the token is answered."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx
import pytest

from support.waiting import until
from trasmallo.project.workspace import Workspace
from trasmallo.web.app import build
from trasmallo.web.connections import ConnectionLimits
from trasmallo.web.guard import AppDoor
from trasmallo.web.serve import listen, server_of
from web.conftest import TOKEN

HALF = b"GET /api/projects HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
OWNER = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def served(home: Path, limits: ConnectionLimits | None = None) -> Iterator[tuple[str, int]]:
    """The app on a real socket."""
    with listen("127.0.0.1", 0) as listening:
        address = listening.getsockname()[:2]
        door = AppDoor(TOKEN, frozenset({f"127.0.0.1:{address[1]}"}))
        app = build(Workspace([home]), door)
        server = server_of(app, door, limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: server.started, "the app")
            yield address
        finally:
            server.should_exit = True
            thread.join()
            app.state.pool.close()


def ask(address: tuple[str, int], **headers: str) -> int:
    """The status of an answer to a request on a connection of its own."""
    return httpx.get(f"http://{address[0]}:{address[1]}/api/projects", headers=headers, timeout=20).status_code


def is_closed(connection: socket.socket) -> bool:
    """Whether the app has ended a connection; what it said before is passed over."""
    connection.settimeout(0.01)
    try:
        return connection.recv(65_536) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@pytest.mark.parametrize("number", [100, 1])
def test_half_sent_requests_lock_nobody_out(home: Path, number: int) -> None:
    limits = ConnectionLimits(stranger_seconds=600, strangers_of_client=10, strangers=10)
    with served(home, limits) as address, ExitStack() as held:
        many = [held.enter_context(socket.create_connection(address)) for _ in range(number)]
        for connection in many:
            with suppress(ConnectionError):  # it may have been ended already
                connection.sendall(HALF)
        assert ask(address, **OWNER) == 200
        assert ask(address) == 401, "a stranger who finishes a request is answered too"
        until(lambda: sum(map(is_closed, many)) >= number - 10, "the oldest to be ended")
        assert ask(address, **OWNER) == 200


def test_a_stranger_s_time_is_short_whatever_it_sends(home: Path) -> None:
    with served(home, ConnectionLimits(stranger_seconds=0.05)) as address, ExitStack() as held:
        for begun in (b"", HALF, b"POST /api/new HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"):
            connection = held.enter_context(socket.create_connection(address))
            connection.sendall(begun)
            until(partial(is_closed, connection), "the end of the connection")


@pytest.mark.parametrize(
    "said", [b"no request\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"]
)
def test_strangers_write_nothing_into_the_log(home: Path, said: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with served(home) as address:
        with socket.create_connection(address) as connection:
            connection.sendall(said)
            assert connection.recv(9) == b"HTTP/1.1 "
        assert ask(address, **OWNER) == 200
    assert capfd.readouterr().err == ""


def test_the_owner_may_take_time_but_not_be_silent(home: Path) -> None:
    owned = HALF.replace(b"X-Slow", b"Authorization: Bearer " + TOKEN.encode() + b"\r\nX-Slow")
    with served(home, ConnectionLimits(stranger_seconds=600, silent_seconds=0.05)) as address:
        with socket.create_connection(address) as connection:
            connection.sendall(owned + b"no\r\nHost: 127.0.0.1:1\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 400", "two hosts are no request"
        with socket.create_connection(address) as connection:
            head = f"POST /api/new HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\nAuthorization: Bearer {TOKEN}\r\n"
            connection.sendall(head.encode() + b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
            until(partial(is_closed, connection), "the end of the connection")


def test_an_owner_s_connection_stays_open_between_requests(home: Path) -> None:
    with served(home, ConnectionLimits(stranger_seconds=600, silent_seconds=0.05)) as address:
        line = http.client.HTTPConnection(*address)
        for _ in range(2):
            line.request("GET", "/api/projects", headers=OWNER)
            assert line.getresponse().read()
            assert line.sock is not None
            assert not any(is_closed(line.sock) for _ in range(10))
            line.sock.settimeout(20)
        line.close()


def test_of_one_client_only_so_many_strangers_stay(home: Path) -> None:
    limits = ConnectionLimits(stranger_seconds=600, strangers_of_client=4, strangers=6)
    with served(home, limits) as address, ExitStack() as held:
        many = [held.enter_context(socket.create_connection(address)) for _ in range(12)]
        until(lambda: sum(map(is_closed, many)) == 8, "the others to be ended")
        assert not any(map(is_closed, many[-4:])), "the oldest go"
