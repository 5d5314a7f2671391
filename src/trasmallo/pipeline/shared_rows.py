"""Rows of a worker of a shared crawl: they wait here until the storage has their pages, then go to the database."""

from __future__ import annotations

import asyncio

from trasmallo.crawl.shared.commits import RowBatch
from trasmallo.crawl.shared.queued_targets import Share
from trasmallo.pipeline.shared_storage import Storage
from trasmallo.store.archive import Archive
from trasmallo.values.model import Fetch


class SharedRows:
    """The rows of one worker. Those of a host go to the server that ends its leases: `sources` has one of them for each."""

    def __init__(self, archive: Archive, storage: Storage, servers: int = 1) -> None:
        self.sources = [ServerRows(archive, storage) for _ in range(servers)]
        self._share = Share(of=servers)

    def put(self, fetch: Fetch) -> None:
        """A row of a page that is in the archive."""
        self.sources[self._share.server_of(fetch.url)].put(fetch)


class ServerRows:
    """Collects the rows for one server, numbered from 1."""

    def __init__(self, archive: Archive, storage: Storage) -> None:
        self._archive = archive
        self._storage = storage
        self._rows: list[Fetch] = []
        self._taken = 0
        self._received = 0

    def put(self, fetch: Fetch) -> None:
        """A row of a page that is in the archive."""
        self._rows.append(fetch)
        self._received += fetch.received

    async def take(self) -> RowBatch:
        """All rows since the last call; the storage has their pages when it returns."""
        rows, self._rows = self._rows, []
        first, self._taken = self._taken + 1, self._taken + len(rows)
        (file, size), received = self._archive.end, self._received
        await asyncio.to_thread(self._storage.saving(self._archive))
        return RowBatch(rows, first, file, size, received)
