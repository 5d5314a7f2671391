"""How long the pages of the web app take: through the real server over loopback, one visitor, a page after the other.

    python benchmarks/web.py [PROJECT] [ROUNDS] [--beside]
    python benchmarks/web.py --live 60 [--web FOLDER]

PROJECT is the folder of a finished project; without one the demo is run first. Each page is asked for in several ways (sorted,
filtered, deep inside) that change from round to round. Wall time depends on what else the machine does; CPU is that of the
server's threads alone. The first visit of a page, which opens what later ones find open, is shown apart. With --beside a crawl
of the demo's site goes on meanwhile, one after the other in a project of their own.

With --live a crawl at full speed goes on meanwhile, of the test web in FOLDER (started beforehand) or of the demo's site, and
for so many seconds its run is asked all the time: state, tables, search, concordance. What does not answer 200 is told.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from trasmallo.demo.site import Site

SOURCE = Path(__file__).resolve().parent.parent / "src"
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH", "")))),
}
ROUNDS = 20
BUDGET = 100.0
"""Milliseconds that 95 of 100 visits may take."""

BUDGET_BESIDE = 300.0
"""The same beside a crawl."""


class Server:
    """`trasmallo serve` over one project."""

    def __init__(self, project: Path, data: Path) -> None:
        command = [sys.executable, "-m", "trasmallo", "serve", str(project), "--port", "0", "--json"]
        environment = ENVIRONMENT | {"XDG_DATA_HOME": str(data)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.token = told["token"]
        host, _, port = told["address"].partition("//")[2].partition("/")[0].rpartition(":")
        self.line = http.client.HTTPConnection(host, int(port), timeout=120)

    def ask(self, path: str, kind: str = "text/html") -> tuple[float, float, bytes]:
        """Milliseconds of wall and CPU time, and the answer."""
        cpu, began = self.cpu(), time.perf_counter()
        self.line.request("GET", path, headers={"Authorization": f"Bearer {self.token}", "Accept": kind})
        answer = self.line.getresponse()
        body = answer.read()
        wall, cpu = (time.perf_counter() - began) * 1e3, self.cpu() - cpu
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}: {body[-400:].decode(errors='replace')}")
        return wall, cpu, body

    def cpu(self) -> float:
        """Milliseconds that the server's threads have computed."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6

    def close(self) -> None:
        """End it."""
        self.line.close()
        self.process.terminate()
        self.process.wait()


