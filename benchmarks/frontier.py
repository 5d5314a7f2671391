"""The frontier with many URLs queued: CPU time a URL, memory and disk a URL, full against small, beside its peers.

    python benchmarks/frontier.py [--urls 10000000] [--hosts 20000] [--peer-urls 300000]

Each engine runs in a process of its own. Times are CPU microseconds of that process, all its threads. "page" is what a crawler
does with one page: lease a URL, finish it, offer its 69 links, of which 59 are known (50 to the newest pages, 9 to any page):
71 URLs offered, leased or finished. "page, steady" has one new link, so that the queue neither grows nor shrinks.

A full frontier is compared with small ones that begin with 100,000 URLs queued: both do the same in turns of 500 calls, so that
a machine that is slower for a while is so for both. When the small one has doubled, a fresh one takes its place, sixteen times:
as many new URLs as bring each kind of work that the full one puts off, sixteen checkpoints and a merge of their files.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Result, Write
from trasmallo.values.model import Outcome, Target
from trasmallo.values.urls import host_key

LINKS = 69
NEW_LINKS = 10
SMALL = 100_000
NEW = 100_000  # as many as bring one checkpoint
CYCLE = 16  # checkpoints until their files are merged
OTHERS = 2_000  # how often the other things are done each time
TURN = 500
_SYLLABLES = [a + b for a in "bcdfglmnprstv" for b in ("a", "e", "i", "o", "u", "en", "ar", "os")]


class Web:
    """URLs by number, the same in every run: hosts of very different sizes, paths with words, a page each ten are found on."""

    def __init__(self, hosts: int) -> None:
        self.hosts = hosts
        self.url = functools.lru_cache(4096)(self._url)

    def _url(self, number: int) -> str:
        page = number // NEW_LINKS
        mixed = (page * 0x9E3779B97F4A7C15) & (2**64 - 1)
        host = int(self.hosts * ((mixed >> 11) / 2**53) ** 3)
        rest = ((number + 1) * 0xD1342543DE82EF95) & (2**64 - 1)
        words = "-".join("".join(_SYLLABLES[(rest >> shift + step) % 104] for step in (0, 7, 14)) for shift in (3, 19, 31))
        return f"https://www.{_SYLLABLES[host % 104]}{host}.example/{_SYLLABLES[rest % 13]}/{2000 + rest % 27}/{words}-{number}"

    def targets(self, numbers: Sequence[int]) -> list[Target]:
        """Targets as found on a page."""
        return [Target(self.url(number), number % 5, 0, self.url(number // NEW_LINKS)) for number in numbers]


def done(work: Coroutine[Any, Any, object]) -> None:
    """Run a call of the embedded frontier, which never suspends, without a loop."""
    with suppress(StopIteration):
        work.send(None)


class Embedded:
    """trasmallo's frontier."""

    def __init__(self, folder: Path) -> None:
        self.frontier = EmbeddedFrontier(folder)
        self.now = 0.0

    def add(self, targets: Sequence[Target]) -> None:
        """Queue what is new."""
        done(self.frontier.add(targets))

    def page(self, links: Sequence[Target]) -> None:
        """Lease a URL and finish it with these links."""
        done(self._page(links))

    async def _page(self, links: Sequence[Target]) -> None:
        self.now += 1.0
        (lease,) = (await self.frontier.lease(self.now)).leases
        results = [Result(target.url, Outcome.FETCHED) for target in lease.targets]
        await self.frontier.finish(lease, results, links, self.now + 0.5)

    def sync(self) -> None:
        """Bring everything to disk."""
        done(self.frontier.control(Write(to_disk=True)))

    def close(self) -> None:
        """Let go of the folder."""
        done(self.frontier.control(Close()))


