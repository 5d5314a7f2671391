"""Connections to the database of a shared crawl: what is done there is a transaction that is repeated when the server was away.

An address is `postgresql://user@host:port/database`, as libpq reads it; a password may stand in it, in PGPASSWORD or in
`~/.pgpass`, and is never shown (`shown_address`).
"""

from __future__ import annotations

import asyncio
import importlib.util
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from trasmallo.crawl.shared.packed_columns import register_packed
from trasmallo.values.errors import ConfigError, ProjectError, StoreFull

if TYPE_CHECKING:
    import psycopg

_SCHEMES = ("postgresql", "postgres")
_CONNECT_SECONDS = 5  # judgement: a server that lives answers sooner
_PATIENCE = 600.0
"""Seconds that a server may be away before a worker gives up. Judgement: a restart with its recovery takes less."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0  # judgement: seconds between two tries
_SILENCE_MS = 8_000
"""Milliseconds without a sign of the other end after which a connection is dead. Judgement: well below the time of a lease."""

_PASSWORD = re.compile(r"(ssl)?password\s*=\s*('[^']*'|[^&\s]*)", re.IGNORECASE)
_T = TypeVar("_T")
Work = Callable[["psycopg.AsyncConnection[Any]"], Awaitable[_T]]


def check_address(address: str) -> str:
    """An address that may be one of PostgreSQL; raises ConfigError."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in _SCHEMES and not re.search(r"\s", address) and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        raise ConfigError(
            "{address!r} is no address of a shared frontier",
            "write one such as postgresql://user@host/database",
            address=shown_address(address)[:200],
        )
    return address


def shown_address(address: str) -> str:
    """The address without a password, for people and files."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return _PASSWORD.sub("", re.sub(r":[^:@/]*@", "@", address))
    place = parts.netloc
    if "@" in place:
        user, _, host = place.rpartition("@")
        place = user.partition(":")[0] + "@" + host
    query = "&".join(
        pair for pair in parts.query.split("&") if pair and not pair.lower().startswith(("password", "sslpassword"))
    )
    return _PASSWORD.sub("", urlunsplit((parts.scheme, place, parts.path, query, "")))


class Database:
    """One connection, made when it is needed and made again when it breaks; calls wait for each other.

    `patience` are the seconds for which a call tries again before it raises ProjectError.
    """

    def __init__(self, address: str, *, patience: float = _PATIENCE) -> None:
        self._address = check_address(address)
        self._patience = patience
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._turn = asyncio.Lock()

    @property
    def shown(self) -> str:
        """Its address without a password."""
        return shown_address(self._address)

    async def open(self) -> None:
        """Connect now; raises ProjectError when nobody answers."""
        async with self._turn:
            await self._connected()

    async def run(self, work: Work[_T]) -> _T:
        """What `work` returns, in one transaction; it is called again, on another connection, when that was cut short.

        Whether a transaction was committed whose answer got lost is not known, so `work` must bear to be done twice.
        """
        import psycopg

        pause, since = _FIRST_PAUSE, time.monotonic()
        async with self._turn:
            while True:
                try:
                    connection = await self._connected()
                    async with connection.transaction():
                        return await work(connection)
                except (psycopg.OperationalError, psycopg.InterfaceError, _Unreachable) as error:
                    await self._drop()
                    if is_full(error) or time.monotonic() - since > self._patience:
                        raise self._explained(error) from None
                except psycopg.Error as error:
                    await self._drop()
                    raise self._explained(error) from None
                except BaseException:
                    await self._drop()  # a transaction that was interrupted in the middle is no connection to go on with
                    raise
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    async def close(self) -> None:
        """Let go of the connection."""
        await self._drop()

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()

    async def _connected(self) -> psycopg.AsyncConnection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = await _connect(self._address)
        return self._connection

    def _explained(self, error: Exception) -> ProjectError:
        if is_full(error):
            return StoreFull(
                "the disk of the database {address} is full",
                "free space there and give the same command again; nothing that was stored is lost",
                address=self.shown,
            )
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return ProjectError(
            "the database {address} failed ({reason})",
            "see that PostgreSQL runs there and give the same command again",
            address=self.shown,
            reason=reason[:300],
        )


class _Unreachable(Exception):
    """Nobody answers at an address."""


async def connect_once(address: str) -> None:
    """See that somebody answers; raises ProjectError with the repair at once, without patience."""
    try:
        connection = await _connect(check_address(address))
    except _Unreachable as error:
        raise ProjectError(
            "cannot reach the database {address} ({reason})",
            "start PostgreSQL there and make that user and database, or mend `frontier` in [cluster]",
            address=shown_address(address),
            reason=str(error)[:300],
        ) from None
    await connection.close()


async def _connect(address: str) -> psycopg.AsyncConnection[Any]:
    need_psycopg()
    import psycopg

    try:
        connection: psycopg.AsyncConnection[Any] = await psycopg.AsyncConnection.connect(
            address,
            connect_timeout=_CONNECT_SECONDS,
            application_name="trasmallo",
            tcp_user_timeout=_SILENCE_MS,
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=2,
        )
        register_packed(connection)
        await connection.execute("set idle_in_transaction_session_timeout = '15s'")
        await connection.execute("set statement_timeout = '120s'")
        await connection.execute("set lock_timeout = '30s'")
        # A new crawl's tables have no statistics: without this the planner reads them whole to find a thousand rows by key.
        await connection.execute("set enable_seqscan = off")
        await connection.execute("set jit = off")
        # Batches are alike, and planning one anew over all partitions took a tenth of a lease's time on the server.
        await connection.execute("set plan_cache_mode = force_generic_plan")
        await connection.commit()
    except (psycopg.Error, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        if isinstance(error, psycopg.ProgrammingError):  # of the address, whose part it quotes may be the password
            reason = reason.partition(': "')[0]
        raise _Unreachable(_without_noise(reason)) from None
    return connection


def need_psycopg() -> None:
    """See that there is a client of PostgreSQL; raises ProjectError where it is not installed."""
    if importlib.util.find_spec("psycopg") is None:
        raise ProjectError(
            "a shared crawl needs psycopg, which is not installed", "install it with: pip install 'trasmallo[cluster]'"
        )


def is_full(error: Exception) -> bool:
    """Whether an error says that the server's disk is full."""
    return getattr(error, "sqlstate", None) in ("53100", "53000")


def _without_noise(line: str) -> str:
    return line.removeprefix("connection failed: ").removeprefix("connection to server ")
