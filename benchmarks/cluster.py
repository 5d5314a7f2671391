"""The frontier in PostgreSQL: URLs offered a second, leases ended a second, how workers add up, and what kills cost.

    python benchmarks/cluster.py [--rates] [--scaling] [--kills N --server-kills N --stops N --cuts N]

A server of its own on this machine, with its log on the disk as in use. Rates are of worker processes in batches of 1,000,
which lease the next batch while the one before is being ended, as workers do. The kills are of processes that crawl a generated
web, whose closure is known; for cuts of the network each of them is in a network namespace of its own, whose link is taken down
(needs root and iproute2).
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from support.postgres import Server, running_server  # noqa: E402
from support.shared_tables import join, with_tables  # noqa: E402
from trasmallo.crawl.frontier import LeaseLost, Result  # noqa: E402
from trasmallo.crawl.shared.database import Database  # noqa: E402
from trasmallo.values.model import Outcome, Target  # noqa: E402

_BATCH, _BATCHES, _HOSTS = 1_000, 60, 2_000
_WEB_HOSTS, _WEB_PAGES, _LEASE_SECONDS = 200, 100, 2.0
_WAIT, _SCALED_PAGES = 1.0, 1_000


class Troubles(NamedTuple):
    """How often workers are killed, the server is, workers are stopped, and cut off the network."""

    kills: int = 0
    server_kills: int = 0
    stops: int = 0
    cuts: int = 0


def rates(server: Server, workers: int) -> str:
    """URLs offered in a second, half of them known, and targets leased and finished in a second, by so many workers."""
    address = server.make_database()
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        asyncio.run(with_tables(address, _nothing))
        figures = []
        for work in (_offer, _end_all):
            before, began = server.cpu_seconds(), time.perf_counter()
            done = pool.starmap(work, [(address, seed) for seed in range(workers)])
            wall = time.perf_counter() - began
            time.sleep(0.5)  # what a connection used is its server's when that has noticed its end
            cpu = server.cpu_seconds() - before
            inside = max(seconds for _, seconds in done)
            number = sum(number for number, _ in done)
            figures.append(f"{number / inside:,.0f}/s ({number / cpu:,.0f} per CPU s of the server, {wall:.1f} s)")
    return f"{workers} workers, batches of {_BATCH:,}: offered {figures[0]}; leased and finished {figures[1]}"


async def _nothing(_database: Database) -> None:
    """The tables are made."""


def _offer(address: str, seed: int) -> tuple[int, float]:
    chance = random.Random(seed)
    number = _BATCH * _BATCHES
    offered = [
        Target(f"http://h{chance.randrange(_HOSTS)}.example/{chance.randrange(number // _HOSTS)}") for _ in range(number)
    ]

    async def work(database: Database) -> tuple[int, float]:
        frontier = await join(database, address)
        await frontier.stats()  # connected
        began = time.perf_counter()
        for first in range(0, number, _BATCH):
            frontier._sent.clear()  # as if another worker offered them
            await frontier.add(offered[first : first + _BATCH])
        return number, time.perf_counter() - began

    return asyncio.run(with_tables(address, work))


def _end_all(address: str, _seed: int) -> tuple[int, float]:
    async def work(database: Database) -> tuple[int, float]:
        frontier = await join(database, address)
        await frontier.stats()
        began, ended = time.perf_counter(), 0
        ends: list[Awaitable[int]] = []
        while True:
            asked = asyncio.ensure_future(frontier.lease(0.0, _BATCH // 10, 10))
            await asyncio.gather(asked, *ends)
            reply = asked.result()
            if not reply.leases and not ends:
                return ended, time.perf_counter() - began
            ends = [
                frontier.finish(lease, [Result(target.url, Outcome.FETCHED) for target in lease.targets], [], 0.0)
                for lease in reply.leases
            ]
            ended += sum(len(lease.targets) for lease in reply.leases)

    return asyncio.run(with_tables(address, work))


def scaling(server: Server) -> str:
    """Pages a second of workers that mostly wait, as crawlers do, by their number."""
    speeds = {}
    for workers in (1, 2, 4):
        address = server.make_database()
        _begin(address)
        with tempfile.TemporaryDirectory() as folder:
            options = ["--crawl", address, "--wait", str(_WAIT), "--pages", str(_SCALED_PAGES * workers)]
            running = [
                subprocess.Popen([sys.executable, __file__, *options, "--log", str(Path(folder) / str(number))])
                for number in range(workers)
            ]
            for worker in running:
                worker.wait()
            times = sorted(
                float(line.split()[3])
                for log in Path(folder).iterdir()
                for line in log.read_text().splitlines()
                if line[0] == "H"
            )
        first, last = len(times) // 5, len(times) * 4 // 5
        speeds[workers] = (last - first) / (times[last] - times[first])
    parts = [f"{number}: {speed:.1f} hosts/s ({100 * speed / number / speeds[1]:.0f} %)" for number, speed in speeds.items()]
    return "sleep-bound workers " + ", ".join(parts)


def _begin(address: str) -> None:
    async def begin(database: Database) -> None:
        await (await join(database, address)).add([Target(url(host, 0)) for host in range(_WEB_HOSTS)])

    asyncio.run(with_tables(address, begin))


def url(host: int, page: int) -> str:
    """A page of the generated web."""
    return f"http://h{host}.example/{page}"


def links(address: str) -> list[str]:
    """Where a page leads."""
    host, page = (int(part) for part in address.removeprefix("http://h").split(".example/"))
    chance = random.Random(address)
    own = [url(host, (page * 8 + step + 1) % _WEB_PAGES) for step in range(6)]
    return [*own, url(chance.randrange(_WEB_HOSTS), chance.randrange(_WEB_PAGES)), url((host + 1) % _WEB_HOSTS, 0)]


def closure() -> set[str]:
    """All pages that can be reached."""
    seen = {url(0, 0)}
    waiting = list(seen)
    while waiting:
        new = [found for found in links(waiting.pop()) if found not in seen]
        seen.update(new)
        waiting += new
    return seen


async def crawl_web(address: str, log: Path, wait: float = _WAIT, pages: int = 0) -> None:
    """Crawl the generated web without a network; what is asked for is logged with its host's times, before it is finished."""
    database = Database(address)
    frontier = await join(database, address, lease_seconds=_LEASE_SECONDS)
    with log.open("a", buffering=1) as file:  # a kill must not hide what was asked for
        while await frontier.has_work() and not (pages and (await frontier.stats()).done >= pages):
            asked = time.time()
            leases = (await frontier.lease(asked, 4, 10)).leases
            await asyncio.sleep(wait if leases else 0.05)
            ends = []
            for lease in leases:
                if time.time() > lease.until:
                    break
                for target in lease.targets:
                    file.write(f"F {target.url}\n")
                file.write(f"H {lease.host} {asked:.6f} {time.time():.6f}\n")
                found = [Target(link) for target in lease.targets for link in links(target.url)]
                ends.append(frontier.finish(lease, [Result(t.url, Outcome.FETCHED) for t in lease.targets], found, 0.0))
            file.flush()
            for result in await asyncio.gather(*ends, return_exceptions=True):
                if isinstance(result, BaseException) and not isinstance(result, LeaseLost):
                    raise result