class Sqlite:
    """What people write themselves: a table of URLs, a table of hosts, one transaction a page."""

    def __init__(self, folder: Path) -> None:
        self.base = sqlite3.connect(folder / "frontier.db", isolation_level=None)
        self.base.executescript(
            """pragma journal_mode=wal; pragma synchronous=normal;
            create table url(id integer primary key, url text unique, host text, depth int, via text, done int default 0);
            create index queue on url(host, done, depth, id);
            create table host(host text primary key, due real); create index due on host(due);"""
        )
        self.now = 0.0

    def add(self, targets: Sequence[Target]) -> None:
        """Queue what is new."""
        self.base.execute("begin")
        self._insert(targets)
        self.base.execute("commit")

    def page(self, links: Sequence[Target]) -> None:
        """Lease a URL and finish it with these links."""
        self.now += 1.0
        self.base.execute("begin")
        for (host,) in self.base.execute("select host from host where due <= ? order by due limit 1", (self.now,)).fetchall():
            query = "select id from url where host=? and done=0 order by depth, id limit 1"
            for (number,) in self.base.execute(query, (host,)).fetchall():
                self.base.execute("update url set done=1 where id=?", (number,))
            self.base.execute("update host set due=? where host=?", (self.now + 0.5, host))
        self._insert(links)
        self.base.execute("commit")

    def sync(self) -> None:
        """Bring everything to disk."""
        self.base.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        """Let go of the folder."""
        self.base.close()

    def _insert(self, targets: Sequence[Target]) -> None:
        rows = [(target.url, host_key(target.url), target.depth, target.via) for target in targets]
        self.base.executemany("insert or ignore into url(url, host, depth, via) values(?, ?, ?, ?)", rows)
        self.base.executemany("insert or ignore into host values(?, 0)", {(row[1],) for row in rows})


class Scrapy:
    """Scrapy's request fingerprints and its queue on disk, as a job directory makes it use them."""

    def __init__(self, folder: Path) -> None:
        from scrapy import Request, Spider
        from scrapy.dupefilters import RFPDupeFilter
        from scrapy.squeues import PickleFifoDiskQueue
        from scrapy.utils.test import get_crawler

        class Named(Spider):
            name = "bench"

        self.request = Request
        crawler = get_crawler(Named)
        crawler.spider = crawler._create_spider()
        self.seen = RFPDupeFilter(str(folder), fingerprinter=crawler.request_fingerprinter)
        self.queue = PickleFifoDiskQueue.from_crawler(crawler, str(folder / "queue"))  # type: ignore[attr-defined]

    def add(self, targets: Sequence[Target]) -> None:
        """Queue what is new."""
        for target in targets:
            request = self.request(target.url, meta={"depth": target.depth, "via": target.via})
            if not self.seen.request_seen(request):
                self.queue.push(request)

    def page(self, links: Sequence[Target]) -> None:
        """Lease a URL and finish it with these links."""
        self.queue.pop()
        self.add(links)

    def sync(self) -> None:
        """It has no such thing."""

    def close(self) -> None:
        """Let go of the folder."""
        self.queue.close()
        self.seen.close("finished")


ENGINES: dict[str, Callable[[Path], Any]] = {"trasmallo": Embedded, "sqlite": Sqlite, "scrapy": Scrapy}


def rss() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Task(NamedTuple):
    """A call, what it is called with, and how many units that is."""

    call: Callable[[Sequence[Target]], object]
    batches: Iterator[Sequence[Target]]
    count: int


class Stopwatch:
    """CPU time of an engine's calls, and the longest that one of them kept its caller."""

    def __init__(self) -> None:
        self.slowest = 0.0
        self.stall = 0.0

    def time(self, call: Callable[[Sequence[Target]], object], batches: Iterable[Sequence[Target]]) -> float:
        """CPU seconds; batches are made one by one between the calls, so that they are not in memory together."""
        spent = 0.0
        for batch in batches:
            start, mine, wall = time.process_time(), time.thread_time(), time.perf_counter()
            call(batch)
            spent += time.process_time() - start
            self.slowest = max(self.slowest, time.thread_time() - mine)
            self.stall = max(self.stall, time.perf_counter() - wall)
        return spent


