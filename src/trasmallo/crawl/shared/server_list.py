"""The servers of a shared crawl: one, or several that have the hosts divided among them; the first says what holds for all.

The project file names them separated by blanks. Each has the list of all of them without passwords, so that the address of any
one is enough to join or to look; the passwords of the others are where PostgreSQL's own programs look for them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from trasmallo.crawl.shared.database import Database, check_address, connect_once, shown_address
from trasmallo.crawl.shared.layout import need_layout
from trasmallo.crawl.shared.postgres_frontier import PostgresFrontier
from trasmallo.crawl.shared.queued_targets import Share
from trasmallo.crawl.shared.several_servers import SeveralServers, SharedFrontier
from trasmallo.values.errors import ConfigError

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

_T = TypeVar("_T")


def addresses_of(frontier: str) -> tuple[str, ...]:
    """The addresses of all servers that a project names; raises ConfigError."""
    found = tuple(map(check_address, frontier.split())) or (check_address(frontier),)
    if len(set(map(shown_address, found))) < len(found):
        raise ConfigError("`cluster.frontier` names a server twice", "name each database once, separated by blanks")
    return found


async def all_addresses(address: str, **options: Any) -> list[str]:
    """The addresses of all servers of the crawl that one of them belongs to, as typed for that one; raises ProjectError."""
    database = Database(address, **options)
    try:
        await need_layout(database)

        async def work(connection: Connection) -> tuple[list[str], int]:
            row = await (await connection.execute("select servers, place from trasmallo_crawl")).fetchone()
            return (list(row[0]), int(row[1])) if row else ([], 0)

        servers, place = await database.run(work)
    finally:
        await database.close()
    return [address if number == place else server for number, server in enumerate(servers)] or [address]


async def reach_all(address: str, **options: Any) -> list[str]:
    """The addresses of all servers, which answer; raises ProjectError at once where one does not."""
    await connect_once(address)
    found = await all_addresses(address, **options)
    for other in found:
        if other != address:
            await connect_once(other)
    return found


@asynccontextmanager
async def open_databases(addresses: Sequence[str], **options: Any) -> AsyncIterator[list[Database]]:
    """A connection to each server, closed at the end."""
    async with AsyncExitStack() as stack:
        databases = []
        for address in addresses:
            databases.append(Database(address, **options))
            stack.push_async_callback(databases[-1].close)
        yield databases


def open_frontier(addresses: Sequence[str], rows: Sequence[Any] = (), **options: Any) -> SharedFrontier:
    """The frontier of a worker over all servers; `rows` are the sources of the rows for each."""
    frontiers = [
        PostgresFrontier(address, rows=rows[number] if rows else None, share=Share(number=number, of=len(addresses)), **options)
        for number, address in enumerate(addresses)
    ]
    return frontiers[0] if len(frontiers) == 1 else SeveralServers(frontiers)
