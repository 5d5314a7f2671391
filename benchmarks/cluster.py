"""The frontier in PostgreSQL: URLs offered a second, leases ended a second, and what kills cost. `cluster.py [--kills N]`.

A server of its own on this machine, with its log on the disk as in use. Each figure is of one worker process in batches of 1,000;
the kills are of processes that crawl a generated web, whose closure is known.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from support.postgres import Server, running_server  # noqa: E402
from support.shared_crawl import join, with_tables  # noqa: E402
from trasmallo.crawl.frontier import LeaseLost, Result  # noqa: E402
from trasmallo.crawl.shared.database import Database  # noqa: E402
from trasmallo.values.model import Outcome, Target  # noqa: E402

_BATCH, _BATCHES, _HOSTS = 1_000, 60, 2_000
_WEB_HOSTS, _WEB_PAGES, _LEASE_SECONDS = 200, 100, 2.0


async def rates(address: str) -> tuple[float, float]:
    """URLs offered in a second, half of them known; targets leased and finished in a second."""

    async def work(database: Database) -> tuple[float, float]:
        frontier = await join(database, address)
        chance = random.Random(1)
        number = _BATCH * _BATCHES
        offered = [Target(f"http://h{chance.randrange(_HOSTS)}.example/{chance.randrange(number // _HOSTS)}") for _ in range(number)]
        began = time.perf_counter()
        for first in range(0, number, _BATCH):
            frontier._sent.clear()  # as if another worker offered them
            await frontier.add(offered[first : first + _BATCH])
        added = number / (time.perf_counter() - began)
        began, ended = time.perf_counter(), 0
        while leases := (await frontier.lease(0.0, _BATCH // 10, 10)).leases:
            ends = [
                frontier.finish(lease, [Result(target.url, Outcome.FETCHED) for target in lease.targets], [], 0.0)
                for lease in leases
            ]
            await asyncio.gather(*ends)
            ended += sum(len(lease.targets) for lease in leases)
        return added, ended / (time.perf_counter() - began)

    return await with_tables(address, work)


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


async def crawl_web(address: str, log: Path) -> None:
    """Crawl the generated web without a network; what is asked for is logged with its host's times, before it is finished."""
    database = Database(address)
    frontier = await join(database, address, lease_seconds=_LEASE_SECONDS)
    with log.open("a") as file:
        while await frontier.has_work():
            asked = time.time()
            leases = (await frontier.lease(asked, 8, 10)).leases
            await asyncio.sleep(0.02 if leases else 0.05)
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


def kill_test(server: Server, kills: int, server_kills: int, stops: int) -> str:
    """Four workers that are killed and stopped, and a server that is: what was lost, asked again, and asked by two at once."""
    address, chance = server.make_database(), random.Random(7)

    async def begin(database: Database) -> None:
        await (await join(database, address)).add([Target(url(0, 0))])

    asyncio.run(with_tables(address, begin))
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder)

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen([sys.executable, __file__, "--crawl", address, "--log", str(logs / os.urandom(8).hex())])

        workers, done, began = [start() for _ in range(4)], [0, 0, 0], time.time()
        while any(worker.poll() is None for worker in workers) and time.time() - began < 480:
            time.sleep(chance.uniform(0.1, 0.5))
            place = chance.randrange(4)
            if done[0] < kills and workers[place].poll() is None:
                workers[place].kill()
                workers[place].wait()
                workers[place], done[0] = start(), done[0] + 1
            if done[1] < server_kills and chance.random() < server_kills / max(1, kills):
                server.kill()
                server.start()
                done[1] += 1
            if done[2] < stops and chance.random() < stops / max(1, kills) and workers[place].poll() is None:
                workers[place].send_signal(signal.SIGSTOP)
                time.sleep(1.5 * _LEASE_SECONDS)
                workers[place].send_signal(signal.SIGCONT)
                done[2] += 1
        for worker in workers:
            worker.kill()
            worker.wait()
        return _judge(logs, done)


def _judge(logs: Path, done: list[int]) -> str:
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
    return (
        f"{done[0]} kills of workers, {done[1]} of the server, {done[2]} stops beyond the lease: {len(expected - set(asked))} of "
        f"{len(expected):,} URLs lost, {again} asked again ({100 * again / len(expected):.2f} %), {together} moments with two on a host"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--server-kills", type=int, default=20)
    parser.add_argument("--stops", type=int, default=10)
    parser.add_argument("--crawl", default="", help=argparse.SUPPRESS)
    parser.add_argument("--log", type=Path, default=Path("log"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        asyncio.run(crawl_web(options.crawl, options.log))
        return
    with running_server(durable=True) as server:
        added, ended = asyncio.run(rates(server.make_database()))
        print(f"offered {added:,.0f} URLs/s, leased and finished {ended:,.0f}/s, batches of {_BATCH:,}", flush=True)
        if options.kills:
            print(kill_test(server, options.kills, options.server_kills, options.stops))


if __name__ == "__main__":
    main()