class Places:
    """Where workers run: this machine, or for cuts namespaces of their own, each with one link to it."""

    def __init__(self, number: int, *, apart: bool) -> None:
        self._number = number
        self.apart = apart

    def __enter__(self) -> Places:
        for place in range(self._number if self.apart else 0):
            inside = f"ip netns exec tb{place} "
            for command in (
                f"ip netns add tb{place}",
                f"ip link add tb{place}a type veth peer name tb{place}b",
                f"ip link set tb{place}b netns tb{place}",
                f"ip addr add 10.77.{place}.1/24 dev tb{place}a",
                f"ip link set tb{place}a up",
                f"{inside}ip addr add 10.77.{place}.2/24 dev tb{place}b",
                f"{inside}ip link set tb{place}b up",
            ):
                subprocess.run(command.split(), check=True)
        return self

    def __exit__(self, *_: object) -> None:
        for place in range(self._number if self.apart else 0):
            subprocess.run(["ip", "link", "del", f"tb{place}a"], check=False)
            subprocess.run(["ip", "netns", "del", f"tb{place}"], check=False)

    def start(self, place: int, server: Server, database: str, logs: Path) -> subprocess.Popen[bytes]:
        """A worker in a place."""
        inside = ["ip", "netns", "exec", f"tb{place}"] if self.apart else []
        address = f"postgresql://tester@10.77.{place}.1:{server.port}/{database}" if self.apart else server.address(database)
        log = str(logs / os.urandom(8).hex())
        return subprocess.Popen([*inside, sys.executable, __file__, "--crawl", address, "--log", log, "--wait", str(_WAIT)])

    def cut(self, place: int) -> None:
        """Take the link of a place away for longer than a lease."""
        subprocess.run(["ip", "link", "set", f"tb{place}a", "down"], check=True)
        time.sleep(1.5 * _LEASE_SECONDS)
        subprocess.run(["ip", "link", "set", f"tb{place}a", "up"], check=True)


