from __future__ import annotations

import asyncio
import errno
import ssl
import time
from collections.abc import Iterator

import pytest

from support.fake_web import VirtualLoop, run
from support.hostile_server import HostileServer, hostile_server
from trasmallo.crawl.fetch.http import Connection, Pool, Unanswered, explain
from trasmallo.crawl.fetch.http1 import ResponseParser
from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.errors import ProjectError
from trasmallo.values.model import Outcome


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with hostile_server() as running:
        yield running


async def connect(pool: Pool, server: HostileServer, key: str = "a") -> Connection:
    return await pool.open(key, "127.0.0.1", server.port, None, "")


async def ask(connection: Connection, path: str = "/page", limits: RequestLimits = RequestLimits()) -> ResponseParser:  # noqa: B008 - frozen
    answer = ResponseParser(limits)
    until = asyncio.get_running_loop().time() + limits.total
    await connection.ask(f"GET {path} HTTP/1.1\r\n\r\n".encode(), answer, until)
    return answer


def test_a_given_connection_is_taken_again_by_its_key_only(server: HostileServer) -> None:
    async def main() -> None:
        pool = Pool(RequestLimits())
        connection = await connect(pool, server)
        assert (await ask(connection)).status == 200
        pool.give(connection)
        assert pool.is_idle(connection)
        assert pool.take("b") is None
        assert pool.take("a") is connection
        assert pool.take("a") is None
        await pool.close()
        assert connection.transport is None

    asyncio.run(main())


def test_the_longest_idle_go_when_there_are_too_many(server: HostileServer) -> None:
    async def main() -> None:
        pool = Pool(RequestLimits(most_idle=2))
        connections = [await connect(pool, server, key) for key in "abc"]
        for connection in connections:
            pool.give(connection)
        assert pool.take("a") is None
        assert pool.take("b") is connections[1]
        assert pool.take("c") is connections[2]
        await pool.close()

    asyncio.run(main())


def test_idle_connections_do_not_stay_for_ever(server: HostileServer) -> None:
    async def main() -> None:
        pool = Pool(RequestLimits(keep_idle=0.05))
        connection = await connect(pool, server)
        await ask(connection)
        pool.give(connection)
        while connection.transport is not None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        assert pool.take("a") is None
        await pool.close()

    asyncio.run(main())


def test_a_connection_that_died_is_not_given_back(server: HostileServer) -> None:
    async def main() -> None:
        pool = Pool(RequestLimits())
        connection = await connect(pool, server)
        connection.drop()
        while connection.transport is not None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
        pool.give(connection)
        assert pool.take("a") is None
        with pytest.raises(Unanswered):
            await ask(connection)
        await pool.close()

    asyncio.run(main())


class Silent(asyncio.Transport):
    """A transport that sends nothing; the test says what comes."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self.connection = connection

    def write(self, data: bytes | bytearray | memoryview) -> None:
        pass

    def abort(self) -> None:
        if self.connection.transport is self:
            self.connection.connection_lost(None)


def drive(*steps: tuple[float, bytes], wait: float) -> tuple[float, str]:
    """With the usual limits: wait so many seconds for each piece, then some more; when it ended, and the cause or ""."""

    async def main() -> tuple[float, str]:
        loop = asyncio.get_running_loop()
        connection = Connection(Pool(RequestLimits()), "a", "")
        connection.connection_made(Silent(connection))
        asked = asyncio.create_task(ask(connection))
        for pause, data in steps:
            await asyncio.sleep(pause)
            connection.data_received(data)
        _, pending = await asyncio.wait((asked,), timeout=wait)
        assert not pending
        ended, problem = loop.time(), asked.exception()
        connection.drop()
        return ended, "" if problem is None else str(problem)

    return run(main())


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"


def test_deadlines_with_the_usual_limits() -> None:
    when, cause = drive(wait=200)
    assert (30 < when < 30.6, cause) == (True, "no answer within 30 s")
    when, cause = drive((29.0, OK + b"x" * 9000), wait=200)
    assert (49 < when < 49.6, cause) == (True, "silent for 20 s within the answer")
    when, cause = drive((1.0, OK), *[(1.0, b"x")] * 9, wait=200)
    assert (11 < when < 11.6, cause) == (True, "slower than 256 bytes a second")
    when, cause = drive((10.0, OK.replace(b"10000", b"1000000")), *[(10.0, b"x" * 9000)] * 10, wait=200)
    assert (120 < when < 120.6, cause) == (True, "not finished within 120 s")


def test_a_server_may_think_for_long_before_it_answers() -> None:
    assert drive((29.0, OK), (9.0, b"x" * 10_000), wait=0.1) == (38.0, "")


def test_time_in_which_the_process_was_stopped_does_not_count() -> None:
    async def main() -> tuple[float, str]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        connection = Connection(Pool(RequestLimits()), "a", "")
        connection.connection_made(Silent(connection))
        asked = asyncio.create_task(ask(connection))
        await asyncio.sleep(10)
        loop.stop_for(86_400)
        _, pending = await asyncio.wait((asked,), timeout=100)
        assert not pending
        ended, problem = loop.time() - 86_400, asked.exception()
        connection.drop()
        return ended, str(problem)

    when, cause = run(main())
    assert (29.7 < when < 30.6, cause) == (True, "no answer within 30 s")


def test_a_busy_loop_does_not_make_answers_late(server: HostileServer) -> None:
    """The bytes came in time and waited in the socket while the loop was busy elsewhere."""
    limits = RequestLimits(first_byte=0.1)

    async def main() -> int:
        pool = Pool(limits)
        connection = await connect(pool, server)
        asked = asyncio.create_task(ask(connection, limits=limits))
        await asyncio.sleep(0)
        time.sleep(0.3)  # noqa: ASYNC251 - being busy is what is tested
        answer = await asked
        await pool.close()
        return answer.status

    assert asyncio.run(main()) == 200


@pytest.mark.parametrize(
    ("error", "outcome", "cause"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "x"), Outcome.UNREACHABLE, "connection refused"),
        (OSError(errno.EHOSTUNREACH, "x"), Outcome.UNREACHABLE, "no route to host"),
        (ConnectionResetError(), Outcome.UNREACHABLE, "the connection was closed while opening"),
        (TimeoutError(), Outcome.TIMED_OUT, "no connection"),
        (ssl.SSLError(1, "[SSL] x"), Outcome.TLS, "the handshake failed"),
        (Misfortune(Outcome.PRIVATE, "as it was"), Outcome.PRIVATE, "as it was"),
    ],
)
def test_errors_of_sockets_in_words(error: Exception, outcome: Outcome, cause: str) -> None:
    found = explain(error)
    assert (found.outcome, found.cause) == (outcome, cause)


def test_without_a_network_no_server_is_to_blame() -> None:
    error = OSError(errno.ENETUNREACH, "x")
    assert explain(error, lambda: False).outcome is Outcome.NO_NETWORK
    other_family = explain(error, lambda: True)
    assert (other_family.outcome, other_family.cause) == (Outcome.UNREACHABLE, "network is unreachable")
    refused = explain(ConnectionRefusedError(errno.ECONNREFUSED, "x"), lambda: False)
    assert refused.outcome is Outcome.UNREACHABLE, "somebody answered"


def test_what_is_no_documents_misfortune_is_raised() -> None:
    with pytest.raises(ProjectError, match="ulimit"):
        explain(OSError(errno.EMFILE, "x"))
    with pytest.raises(ZeroDivisionError):
        explain(ZeroDivisionError())
