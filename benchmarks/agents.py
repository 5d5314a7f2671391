"""Whether processes go where the work is: whole runs of two webs, by each fixed split and by the one that a run finds itself.

    python benchmarks/agents.py [--rounds 3] [--web few | many] [--source FOLDER] [SPLIT...]

few     4 hosts that take 50 ms to answer, with heavy pages: long Spanish texts, a fourth of them PDF
many    150 hosts that answer at once, with light pages: a paragraph and ten links

A SPLIT is "C+R+T", C processes that crawl, R that read and T that make tables, whatever waits; or "itself". Each web is made
and served by this script, in a process of its own whose CPU is not counted, and run from the address to the last table by
`trasmallo run` with 32 lines; splits take turns, so that what else the machine does hits them alike. Told are the medians of
wall and CPU seconds, the wall seconds after the last page was read (copies, tables, index), wall and CPU as multiples of the
best fixed split's, and the load of the machine. All runs must bring the same words. --source runs the package of another
checkout, which may know no T.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import msgspec

from trasmallo.demo import pdf
from trasmallo.demo.markup import DemoBlock

HERE = Path(__file__).resolve().parent.parent
TEXTS = HERE / "src" / "trasmallo" / "demo" / "pages"
PORT = 8471
LINES = 32
FIXED = ("1+1+1", "1+2+1", "2+2+1", "1+2+2", "2+2+2")
ITSELF = "itself"
BOUND = 1.10
"""What the split that a run finds may take, as a multiple of the best fixed one."""


class Web(msgspec.Struct, frozen=True):
    """A web to be made: so many hosts with so many pages each, of so many words; each answer comes after `latency` seconds."""

    hosts: int
    pages: int
    words: int
    latency: float = 0.0
    pdf_each: int = 0

    def addresses(self) -> list[str]:
        """The hosts, each an address of this machine."""
        return [f"127.{1 + self.hosts % 200}.{number // 250}.{1 + number % 250}" for number in range(self.hosts)]


WEBS = {
    "few": Web(hosts=4, pages=30, words=5_000, latency=0.05, pdf_each=4),
    "many": Web(hosts=100, pages=12, words=80),
}


class Measured(msgspec.Struct):
    """One run: seconds of wall and CPU, those after the last page was read, pages, megabytes, and a digest of its words."""

    wall: float
    cpu: float
    end: float
    pages: int
    words: str
    load: float


def main() -> None:
    """Measure and print a table for each web."""
    options = _options()
    for name in options.web:
        with _served(name) as seeds, tempfile.TemporaryDirectory() as scratch:
            found: dict[str, list[Measured]] = {split: [] for split in options.splits}
            for turn in range(options.rounds):
                for split in options.splits:
                    found[split].append(_run(Path(scratch) / f"{split}-{turn}", seeds, split, options.source))
                    print(name, split, found[split][-1], file=sys.stderr)
        _print(name, found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", choices=WEBS, nargs=1, default=list(WEBS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--source", type=Path, default=HERE)
    parser.add_argument("--serve", choices=WEBS, help=argparse.SUPPRESS)
    parser.add_argument("splits", nargs="*", default=[*FIXED, ITSELF])
    options = parser.parse_args()
    if options.serve:
        asyncio.run(_serve(WEBS[options.serve]))
        raise SystemExit
    return options


def _print(name: str, found: dict[str, list[Measured]]) -> None:
    medians = {split: _median(runs) for split, runs in found.items()}
    fixed = [medians[split] for split in medians if split != ITSELF] or list(medians.values())
    walls, cpus = min(each.wall for each in fixed), min(each.cpu for each in fixed)
    load = statistics.median(each.load for each in chain.from_iterable(found.values()))
    print(f"\n{name} hosts, {next(iter(medians.values())).pages} pages, {os.cpu_count()} cores, load {load:.1f}")
    print("".join(f"{head:>12}" for head in ("split", "wall s", "CPU s", "end s", "wall x", "CPU x")))
    for split, each in medians.items():
        figures = (each.wall, each.cpu, each.end, each.wall / walls, each.cpu / cpus)
        print(f"{split:>12}" + "".join(f"{figure:>12.2f}" for figure in figures))
    if len({each.words for each in chain.from_iterable(found.values())}) > 1:
        raise SystemExit("the runs brought different words")
    if ITSELF in medians and medians[ITSELF].wall > BOUND * walls:
        raise SystemExit(f"{name}: more than {BOUND} times the best fixed split")


def _median(runs: list[Measured]) -> Measured:
    wall, cpu, end, load = (statistics.median(getattr(run, name) for run in runs) for name in ("wall", "cpu", "end", "load"))
    return Measured(wall=wall, cpu=cpu, end=end, pages=runs[0].pages, words=runs[0].words, load=load)


def _run(folder: Path, seeds: list[str], split: str, source: Path) -> Measured:
    """One run through the front door."""
    environment = os.environ | {"PYTHONPATH": str(source / "src")}
    # An installed package is compiled once; with this variable set every process would compile it again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = [sys.executable, "-m", "trasmallo"]
    subprocess.run([*program, "new", str(folder), *seeds], check=True, env=environment, stdout=subprocess.DEVNULL)
    numbers = () if split == ITSELF else map(int, split.split("+"))
    fixed = dict(zip(("processes", "workers", "agents"), numbers, strict=False))
    _set(folder / "trasmallo.toml", lines=LINES, delay=0, scope='"host"', **fixed)
    load, before, began = os.getloadavg()[0], _cpu(), time.perf_counter()
    subprocess.run([*program, "run", str(folder), "--quiet"], check=True, env=environment, stdout=subprocess.DEVNULL)
    wall, cpu = time.perf_counter() - began, _cpu() - before
    (run,) = (folder / "runs").iterdir()
    last, ended, pages = _ends(run / "events.jsonl")
    words = hashlib.sha256((run / "words.parquet").read_bytes()).hexdigest()[:12]
    return Measured(wall=wall, cpu=cpu, end=ended - last, pages=pages, words=words, load=load)


def _set(file: Path, **values: object) -> None:
    """Write values into a project file."""
    text = file.read_text(encoding="utf-8")
    for key, value in values.items():
        text, found = re.subn(rf"(?m)^{key} = [^#\n]+", f"{key} = {value} ", text)
        assert found == 1, key
    file.write_text(text, encoding="utf-8")


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ends(events: Path) -> tuple[float, float, int]:
    """When the last page was read, when the run ended, and how many pages were studied."""
    told = [json.loads(line) for line in events.read_bytes().splitlines()]
    read = [event["at"] for event in told if event["type"] in ("Studied", "Dropped")]
    return max(read), told[-1]["at"], sum(event["type"] == "Studied" for event in told)


@contextmanager
def _served(name: str) -> Iterator[list[str]]:
    """Serve a web in a process of its own, which is not waited for before the end; the addresses of its hosts."""
    command = [sys.executable, __file__, "--serve", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(HERE / "src")}) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield [f"http://{host}:{PORT}/" for host in WEBS[name].addresses()]
        finally:
            server.terminate()


async def _serve(web: Web) -> None:
    """Answer for all hosts until the end."""
    pages = _make(web)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1]
                host = re.search(rb"(?i)\r\nhost: ([^:\r]+)", head)
                if web.latency:
                    await asyncio.sleep(web.latency)
                writer.write(pages.get((host[1] if host else b"") + path, _NOTHING))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    await asyncio.start_server(answer, web.addresses(), PORT, backlog=1000)
    print("ready", flush=True)
    await asyncio.Event().wait()


_NOTHING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def _make(web: Web) -> dict[bytes, bytes]:
    """All answers by host and path."""
    chance = random.Random(20261117)
    words, weights = zip(*_vocabulary().items(), strict=True)
    pages: dict[bytes, bytes] = {}
    for host in web.addresses():
        for number in range(web.pages):
            text = _paragraphs(chance.choices(words, weights, k=web.words), chance)
            path = "/" if number == 0 else f"/{number}.html"
            if web.pdf_each and number % web.pdf_each == 1:
                blocks = [DemoBlock("paragraph", (paragraph,)) for paragraph in text]
                pages[f"{host}{path}".encode()] = _answer(pdf.write(f"Texto {number}", "es", blocks), "application/pdf")
                continue
            linked = range(1, web.pages) if number == 0 else chance.sample(range(1, web.pages), min(10, web.pages - 1))
            links = " ".join(f'<a href="/{each}.html">Página {each}</a>' for each in linked)
            body = f"<html lang=es><title>Texto {number}</title><nav>{links}</nav><main>"
            body += "".join(f"<p>{paragraph}</p>" for paragraph in text) + "</main></html>"
            pages[f"{host}{path}".encode()] = _answer(body.encode(), "text/html; charset=utf-8")
    return pages


def _answer(body: bytes, media: str) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b" % (media.encode(), len(body), body)


def _vocabulary() -> Counter[str]:
    """The words of the demo's Spanish texts, as often as they are there."""
    texts = (path.read_text(encoding="utf-8").lower() for path in sorted(TEXTS.rglob("*.md")))
    return Counter(chain.from_iterable(re.findall(r"[a-záéíóúüñ]+", text) for text in texts))


def _paragraphs(words: list[str], chance: random.Random) -> list[str]:
    """Words as sentences and paragraphs."""
    found, at = [], 0
    while at < len(words):
        size = chance.randint(40, 90)
        some = words[at : at + size]
        sentences = [" ".join(some[first : first + 14]).capitalize() + "." for first in range(0, len(some), 14)]
        found.append(" ".join(sentences))
        at += size
    return found


if __name__ == "__main__":
    main()
