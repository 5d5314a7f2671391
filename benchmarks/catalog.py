"""The catalog against SQLite (WAL, batches, indexes by URL and time, digest, run): same rows, same reads, one table.

    python benchmarks/catalog.py [ROWS]

Each store runs in a process of its own with the same rows, so that CPU seconds (background threads too) and memory are its own
alone; the memory and time of making the rows are taken off. Inserts are measured in rounds too, the stores taking turns, for
what a busy machine does to one long run. What is left to do after the last insert (our compaction, SQLite's checkpoint) is
counted apart and then added. Disk is counted after it, with every index.
"""

from __future__ import annotations

import base64
import gc
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from trasmallo.store.catalog import Catalog
from trasmallo.store.catalog_rows import sha1_bytes, sha1_text
from trasmallo.values.model import Fetch, Locator, Outcome

BATCH = 1000
READS = 20_000
RUNS = 5
STORES = ("trasmallo", "sqlite")
ROUNDS = 3
ROWS_OF_A_ROUND = 300_000
CACHE_KIB = 112 << 10  # as much for SQLite as our write buffers and block cache together


class Writing(msgspec.Struct):
    """What one store needed to take rows in: seconds."""

    insert_cpu: float
    insert_wall: float
    settle_cpu: float

    @property
    def whole_cpu(self) -> float:
        """Insert and settle together."""
        return self.insert_cpu + self.settle_cpu


class Figures(Writing):
    """What one store needed for everything: bytes a row, microseconds a read, MB."""

    disk: float
    read_p50: float
    read_p99: float
    read_calm_p99: float
    read_cpu_p99: float
    digest_p99: float
    digest_calm_p99: float
    digest_cpu_p99: float
    memory: float


class Store(Protocol):
    """What both stores are asked to do."""

    def put_many(self, fetches: list[Fetch], run: str) -> None:
        """Write a batch."""

    def at(self, url: str, when: float) -> Fetch | None:
        """The version of a URL valid at a time."""

    def with_digest(self, digest: str) -> Fetch | None:
        """The first fetch with a payload."""

    def compact(self) -> None:
        """Settle what is on disk."""


