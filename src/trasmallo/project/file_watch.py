"""Folders and mailboxes of a project watched: what is saved can be searched at once, and a run takes it in when it is calm.

1. Each root is watched in the way that works there (`crawl.files.watching`), and everything is looked at when it begins and
   now and then, for what was missed.
2. What changed is read at once and kept beside the collection (`pipeline.early_files`), where search finds it.
3. When nothing has changed for a while and nobody works on the project, a run takes it in: tables, counts, concordance.

Reading is done by a thread of low priority. While nothing changes nothing is done.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.files.watching import EVENTS, LIMIT, POLLING, WatchedRoot, changed_paths, is_burst, is_limit, manner_of
from trasmallo.crawl.mail.imap import MailServer, WaitEnd
from trasmallo.crawl.revisit.budget import parse_duration
from trasmallo.pipeline.early_files import EarlyFiles
from trasmallo.pipeline.local_sources import local_roots
from trasmallo.pipeline.mail_servers import mail_servers, wait_for_mail
from trasmallo.project.lock import holder
from trasmallo.store.pushed import early_parts
from trasmallo.values.errors import TrasmalloError, UsageError
from trasmallo.values.local_addresses import place_of

_NICE = 10
"""How far the thread that reads stands behind others, as `nice` counts. Judgement: it is felt by nobody."""
_UNSTABLE_SECONDS = 0.3  # judgement: a program that writes for longer between two writes is seen again
_SHARE = 20  # judgement: looks where no events come take a twentieth of a processor at most
_LOOK_SECONDS = 5.0  # judgement: between two looks whether a run that takes changes in has ended


class WatchTimes(msgspec.Struct, frozen=True, kw_only=True):
    """How often what is done, in seconds: looks at roots that send no events, at everything, and runs that take in.

    A run begins when nothing has changed for `calm` seconds, or something waits since `longest`; at once for letters, but not
    more often. A mail server tells of one folder: all are looked at after `idle` seconds.
    """

    polling: float = 5.0
    everything: float = 600.0
    calm: float = 30.0
    longest: float = 300.0
    idle: float = 600.0


class WatchEvent(msgspec.Struct, frozen=True, kw_only=True):
    """What a watch tells: `what` is watching, taken, missing or run; a number of documents, or a root and how it is watched."""

    what: str
    path: str = ""
    manner: str = ""
    cause: str = ""
    documents: int = 0


Tell = Callable[[WatchEvent], None]


def need_roots(config: Config, folder: Path) -> list[str]:
    """The paths of the roots of a project; raises UsageError when it has none that can be watched."""
    found = [place_of(seed).path for seed in local_roots(config)]
    if not found and not mail_servers(config):
        problem = "{folder} starts from no folder or mailbox of this machine"
        raise UsageError(problem, "add one to `seeds` in {folder}/trasmallo.toml, such as /home/ana/Documents", folder=folder)
    return found


class FileWatch:
    """The watch over one project, in one event loop; `tell` hears what happens.

    `start_run` starts a process that takes in what changed; None where nobody shall.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        tell: Tell,
        *,
        start_run: Callable[[], object] | None,
        times: WatchTimes | None = None,
        poll: bool = False,
    ) -> None:
        self._folder, self._config, self._tell = folder, config, tell
        self._times, self._start_run, self._poll = times or WatchTimes(), start_run, poll
        self._roots = need_roots(config, folder)
        self._thread = ThreadPoolExecutor(1, "watch", initializer=_stand_back)
        self._servers = mail_servers(config)
        self._mail_threads = ThreadPoolExecutor(max(1, len(self._servers)), "mail", initializer=_stand_back)
        self._mail_ended = WaitEnd()
        self._early: EarlyFiles | None = None
        self._last_change = self._first_change = 0.0
        self._changed = asyncio.Event()
        self._stop, self._again = asyncio.Event(), asyncio.Event()
        self._known: list[tuple[int, int] | None] = []
        self._polled, self._mail_came = False, False
        self._loop: asyncio.AbstractEventLoop | None = None

    def stop(self) -> None:
        """End the watch."""
        for event in (self._stop, self._again, self._changed, self._mail_ended):
            event.set()

    async def run(self) -> None:
        """Watch until stopped or cancelled."""
        self._loop = asyncio.get_running_loop()
        try:
            await self._call(self._begin)
            async with asyncio.TaskGroup() as group:
                servers = [self._idle(server) for server in self._servers]
                for task in (self._listen(), self._look_often(), self._take_in(), *servers):
                    group.create_task(task)
        finally:
            self.stop()
            for threads in (self._thread, self._mail_threads):
                threads.shutdown(wait=True, cancel_futures=True)
            self._mail_ended.close()
            if self._early is not None:
                self._early.close()

    def _begin(self) -> None:
        self._early = EarlyFiles(self._folder, self._config)
        self._note(self._early.scan())

    async def _call(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _ways(self) -> list[tuple[WatchedRoot, bool]]:
        """How each root is watched, and whether it is there."""
        asked = (WatchedRoot(root, POLLING, "as you asked") if self._poll else manner_of(root) for root in self._roots)
        return [(way, Path(way.path).exists()) for way in asked]

    def _identities(self) -> list[tuple[int, int] | None]:
        """Which folders the roots are: one that was mounted or made again sends its events anew."""
        return [_identity(root) for root in self._roots]

    async def _listen(self) -> None:
        """Hear of changes, again when a root has come, gone or is another."""
        told: list[tuple[WatchedRoot, bool]] = []
        while not self._stop.is_set():
            self._again.clear()
            self._known = await asyncio.to_thread(self._identities)
            ways = await asyncio.to_thread(self._ways)
            new, told = [each for each in ways if each not in told], ways
            heard = [way.path for way, there in ways if way.manner == EVENTS and there]
            self._polled = len(heard) < len(ways)
            self._tell_ways(each for each in new if each[0].path not in heard)
            if heard:
                await self._hear(heard, [each for each in new if each[0].path in heard])
            if not self._stop.is_set():
                await self._again.wait()

    def _tell_ways(self, ways: Iterable[tuple[WatchedRoot, bool]]) -> None:
        for way, there in ways:
            what = "watching" if there else "missing"
            self._tell(WatchEvent(what=what, path=way.path, manner=way.manner, cause=way.cause))

    async def _hear(self, roots: list[str], new: list[tuple[WatchedRoot, bool]]) -> None:
        """Take what the system tells of some roots; where it cannot, looks from time to time are all there is.

        What was saved before it began to tell is found by a look at everything; from then on they are said to be watched.
        After more changes at once than the system may be able to tell, everything is looked at when it is silent again.
        """
        begun = lost = False
        try:
            async for paths in changed_paths(roots, self._again):
                if not begun or (lost and not paths):
                    await self._call(self._scan)
                    self._tell_ways(() if begun else new)
                    begun, lost = True, False
                elif paths:
                    lost |= is_burst(len(paths))
                    await self._take(paths)
        except OSError as error:
            cause = f"no watches are left: raise {LIMIT}" if is_limit(error) else str(error)
            self._polled = True
            for path in roots:
                self._tell(WatchEvent(what="watching", path=path, manner=POLLING, cause=cause))

    async def _idle(self, server: MailServer) -> None:
        """Have a run fetch letters as soon as a server tells of them; one that cannot be asked is asked later."""
        self._tell(WatchEvent(what="watching", path=server.seed, manner="IDLE"))
        while not self._stop.is_set() and self._start_run is not None:
            try:
                happened = await self._wait_for_mail(server)
            except TrasmalloError as error:
                self._tell(WatchEvent(what="missing", path=server.seed, cause=str(error)))
                await self._rest(self._times.everything)
                continue
            if happened and not self._stop.is_set():
                self._mail_came = True
                self._changed.set()
                await self._rest_until_taken()

    async def _wait_for_mail(self, server: MailServer) -> bool:
        wait = partial(wait_for_mail, server, self._folder, self._times.idle, self._mail_ended)
        return await asyncio.get_running_loop().run_in_executor(self._mail_threads, wait)

    async def _rest_until_taken(self) -> None:
        """Until a run has fetched the letters that came; the next ones wait until it is calm, however many come."""
        await self._rest(self._times.calm)
        while self._mail_came and not self._stop.is_set():
            await self._rest(self._times.calm)

    async def _take(self, paths: Iterable[str]) -> None:
        early = self._early
        assert early is not None
        await self._call(partial(self._take_paths, paths))
        for _ in range(20):
            if not early.unstable or self._stop.is_set():
                return
            await asyncio.sleep(_UNSTABLE_SECONDS)
            await self._call(partial(self._take_paths, set(early.unstable)))

    def _take_paths(self, paths: Iterable[str]) -> None:
        assert self._early is not None
        self._note(self._early.take(paths))

    async def _look_often(self) -> None:
        """Look at everything, more often where no events come; and at roots that come or go as soon as they do."""
        waited = lasted = 0.0
        while not self._stop.is_set():
            seconds = max(self._times.polling, _SHARE * lasted) if self._polled else self._times.everything
            step = min(seconds - waited, self._times.polling)
            await self._rest(step)
            waited += step
            is_other = await asyncio.to_thread(self._identities) != self._known
            if self._stop.is_set() or (waited < seconds and not is_other):
                continue
            if is_other:
                self._again.set()
            began, waited = time.monotonic(), 0.0
            await self._call(self._scan)
            lasted = time.monotonic() - began

    async def _rest(self, seconds: float) -> None:
        """Wait, unless the watch ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stop.wait()

    def _scan(self) -> None:
        assert self._early is not None
        self._note(self._early.scan())

    def _note(self, documents: int) -> None:
        """Tell of documents that changed, and have a run take them in later."""
        if not documents:
            return
        now = time.monotonic()
        self._last_change, self._first_change = now, self._first_change or now
        self._tell(WatchEvent(what="taken", documents=documents))
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop may have ended
            self._loop.call_soon_threadsafe(self._changed.set)

    async def _take_in(self) -> None:
        """Have runs take in what waits, when it is calm."""
        while not self._stop.is_set():
            await self._changed.wait()
            if self._stop.is_set() or self._start_run is None:
                return
            if not self._is_due():
                await asyncio.sleep(min(1.0, self._times.calm))
                continue
            self._changed.clear()
            self._first_change = 0.0
            await self._run_once()

    def _is_due(self) -> bool:
        now = time.monotonic()
        calm, late = now - self._last_change >= self._times.calm, now - self._first_change >= self._times.longest
        return self._mail_came or calm or late

    async def _run_once(self) -> None:
        with suppress(TrasmalloError):  # somebody else is at work: what waits is taken in by the next one
            waits = self._mail_came or early_parts(self._folder)
            if not holder(self._folder) and waits and self._start_run is not None:
                self._mail_came = False
                self._tell(WatchEvent(what="run"))
                await asyncio.to_thread(self._start_run)
        while holder(self._folder) and not self._stop.is_set():
            await self._rest(min(_LOOK_SECONDS, self._times.calm + 0.05))
        if not self._stop.is_set() and self._early is not None:
            await self._call(self._begin_again)
        if self._mail_came:  # somebody else was at work
            self._changed.set()

    def _begin_again(self) -> None:
        assert self._early is not None
        self._early.begin_again()
        self._note(self._early.scan())


def _identity(path: str) -> tuple[int, int] | None:
    """The device and number of a folder; None where it is not there."""
    try:
        told = os.stat(path)  # noqa: PTH116 - paths of roots are texts
    except OSError:
        return None
    return told.st_dev, told.st_ino


def _stand_back() -> None:
    """Let the thread that reads stand behind others."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def watch_files(
    folder: Path, config: Config, tell: Tell, start_run: Callable[[], object] | None, *, duration: str = "", poll: bool = False
) -> None:
    """Watch in an event loop of its own, until interrupted or for a duration."""
    seconds = parse_duration(duration) if duration else None

    async def run() -> None:
        watch = FileWatch(folder, config, tell, start_run=start_run, poll=poll)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await watch.run()

    asyncio.run(run())
