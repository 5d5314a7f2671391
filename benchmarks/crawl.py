"""A crawl of the test web beside its peers: pages per CPU second, memory, and what the server itself saw.

    python benchmarks/crawl.py --web FOLDER [--peers FOLDER] [--seconds 600] [NAME...]

NAME is trasmallo-1 or trasmallo-2 (processes), shared-2 (as many workers, with their frontier in PostgreSQL), or a peer. The
test web (300 hosts, 20,002 pages) is started beforehand; FOLDER holds its `check.py` and `site/`. Peers are scripts
`NAME_broad.py SEEDS OUT ...` in their folder. All crawlers get the same seeds, obey robots.txt, store the bodies and wait for
nobody. The server's log decides what was obtained. Pages per second are those of the stretch from a tenth to four fifths of the
pages, so that neither the start nor the last slow host counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import msgspec

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from support.postgres import running_server  # noqa: E402
from trasmallo import config, config_text  # noqa: E402

LINES = 100
PEER_OPTIONS = {"crawlee": ("parsel", str(LINES), "1000000")}


class Row(msgspec.Struct):
    """One crawler's figures."""

    name: str
    pages: int
    speed: float
    cpu: float
    memory: int
    coverage: float
    duplicates: int
    violations: int


def main() -> None:
    """Crawl with each crawler in turn and print one table."""
    options = _options()
    names = options.names or ["trasmallo"]
    rows = []
    for name in names:
        with running_server(durable=True) if name.startswith("shared") else nullcontext() as server:
            command = _command(name, options) if server is None else _shared(name, options, server.make_database())
            rows.append(_measure(name, command, options))
    heads = ("crawler", "pages", "pages/s", "CPU s/1000", "pages/CPU s", "MB", "found %", "twice", "robots")
    print("".join(f"{head:>13}" for head in heads))
    for row in rows:
        cost, worth = 1000 * row.cpu / max(row.pages, 1), row.pages / row.cpu
        figures = (row.pages, row.speed, cost, worth, row.memory / 1e6, row.coverage, row.duplicates, row.violations)
        print(f"{row.name:>13}" + "".join(f"{figure:>13,.2f}" for figure in figures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def _command(name: str, options: argparse.Namespace) -> list[str]:
    seeds = options.web / "site" / "seeds.txt"
    scratch = tempfile.mkdtemp(prefix="crawl-")
    if name.startswith("trasmallo"):
        given = [
            "--lines",
            str(LINES),
            "--delay",
            "0",
            "--private",
            "127.0.0.0/8",
            "--scope",
            "any",
            "--processes",
            name.partition("-")[2] or "1",
            "--quiet",
        ]
        return [sys.executable, "-m", "trasmallo", "crawl", "--seeds", str(seeds), "--into", scratch, *given]
    return [sys.executable, str(options.peers / f"{name}_broad.py"), str(seeds), f"{scratch}/out", *PEER_OPTIONS.get(name, ())]


def _shared(name: str, options: argparse.Namespace, address: str) -> list[str]:
    """The same crawl, as a project whose frontier is in a database."""
    scratch = Path(tempfile.mkdtemp(prefix="crawl-"))
    seeds = tuple((options.web / "site" / "seeds.txt").read_text().split())
    crawl = config.CrawlConfig(
        seeds=seeds, lines=LINES, delay=0.0, private=("127.0.0.0/8",), scope="any", processes=int(name.partition("-")[2])
    )
    cluster = config.ClusterConfig(frontier=address, storage=str(scratch / "storage"))
    config_text.write(config.Config(name="shared", crawl=crawl, cluster=cluster), scratch / config.FILE_NAME)
    program = f"from trasmallo.project.project import Project; Project.open({str(scratch)!r}).crawl()"
    return [sys.executable, "-c", program]


def _measure(name: str, command: list[str], options: argparse.Namespace) -> Row:
    log = options.web / "site" / "logs" / "access.log"
    time.sleep(2)  # the server writes its log with a delay
    offset = log.stat().st_size
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory = _run(command, options.seconds)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    time.sleep(2)
    seen = json.loads(subprocess.check_output([sys.executable, "check.py", str(offset)], cwd=options.web))
    print(name, seen, file=sys.stderr)
    coverage = next((value for key, value in seen.items() if "sitemap" in key), 0.0)
    return Row(
        name, seen["unique_pages"], _speed(log, offset), cpu, memory, coverage, _first(seen, "dup"), _first(seen, "viol")
    )


def _speed(log: Path, offset: int) -> float:
    """Pages per second between the first tenth and the last fifth of them, by the server's own clock."""
    with log.open("rb") as file:
        file.seek(offset)
        lines = [line.split(b" ", 4) for line in file]
    times = [float(at) for at, _, status, _, path in lines if status == b"200" and path.rstrip().endswith((b".html", b"/"))]
    first, last = len(times) // 10, len(times) * 8 // 10
    return (last - first) / max(times[last] - times[first], 1e-9) if last > first else 0.0


def _first(seen: dict[str, object], part: str) -> int:
    return next((int(str(value)) for key, value in seen.items() if part in key and not isinstance(value, dict | list)), 0)


def _run(command: list[str], seconds: float) -> int:
    """Run to the end; the most memory its processes had together, in bytes."""
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        ends = time.monotonic() + seconds
        while process.poll() is None:
            most = max(most, sum(map(_memory, _tree(process.pid))))
            if time.monotonic() > ends:
                process.kill()
            time.sleep(0.2)
    return most


def _tree(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(one for child in children for one in _tree(int(child)))]


def _memory(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    main()