def visits(server: Server, name: str) -> Iterator[tuple[str, list[str]]]:
    """The pages by name, each with the ways in which it is asked for."""
    base = f"/p/{quote(name)}"

    def rows(table: str, query: str = "") -> list[list[object]]:
        found: list[list[object]] = json.loads(server.ask(f"{base}/tables/{table}?{query}", "application/json")[2])["rows"]
        return found

    words = [str(row[0]) for row in rows("words", "where=count%3E5&offset=100") if str(row[0]).isalpha()][:20]
    documents = [str(row[0]) for row in rows("pages", "where=drop%3D&sort=-words&columns=document")][:20]
    new = [str(row[0]) for row in rows("neologisms")][:20]
    yield "overview", [base]
    for table in ("pages", "words", "collocations", "words_by_page", "links", "unknown", "texts"):
        number = json.loads(server.ask(f"{base}/tables/{table}", "application/json")[2])["number"]
        deep = [f"?offset={number * share // 10}" for share in (0, 2, 5, 8)]
        yield f"tables/{table}, scrolled", [f"{base}/tables/{table}{way}" for way in deep]
    for table, column in (("words", "sites"), ("collocations", "mi"), ("words_by_page", "count"), ("links", "url")):
        ways = [f"?sort={sign}{column}&offset={offset}" for sign in ("-", "") for offset in (0, 1_000, 30_000)]
        yield f"tables/{table}, sorted", [f"{base}/tables/{table}{way}" for way in ways]
    yield "tables/words, filtered", [f"{base}/tables/words?where=word~{quote(word[:4])}" for word in words]
    yield "tables/words_by_page, filtered", [f"{base}/tables/words_by_page?where=word%3D{quote(word)}" for word in words]
    yield "search", [f"{base}/search?query={quote(word)}" for word in words]
    yield "concordance", [f"{base}/concordance?query={quote(word)}" for word in words]
    yield "concordance, sorted", [f"{base}/concordance?query={quote(word)}&sort=word/1&sort=word/2" for word in words]
    for view in ("breakdown", "collocates", "distribution"):
        yield f"concordance, {view}", [f"{base}/concordance?query={quote(word)}&view={view}" for word in words]
    yield "new words", [f"{base}/neologisms", *(f"{base}/neologisms?text={quote(word[:3])}" for word in new)]
    yield "card of a new word", [f"{base}/neologisms/card?word={quote(word)}" for word in new]
    yield "collocations", [f"{base}/collocations?word={quote(word)}" for word in words]
    yield "profiles", [f"{base}/profiles?document={one}&document={other}" for one, other in pairwise(documents)]
    yield "laws", [f"{base}/laws"]
    yield "links round a document", [f"{base}/links?document={one}" for one in documents]
    yield "word", [f"{base}/word?word={quote(word)}" for word in words]
    yield "trend", [f"{base}/trend?word={quote(word)}" for word in words]
    yield "entities", [f"{base}/entities"]
    for place in (
        "live",
        "age",
        "history",
        "incidents",
        "settings",
        "collection",
        "jobs",
        "queries",
        "groups",
        "report",
        "trend",
    ):
        yield place, [f"{base}/{place}"]
    yield "projects", ["/"]
    yield "help", ["/help"]
    yield "document", [f"{base}/documents/{one}" for one in documents]


def measure(server: Server, name: str, rounds: int, budget: float = BUDGET) -> int:
    """Print the table; how many pages are over the budget."""
    over, everything = 0, []
    print(f"{'':32}{'visits':>7}{'first ms':>10}{'p50 ms':>9}{'p95 ms':>9}{'CPU p50':>9}{'CPU p95':>9}{'kB':>7}")
    for page, ways in visits(server, name):
        ways = [way for way in ways if way]
        if not ways:
            continue
        first = server.ask(ways[0])[0]
        for way in ways:
            server.ask(way)
        seen = [server.ask(ways[number % len(ways)]) for number in range(max(rounds, len(ways)))]
        walls, cpus = sorted(one[0] for one in seen), sorted(one[1] for one in seen)
        middle, high = len(seen) // 2, min(len(seen) - 1, int(len(seen) * 0.95))
        over += walls[high] > budget
        everything += walls
        size = sum(len(one[2]) for one in seen) / len(seen) / 1e3
        figures = f"{first:10.0f}{walls[middle]:9.1f}{walls[high]:9.1f}{cpus[middle]:9.1f}{cpus[high]:9.1f}{size:7.0f}"
        print(f"{page:32}{len(seen):7}{figures}", flush=True)
    told = f"{at(sorted(everything), 0.5):9.1f}{at(sorted(everything), 0.95):9.1f}"
    print(f"{'all of them':32}{len(everything):7}{'':10}{told}   load of the machine {os.getloadavg()[0]:.1f}")
    return over


@contextmanager
def crawling(folder: Path, wanted: bool) -> Iterator[None]:
    """Crawls of the demo's site go on, each anew, if they are wanted."""
    if not wanted:
        yield
        return
    command = f'while "$0" -m trasmallo demo --into "{folder / "beside"}" --quiet; do :; done'
    with subprocess.Popen(
        ["sh", "-c", command, sys.executable], env=ENVIRONMENT, start_new_session=True, stdout=subprocess.DEVNULL
    ) as crawl:
        try:
            yield
        finally:
            os.killpg(crawl.pid, signal.SIGTERM)


LIVE = {
    "overview": "",
    "state": "/live",
    "incidents": "/incidents",
    "tables/pages": "/tables/pages",
    "tables/pages, sorted": "/tables/pages?sort=-words",
    "tables/words": "/tables/words",
    "tables/links": "/tables/links?offset=1000",
    "search": "/search?query=casa",
    "concordance": "/concordance?query=casa",
}
"""What is asked of a run that goes on."""

