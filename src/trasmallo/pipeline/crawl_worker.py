"""The process of a crawl's worker: gives it its archive files, and its rows to the coordinator.

Started as `python -m trasmallo.pipeline.crawl_worker`; told over standard input, reports over standard output.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from trasmallo.clean.decode import decode_page
from trasmallo.crawl.workers.messages import Ended, Start, decode_message
from trasmallo.crawl.workers.sender import Sender
from trasmallo.crawl.workers.worker import Send, run_worker
from trasmallo.pipeline.keeper import Keeper, find_orphans
from trasmallo.processes import hear
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import StoreError, TrasmalloError
from trasmallo.values.folder_lock import locked
from trasmallo.values.free_memory import calm_collector
from trasmallo.values.model import Fetch
from trasmallo.values.pipes import Trouble, encode
from trasmallo.values.process_ends import end_with_parent

_DIGESTS = 20_000
"""Payloads stored lately that a copy is recognised by; about 600 bytes each."""

_PATIENCE = 20.0
"""Seconds that a process whose coordinator was killed may take to be gone, on a busy machine."""


class WorkerRows:
    """Rows of a worker: new ones go to the coordinator, earlier ones are remembered or read in the catalog as it was before."""

    def __init__(self, put: Callable[[Fetch], None], catalog: Catalog | None, *, most: int = _DIGESTS) -> None:
        self._most = most
        self._put = put
        self._catalog = catalog
        self._stored: dict[str, Fetch] = {}

    def put_many(self, fetches: Sequence[Fetch], _run: str) -> None:
        """Send rows to the coordinator, which is the catalog's only writer."""
        for fetch in fetches:
            self._remember(fetch)
            self._put(fetch)

    def _remember(self, fetch: Fetch) -> None:
        if fetch.locator is not None and fetch.digest not in self._stored:
            if len(self._stored) >= self._most:
                del self._stored[next(iter(self._stored))]
            self._stored[fetch.digest] = fetch

    def versions(self, url: str) -> Iterator[Fetch]:
        """Rows of a URL from before this session, newest first."""
        if self._catalog is not None:
            # The writer may have removed files under us; a version that is not found costs one more download.
            with suppress(StoreError):
                yield from self._catalog.versions(url)

    def rows(self, numbers: Sequence[int]) -> Iterator[Fetch]:
        """The rows with these numbers from before this session; raises StoreError."""
        return iter(()) if self._catalog is None else self._catalog.rows(numbers)

    def of_run(self, run: str) -> Iterator[Fetch]:
        """Rows of a run from before this session."""
        return iter(()) if self._catalog is None else self._catalog.of_run(run)

    def with_digest(self, digest: str) -> Fetch | None:
        """A stored payload: of this worker lately, or of any before this session."""
        if digest in self._stored or self._catalog is None:
            return self._stored.get(digest)
        try:
            return self._catalog.with_digest(digest)
        except StoreError:
            return None


async def _crawl(start: Start, messages: asyncio.StreamReader, send: Send) -> None:
    with ExitStack() as stack:
        archive, catalog = _stores(start, stack)
        sender = Sender(start.worker, start.workers, send)
        rows = WorkerRows(sender.put, catalog)
        keeper = Keeper(archive, rows, start.run, lambda _fetch: None, start.plan.began)
        if catalog is not None:
            keeper.adopt(find_orphans(archive, catalog))
        await run_worker(start, messages, send, keeper, sender, decode_page)


def _stores(start: Start, stack: ExitStack) -> tuple[Archive, Catalog | None]:
    """The archive's files of this worker, held by nobody else, and the catalog of earlier sessions if there is one."""
    folder = Path(start.archive)
    prefix = f"trasmallo-{start.worker + 1}"
    stack.enter_context(locked(folder / f".{prefix}.lock", patience=_PATIENCE))
    archive = stack.enter_context(
        Archive(folder, software=start.plan.software, roll_at=start.roll_at, prefix=prefix),
    )
    if not start.catalog:
        return archive, None
    return archive, stack.enter_context(Catalog(Path(start.catalog), read_only=True))


class _PipeEnd(asyncio.Protocol):
    """Knows when all that was written has gone, or nobody is there to read it."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def connection_lost(self, _exc: Exception | None) -> None:
        """The pipe is closed."""
        self.lost.set()


async def _serve(answers: int) -> None:
    """Crawl for one coordinator, which is told of our troubles."""
    loop = asyncio.get_running_loop()
    messages = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(messages), sys.stdin)
    pipe, end = await loop.connect_write_pipe(_PipeEnd, os.fdopen(answers, "wb"))

    def send(message: msgspec.Struct) -> None:
        if not pipe.is_closing():
            pipe.write(encode(message))

    try:
        start = decode_message(await hear(messages))
        assert isinstance(start, Start)
        await _crawl(start, messages, send)
        send(Ended())
    except TrasmalloError as error:
        send(Trouble.of(error))
    finally:
        pipe.close()
        await end.lost.wait()


def main() -> None:
    """Serve one coordinator."""
    import uvloop

    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator, which decides what becomes of us
    answers = os.dup(1)
    os.dup2(2, 1)  # a library that prints must not speak to the coordinator
    with suppress(asyncio.IncompleteReadError), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(answers))


if __name__ == "__main__":
    calm_collector()
    main()