class Sqlite:
    """The same rows in one table with the three indexes."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "catalog.sqlite")
        for setting in ("journal_mode=wal", "synchronous=normal", f"cache_size=-{CACHE_KIB}"):
            self._db.execute(f"pragma {setting}")
        self._db.execute(
            "create table fetch (url text, at real, outcome int, status int, media int, digest blob, size int, file int,"
            " offset int, length int, location text, cause text, run int)"
        )
        self._db.execute("create unique index by_url on fetch (url, at)")
        self._db.execute("create index by_digest on fetch (digest)")
        self._db.execute("create index by_run on fetch (run)")
        self._outcomes = {outcome: code for code, outcome in enumerate(Outcome)}
        self._kinds = list(Outcome)
        self._names: dict[str, int] = {}
        self._texts: list[str] = []

    def _number(self, name: str) -> int:
        if name not in self._names:
            self._names[name] = len(self._names)
            self._texts.append(name)
        return self._names[name]

    def _row(self, fetch: Fetch, run: int) -> tuple[object, ...]:
        file, offset, length = fetch.locator or ("", 0, 0)
        return (
            *(fetch.url, fetch.at, self._outcomes[fetch.outcome], fetch.status, self._number(fetch.media)),
            *(sha1_bytes(fetch.digest), fetch.size, self._number(file), offset, length),
            *(fetch.location or None, fetch.cause or None, run),
        )

    def put_many(self, fetches: list[Fetch], run: str) -> None:
        """Write a batch."""
        number = self._number(run)
        with self._db:
            marks = "?," * 12 + "?"
            self._db.executemany(f"insert or replace into fetch values ({marks})", [self._row(f, number) for f in fetches])

    def _fetch(self, where: str, values: tuple[object, ...]) -> Fetch | None:
        row = self._db.execute(f"select * from fetch where {where} limit 1", values).fetchone()
        if row is None:
            return None
        url, at, outcome, status, media, digest, size, file, offset, length, location, cause, _ = row
        where_kept = Locator(self._texts[file], offset, length)
        text = sha1_text(digest)
        return Fetch(
            url, at, self._kinds[outcome], status, self._texts[media], text, size, where_kept, location or "", cause or ""
        )

    def at(self, url: str, when: float) -> Fetch | None:
        """The version of a URL valid at a time."""
        return self._fetch("url = ? and at <= ? order by at desc", (url, when))

    def with_digest(self, digest: str) -> Fetch | None:
        """The first fetch with a payload."""
        return self._fetch("digest = ? order by rowid", (sha1_bytes(digest),))

    def compact(self) -> None:
        """Settle what is on disk."""
        self._db.execute("pragma wal_checkpoint(truncate)")


def make_rows(count: int) -> Iterator[Fetch]:
    """Rows as a crawl brings them: 2,000 hosts in turns, one row in five a later version of a URL already there."""
    chance = random.Random(7)
    words = ["".join(chance.choices("aeiolmnprstz", k=chance.randint(3, 9))) for _ in range(4000)]
    hosts = [
        f"https://www.{chance.choice(words)}-{chance.choice(words)}.{chance.choice(('es', 'com', 'org'))}" for _ in range(2000)
    ]
    urls: list[str] = []
    for number in range(count):
        if urls and chance.random() < 0.2:
            url = chance.choice(urls)
        else:
            path = "-".join(chance.choices(words, k=3))
            url = f"{chance.choice(hosts)}/{chance.choice(words)}/{path}-{chance.randrange(100_000)}.html"
            urls.append(url)
        digest = "sha1:" + base64.b32encode(chance.randbytes(20)).decode()
        place = Locator(f"crawl-{number // 100_000:05}.warc.gz", number % 100_000 * 9_000, chance.randrange(1_000, 20_000))
        at = 1_700_000_000 + number / 80 + chance.random() / 100
        yield Fetch(url, at, Outcome.FETCHED, 200, "text/html", digest, chance.randrange(1_000, 90_000), place)


def insert(store: Store, fetches: list[Fetch]) -> None:
    run_length = max(BATCH, len(fetches) // RUNS)
    for start in range(0, len(fetches), BATCH):
        store.put_many(fetches[start : start + BATCH], f"run {start // run_length}")


class Reads(NamedTuple):
    """Microseconds of many reads, each list sorted; `calm` has the wall times of reads that no other program interrupted."""

    walls: list[float]
    calm: list[float]
    cpus: list[float]


def measure_reads(fetches: list[Fetch], read: Callable[[Fetch], Fetch | None]) -> Reads:
    """Every answer is compared with what was put. Waits for the disk count as calm, waits for a processor do not."""
    reads = Reads([], [], [])
    for fetch in random.Random(11).choices(fetches, k=READS):
        interrupted = resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw
        wall, cpu = time.perf_counter(), time.thread_time()
        answer = read(fetch)
        reads.cpus.append((time.thread_time() - cpu) * 1e6)
        reads.walls.append((time.perf_counter() - wall) * 1e6)
        if resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw == interrupted:
            reads.calm.append(reads.walls[-1])
        assert answer == fetch, (answer, fetch)
    return Reads(*map(sorted, reads))


def find_p99(values: list[float]) -> float:
    return values[len(values) * 99 // 100]


def open_store(name: str, folder: Path) -> Store:
    return Catalog(folder) if name == "trasmallo" else Sqlite(folder)


def measure_writing(store: Store, fetches: list[Fetch]) -> Writing:
    gc.freeze()  # or the collector would walk through all the waiting rows again and again
    cpu, wall = time.process_time(), time.perf_counter()
    insert(store, fetches)
    insert_cpu, insert_wall = time.process_time() - cpu, time.perf_counter() - wall
    store.compact()
    return Writing(insert_cpu, insert_wall, time.process_time() - cpu - insert_cpu)


def measure(name: str, count: int, folder: Path) -> Figures:
    fetches = list(make_rows(count))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    store = open_store(name, folder)
    writing = measure_writing(store, fetches)
    disk = sum(path.stat().st_size for path in folder.iterdir() if path.suffix in {".sst", ".sqlite"})
    reads = measure_reads(fetches, lambda fetch: store.at(fetch.url, fetch.at))
    digests = measure_reads(fetches, lambda fetch: store.with_digest(fetch.digest))
    return Figures(
        **msgspec.structs.asdict(writing),
        disk=(disk - sum(len(fetch.url) for fetch in fetches)) / count,
        read_p50=statistics.median(reads.walls),
        read_p99=find_p99(reads.walls),
        read_calm_p99=find_p99(reads.calm),
        read_cpu_p99=find_p99(reads.cpus),
        digest_p99=find_p99(digests.walls),
        digest_calm_p99=find_p99(digests.calm),
        digest_cpu_p99=find_p99(digests.cpus),
        memory=(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
    )


def run_child(name: str, count: int, task: str) -> bytes:
    command = [sys.executable, __file__, str(count), name, task]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def be_child(count: int, name: str, task: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if task == "write":
            figures: Writing = measure_writing(open_store(name, Path(folder)), list(make_rows(count)))
        else:
            figures = measure(name, count, Path(folder))
    print(msgspec.json.encode(figures).decode())


def print_row(title: str, ours: float, theirs: float, ratio: float) -> None:
    print(f"{title:40}{ours:12.1f}{theirs:12.1f}{ratio:8.1f}", flush=True)


def print_rounds(count: int) -> None:
    rounds = [[msgspec.json.decode(run_child(name, count, "write"), type=Writing) for name in STORES] for _ in range(ROUNDS)]
    print(f"\n{count:,} rows, median of {ROUNDS} rounds in turns (ratio: median of the rounds' ratios)")
    for field, title in {"insert_cpu": "insert, CPU s", "whole_cpu": "insert and settle, CPU s"}.items():
        pairs = [[getattr(writing, field) for writing in pair] for pair in rounds]
        ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
        print_row(title, ours, theirs, statistics.median(other / mine for mine, other in pairs))


def print_figures(count: int) -> None:
    ours, theirs = (msgspec.json.decode(run_child(name, count, "all"), type=Figures) for name in STORES)
    print(f"\n{count:,} rows once; reads are any version of any URL")
    titles = {
        "insert_cpu": "insert, CPU s",
        "insert_wall": "insert, wall s",
        "settle_cpu": "settle (compact or checkpoint), CPU s",
        "whole_cpu": "insert and settle, CPU s",
        "disk": "disk a row beside the URL, B",
        "read_p50": "read p50, µs",
        "read_p99": "read p99, µs",
        "read_calm_p99": "read p99 where not interrupted, µs",
        "read_cpu_p99": "read p99, CPU µs",
        "digest_p99": "by digest p99, µs",
        "digest_calm_p99": "by digest p99 where not interrupted, µs",
        "digest_cpu_p99": "by digest p99, CPU µs",
        "memory": "memory beside the rows, MB",
    }
    for field, title in titles.items():
        mine, other = getattr(ours, field), getattr(theirs, field)
        print_row(title, mine, other, other / mine if mine else 0)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    if len(sys.argv) > 2:
        be_child(count, sys.argv[2], sys.argv[3])
        return
    print(f"{f'batches of {BATCH:,}':40}{STORES[0]:>12}{STORES[1]:>12}{'ratio':>8}")
    print_rounds(min(count, ROWS_OF_A_ROUND))
    print_figures(count)


if __name__ == "__main__":
    main()