def kill_test(server: Server, wanted: Troubles) -> str:
    """Four workers that are killed, stopped and cut off, and a server that is killed: what was lost, asked again, or by two."""
    address, chance = server.make_database(), random.Random(7)
    name = address.split("?")[0].rpartition("/")[2]
    _begin(address)
    left = wanted._asdict()
    with tempfile.TemporaryDirectory() as folder, Places(4, apart=bool(wanted.cuts)) as places:
        logs = Path(folder)
        workers, began = [places.start(place, server, name, logs) for place in range(4)], time.time()
        while any(worker.poll() is None for worker in workers) and time.time() - began < 480:
            time.sleep(chance.uniform(0.1, 0.5))
            place = chance.randrange(4)
            if workers[place].poll() is not None:
                continue
            kind = chance.choices(list(left), [number + 0.001 for number in left.values()])[0]
            if left[kind] <= 0:
                continue
            left[kind] -= 1
            if kind == "kills":
                workers[place].kill()
                workers[place].wait()
                workers[place] = places.start(place, server, name, logs)
            elif kind == "server_kills":
                server.kill()
                server.start()
            elif kind == "stops":
                workers[place].send_signal(signal.SIGSTOP)
                time.sleep(1.5 * _LEASE_SECONDS)
                workers[place].send_signal(signal.SIGCONT)
            else:
                places.cut(place)
        for worker in workers:
            worker.kill()
            worker.wait()
        return _judge(logs, Troubles(*(number - left[kind] for kind, number in wanted._asdict().items())))


def _judge(logs: Path, done: Troubles) -> str:
    asked: dict[str, int] = {}
    held: dict[str, list[tuple[float, float, str]]] = {}
    for log in logs.iterdir():
        for words in (line.split() for line in log.read_text().splitlines()):
            if words[:1] == ["F"] and len(words) == 2:
                asked[words[1]] = asked.get(words[1], 0) + 1
            elif words[:1] == ["H"] and len(words) == 4:
                held.setdefault(words[1], []).append((float(words[2]), float(words[3]), log.name))
    together = sum(
        later[0] < earlier[1] and later[2] != earlier[2]
        for times in held.values()
        for earlier, later in zip(sorted(times), sorted(times)[1:], strict=False)
    )
    expected, again = closure(), sum(asked.values()) - len(asked)
    lost = len(expected - set(asked))
    return (
        f"{done.kills} kills of workers, {done.server_kills} of the server, {done.stops} stops and {done.cuts} cuts: "
        f"{lost} of {len(expected):,} URLs lost, "
        f"{again} asked again ({100 * again / len(expected):.2f} %), {together} moments with two on a host"
    )


def main() -> None:
    """Print the figures that are asked for, by default the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rates", action="store_true")
    parser.add_argument("--scaling", action="store_true")
    for kind in Troubles._fields:
        parser.add_argument("--" + kind.replace("_", "-"), type=int, default=0)
    parser.add_argument("--crawl", default="", help=argparse.SUPPRESS)
    parser.add_argument("--wait", type=float, default=_WAIT, help=argparse.SUPPRESS)
    parser.add_argument("--pages", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--log", type=Path, default=Path("log"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        asyncio.run(crawl_web(options.crawl, options.log, options.wait, options.pages))
        return
    troubles = Troubles(*(getattr(options, kind) for kind in Troubles._fields))
    port, network = (54_377, "10.77.0.0/16") if troubles.cuts else (0, "")
    with running_server(durable=True, port=port, network=network) as server:
        if options.rates or not (options.scaling or any(troubles)):
            for workers in (1, 2):
                print(rates(server, workers), flush=True)
        if options.scaling:
            print(scaling(server), flush=True)
        if any(troubles):
            print(kill_test(server, troubles))


if __name__ == "__main__":
    main()