def tasks(engine: Any, web: Web, filled: int, fresh: int, seed: int) -> dict[str, Task]:
    """What is measured with `filled` URLs known; URLs from number `fresh` on are new."""
    chance = random.Random(seed)
    cold = [web.targets([chance.randrange(filled) for _ in range(LINKS)]) for _ in range(OTHERS // LINKS)]
    growing, steady, new = range(fresh, fresh + NEW), range(fresh + NEW, fresh + NEW + OTHERS), fresh + 2 * NEW
    return {
        "page": Task(engine.page, pages(web, chance, filled, growing, NEW_LINKS), NEW // NEW_LINKS),
        "page, steady": Task(engine.page, pages(web, chance, filled, steady, 1), OTHERS),
        "add new": Task(engine.add, (web.targets(range(at, at + LINKS)) for at in range(new, new + OTHERS, LINKS)), OTHERS),
        "add seen, cold": Task(engine.add, iter(cold), OTHERS),
        "add seen, warm": Task(engine.add, iter(cold), OTHERS),
        "lease+finish": Task(engine.page, ([] for _ in range(OTHERS)), OTHERS),
    }


def pages(web: Web, chance: random.Random, filled: int, fresh: range, new_links: int) -> Iterator[list[Target]]:
    """The links of pages with some new ones each."""
    for first in fresh[::new_links]:
        recent = [filled - 1 - chance.randrange(500) for _ in range(50)]
        anything = [chance.randrange(filled) for _ in range(LINKS - 50 - new_links)]
        yield web.targets([*recent, *anything, *range(first, first + new_links)])


def fill(engine: Any, web: Web, urls: int, watch: Stopwatch) -> float:
    batches = (web.targets(range(start, min(start + LINKS, urls))) for start in range(0, urls, LINKS))
    return watch.time(engine.add, batches) / urls * 1e6


def compare(name: str, full: Any, web: Web, urls: int, watch: Stopwatch) -> dict[str, list[float]]:
    """CPU microseconds of small and full frontiers, a list of two for each row."""
    spent: dict[str, list[float]] = {}
    cycle = CYCLE if urls > CYCLE * NEW else 1
    for turn in range(cycle):
        with tempfile.TemporaryDirectory() as scratch:
            small = ENGINES[name](Path(scratch))
            fill(small, web, SMALL, Stopwatch())
            fresh = 3 * urls + 3 * turn * NEW
            both = [tasks(small, web, SMALL, fresh, turn), tasks(full, web, urls, fresh, turn)]
            for row in both[0]:
                times = take_turns(both[0][row], both[1][row], watch)
                spent[row] = [before + now / cycle for before, now in zip(spent.get(row, [0.0, 0.0]), times, strict=True)]
            small.close()
    return spent


def take_turns(small: Task, full: Task, watch: Stopwatch) -> list[float]:
    spent, watches = [0.0, 0.0], (Stopwatch(), watch)
    for _ in range(0, small.count, TURN):
        for place, task in enumerate((small, full)):
            spent[place] += watches[place].time(task.call, itertools.islice(task.batches, TURN))
    return [spent[place] / small.count * 1e6 for place in (0, 1)]


def measure(name: str, urls: int, hosts: int) -> dict[str, Any]:
    """Fill one engine, and compare it with itself when small."""
    web, watch = Web(hosts), Stopwatch()
    with tempfile.TemporaryDirectory() as scratch:
        before = rss()
        engine = ENGINES[name](Path(scratch))
        filled = fill(engine, web, urls, watch)
        engine.sync()
        memory = rss() - before
        disk = sum(path.stat().st_size for path in Path(scratch).rglob("*") if path.is_file())
        rows = compare(name, engine, web, urls, watch)
        engine.close()
    sizes = {"memory B/URL": memory / urls, "disk B/URL": disk / urls}
    return {
        "urls": urls,
        "fill": filled,
        "slowest ms": watch.slowest * 1e3,
        "stall ms": watch.stall * 1e3,
        "rows": rows,
        **sizes,
    }


def run_child(name: str, urls: int, hosts: int) -> dict[str, Any] | None:
    command = [sys.executable, __file__, "--engine", name, "--urls", str(urls), "--hosts", str(hosts)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def show(name: str, found: dict[str, Any]) -> None:
    print(
        f"{name}: {found['urls']:,} URLs, {found['memory B/URL']:.1f} B memory and {found['disk B/URL']:.1f} B disk a URL;",
        end=" ",
    )
    print(
        f"filled at {found['fill']:.2f} µs a URL, slowest call {found['slowest ms']:.0f} ms of CPU, {found['stall ms']:.0f} ms"
    )
    print(f"  {'CPU µs':16}{'small':>10}{'full':>10}{'full/small speed':>20}")
    for row, (small, full) in found["rows"].items():
        print(f"  {row:16}{small:10.2f}{full:10.2f}{small / full:20.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=10_000_000)
    parser.add_argument("--hosts", type=int, default=20_000)
    parser.add_argument("--peer-urls", type=int, default=300_000)
    parser.add_argument("--engine", choices=ENGINES)
    options = parser.parse_args()
    if options.engine:
        print(json.dumps(measure(options.engine, options.urls, options.hosts)))
        return
    for name in ENGINES:
        urls = options.urls if name == "trasmallo" else min(options.urls, options.peer_urls)
        found = run_child(name, urls, options.hosts)
        if found is None:
            print(f"{name}: not measured (not installed, or it failed: see above)")
        else:
            show(name, found)


if __name__ == "__main__":
    main()
