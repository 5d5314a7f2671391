"""The web app: what a page costs on a corpus, and what the live view costs beside a crawl at full speed.

`python benchmarks/webapp.py [--tokens N] [--seconds N] [--project DIR] [--seeds FILE]`: a corpus is made of the demo's words,
mixed by one seed, and imported (DIR is one that is there already). Each page is asked for 40 times in this process;
milliseconds are of the processor and by the clock, the clock's depend on who else uses the machine. Then the demo's site, or
the web of the addresses in FILE at full speed, is crawled while one window looks, five times a second.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx

from trasmallo.demo.play import make_project
from trasmallo.demo.site import Site
from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.live import Watcher, stream

TOKEN = "t" * 32
HOST = "127.0.0.1:7470"
ASKED = 40
WORDS = 700
PAGES = (
    "/",
    "/p/NAME",
    "/p/NAME/live",
    "/p/NAME/settings",
    "/p/NAME/incidents",
    "/p/NAME/tables/pages",
    "/p/NAME/tables/words",
    "/p/NAME/tables/words?where=word~cion&sort=-documents",
    "/p/NAME/tables/segments",
    "/p/NAME/tables/collocations?sort=-count",
    "/p/NAME/tables/words_by_page?offset=50000",
)


def make_corpus(folder: Path, tokens: int) -> Project:
    """A finished project of so many words."""
    with Site(drip=0.0) as site:
        answers = [site.answer(name, path) for name in site.hosts for path in site._answers[name]]
    pages = [answer.body.decode("utf-8", "replace") for answer in answers if answer and answer.kind == "page"]
    vocabulary = re.findall(r"\w+", re.sub(r"<[^>]*>", " ", " ".join(pages)))
    file = folder / "made.trecweb"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(documents(vocabulary, tokens))
    project = Project.new(folder / "corpus", name="corpus")
    project.import_file(file)
    return project


def documents(vocabulary: Sequence[str], tokens: int) -> Iterator[str]:
    """Pages of 700 words in sentences of 14."""
    chance = random.Random(20261116)
    for number in range(tokens // WORDS):
        words = chance.choices(vocabulary, k=WORDS)
        text = " ".join(" ".join(words[at : at + 14]).capitalize() + "." for at in range(0, WORDS, 14))
        head = f"http://h{number % 50}.example/{number}.html\nHTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8\n"
        body = f"<html lang=es><title>Página {number}</title><p>{text}</p></html>"
        yield f"<DOC>\n<DOCNO>{number}</DOCNO>\n<DOCHDR>\n{head}</DOCHDR>\n{body}\n</DOC>\n"


async def ask_pages(project: Project) -> list[tuple[str, float, float]]:
    """Each page with the 95th percentile of its milliseconds: of the processor, by the clock."""
    app = build(Workspace([project.folder]), AppDoor(TOKEN, frozenset({HOST})))
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/html"}
    found = []
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=f"http://{HOST}", headers=headers) as client:
        for page in PAGES:
            address = page.replace("NAME", project.folder.name)
            spent = [await ask(client, address) for _ in range(ASKED + 2)][2:]
            found.append((page, *(sorted(column)[int(0.95 * ASKED)] for column in zip(*spent, strict=True))))
    return found


async def ask(client: httpx.AsyncClient, address: str) -> tuple[float, float]:
    """Milliseconds of one answer."""
    processor, clock = time.process_time(), time.perf_counter()
    answer = await client.get(address)
    assert answer.status_code == 200, answer.text[:500]
    return 1_000 * (time.process_time() - processor), 1_000 * (time.perf_counter() - clock)


async def watch(project: Project, seconds: float) -> tuple[float, int]:
    """The app's share of a core with one window that looks at a run, and how many states were sent."""
    events = stream(Watcher(project.folder))
    began, before, number = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - began < seconds and holder(project.folder):
        await anext(events)
        number += 1
    return (time.process_time() - before) / (time.perf_counter() - began), number


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--project", type=Path)
    parser.add_argument("--seeds", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Project.open(given.project) if given.project else make_corpus(Path(folder), given.tokens)
        words = project.summary().words
        print(f"pages of a corpus of {words:,} words, {ASKED} times each, 95th percentile\n")
        print(f"{'page':54} {'CPU ms':>8} {'ms':>8}")
        for page, processor, clock in asyncio.run(ask_pages(project)):
            print(f"{page:54} {processor:8.1f} {clock:8.1f}")
        with Site(drip=0.0) as site:
            seeds = tuple(given.seeds.read_text().split()) if given.seeds else site.seeds
            live = make_project(
                Path(folder) / "live", seeds, delay=0.0 if given.seeds else 0.05, lines=64 if given.seeds else 10
            )
            live.start()
            while not any(live.runs.glob("*/progress.json")):
                time.sleep(0.05)
            ours, number = asyncio.run(watch(live, given.seconds))
            if holder(live.folder):
                live.stop(at_once=True)
            live.wait()
            pages = live.summary().pages
        print(f"\nthe app with one window: {100 * ours:.1f} % of a core, {number} states sent, {pages:,} pages obtained")


if __name__ == "__main__":
    main()
