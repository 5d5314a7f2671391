"""Balance of a run's processes: how many of its agents fetch, read and make tables, by the work that waits for each.

What the system does well is left to it: processes that are at work share the cores, and one that waits for the network takes
nothing from one that reads. So a crawl is never held back (its pages wait on the disk), and what is decided is who is there:

- as many crawl as the run has shares of the hosts, as long as addresses wait;
- as many read as find work that is worth starting them for, in the cores that the crawl leaves; when reading is far behind, or
  the crawl is over, in all of them;
- when nothing is left to read, all of them make tables.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.config import Config

_WORTH = 4.0
"""Seconds of reading that wait for each process that reads: one takes 1.3 s of CPU until its first page is read, and on the
test web 2.4 more until it knows the words of the others (59 pages: 6.3 s by one process, 9.4 by two)."""

_READERS_SERVED = 8
"""Readers that one process which crawls keeps busy: it takes 0.9 ms of CPU a page (`benchmarks/crawl.py`), reading and study 12
for a light one (`benchmarks/agents.py`)."""

_FAR = 30.0
"""Seconds of reading for each agent with which reading is far behind. Judgement: who looks at results wants them this late."""

_CALM = 10.0
"""Seconds before a process is wanted no more. Judgement: pages come in gusts, and starting one again costs more than a rest."""

_TICKS_A_SECOND = 100
"""Units in which Linux counts CPU time for programs (USER_HZ, proc(5))."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What waits in a run, and who there is.

    `shares` of the hosts crawl as long as addresses are `waiting`, and use so many cores for `fetching`; `work` is what waits
    to be read, in seconds of one process; `tables` wait when all is read, and can be made at the same time.
    """

    agents: int
    shares: int = 0
    waiting: bool = False
    fetching: float = 0.0
    work: float = 0.0
    tables: int = 0


class Split(msgspec.Struct, frozen=True):
    """How many processes fetch, read and make tables."""

    fetch: int
    read: int
    tables: int


def split(load: Load) -> Split:
    """Who does what. None reads or makes tables without work, and none of the three goes without a process that has some."""
    fetch = max(1, load.shares) if load.waiting else 0
    useful = math.inf if math.isinf(load.work) else math.ceil(load.work / _WORTH)
    far = load.work > _FAR * load.agents
    room = load.agents if far or not load.waiting else load.agents - round(load.fetching)
    read = int(min(useful, max(1, room))) if load.work > 0 else 0
    tables = min(load.tables, load.agents) if not (fetch or read) else 0
    return Split(fetch, read, tables)


def crawl_processes(agents: int, *, read: bool) -> int:
    """How many of the agents may crawl: all of them where nothing is read meanwhile, else as many as the readers need."""
    return max(1, agents // _READERS_SERVED) if read else agents


def number_of_agents(config: Config) -> int:
    """How many processes of a run may be at work: as configured, or one a core."""
    return config.agents or os.cpu_count() or 1


class Balancer:
    """Balance of a session: a process more is wanted at once, one less only when for some seconds none would have had work."""

    def __init__(self, agents: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.agents = agents
        self._clock = clock
        self._wanted: deque[tuple[float, int]] = deque()
        self._usage = CpuUsage(clock)

    def readers(self, work: float, crawlers: Iterable[int] = ()) -> int:
        """How many processes should read so many seconds of work, while these processes crawl; one at least.

        Infinity, for what nobody has counted yet, is forgotten as soon as there is a number: a small site needs one.
        """
        crawling = tuple(crawlers)
        load = Load(agents=self.agents, waiting=bool(crawling), fetching=self._usage.of(crawling), work=work)
        now = self._clock()
        while self._wanted and self._wanted[0][0] < now - _CALM:
            self._wanted.popleft()
        useful = max(1, split(load).read)
        if math.isfinite(work):
            self._wanted.append((now, useful))
        return max(useful, *(wanted for _, wanted in self._wanted), 1)


class CpuUsage:
    """How many cores some processes use, looked at from time to time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, least: float = 1.0) -> None:
        self._clock = clock
        self._least = least
        self._looked_at = clock()
        self._seconds: dict[int, float] = {}
        self._cores = 0.0

    def of(self, processes: Iterable[int]) -> float:
        """Cores that these processes used between the last two looks; looks within a second tell the same."""
        now = self._clock()
        if now - self._looked_at < self._least:
            return self._cores
        seconds = {process: cpu_seconds(process) for process in processes}
        used = sum(spent - self._seconds[process] for process, spent in seconds.items() if process in self._seconds)
        self._cores = max(0.0, used) / (now - self._looked_at)
        self._seconds, self._looked_at = seconds, now
        return self._cores


def cpu_seconds(process: int) -> float:
    """CPU that a process has used, with all its threads; 0 for one that is gone."""
    with suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
    return 0.0