LIVE_BUDGET = 1_000.0
"""Milliseconds that 95 of 100 such questions may take, by the clock."""


def measure_live(server: Server, name: str, seconds: float) -> int:
    """Ask a run that goes on, and print the table; how many kinds of questions are over the budget or failed.

    CPU is that of the server's threads between question and answer, with what it opens anew meanwhile.
    """
    seen: dict[str, list[tuple[float, float]]] = {page: [] for page in LIVE}
    failed: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for page, path in LIVE.items():
            try:
                seen[page].append(server.ask(f"/p/{quote(name)}{path}")[:2])
            except SystemExit as refusal:
                failed[f"{page}: {refusal}"] += 1
    print(f"{'':32}{'visits':>7}{'p50 ms':>9}{'p95 ms':>9}{'worst':>9}{'CPU p50':>9}{'CPU p95':>9}")
    everything = [one for answers in seen.values() for one in answers]
    for page, answers in {**seen, "all of them": everything}.items():
        if answers:
            walls, cpus = (sorted(column) for column in zip(*answers, strict=True))
            figures = (at(walls, 0.5), at(walls, 0.95), walls[-1], at(cpus, 0.5), at(cpus, 0.95))
            print(f"{page:32}{len(answers):7}" + "".join(f"{figure:9.1f}" for figure in figures))
    for what, number in failed.items():
        print(f"{number} times {what}")
    return bool(failed) + (at(sorted(wall for wall, _ in everything), 0.95) > LIVE_BUDGET)


def at(ordered: Sequence[float], share: float) -> float:
    """The figure that this share of all does not pass."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def crawl_live(folder: Path, seeds: list[str], seconds: float) -> int:
    """Measure beside a crawl of these addresses."""
    project = folder / "live"
    command = [sys.executable, "-m", "trasmallo"]
    subprocess.run([*command, "new", str(project), *seeds, "-q"], check=True, env=ENVIRONMENT)
    limits = ["--delay", "0", "--lines", "64", "--scope", "any", "--private", "127.0.0.0/8"]
    with subprocess.Popen([*command, "run", str(project), *limits, "-q"], env=ENVIRONMENT) as crawling:
        server = Server(project, folder / "data")
        try:
            while not any(project.glob("runs/*/parts/*/pages.jsonl")):
                time.sleep(0.1)
            over = measure_live(server, project.name, seconds)
            obtained = json.loads(server.ask(f"/api/p/{project.name}/live", "application/json")[2])["live"]["counts"][
                "obtained"
            ]
            ended = "" if crawling.poll() is None else "; the crawl ended before"
            print(f"{obtained:,} pages were obtained{ended}; load of the machine {os.getloadavg()[0]:.1f}")
            return over
        finally:
            server.close()
            crawling.terminate()


def main() -> int:
    """Serve a project and ask for its pages; 1 when 5 of 100 visits of a page take longer than the budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", nargs="?", type=Path)
    parser.add_argument("rounds", nargs="?", type=int, default=ROUNDS)
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--live", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--web", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if given.live and given.web:
            return int(crawl_live(Path(scratch), (given.web / "site" / "seeds.txt").read_text().split(), given.live) > 0)
        if given.live:
            with Site(drip=0.0) as site:
                return int(crawl_live(Path(scratch), list(site.seeds), given.live) > 0)
        project, rounds = given.project or Path(scratch) / "demo", given.rounds
        if not project.exists():
            subprocess.run([sys.executable, "-m", "trasmallo", "demo", "--into", str(project)], check=False, env=ENVIRONMENT)
        server = Server(project, Path(scratch) / "data")
        try:
            with crawling(Path(scratch), given.beside):
                return int(measure(server, project.name, rounds, BUDGET_BESIDE if given.beside else BUDGET) > 0)
        finally:
            server.close()


if __name__ == "__main__":
    sys.exit(main())
