"""A document is studied as soon as it has arrived, by a process of its own, while the crawl goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

from journey.test_live import missing, page
from support.command_line import Done, start, wait_for
from support.hostile_server import Wire, hostile_server
from support.stored_pages import html
from trasmallo.events import CrawlEnded, Event, Fetched, Studied, read_events
from trasmallo.project.project import Project
from trasmallo.store import run_folders

Command = Callable[..., Done]


def told(project: Project) -> list[Event]:
    found = run_folders.find(project.runs)
    return [event for _, event in read_events(found[-1].events)] if found and found[-1].events.exists() else []


def children(process: int) -> list[str]:
    """What the children of a process run."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode() for child in listed]


def test_a_document_is_studied_while_the_next_one_is_still_downloading(tmp_path: Path, trasmallo: Command) -> None:
    """The second page is not sent before the first one is in the tables: were it studied later, nothing would go on."""
    studied = threading.Event()

    async def wait(wire: Wire) -> None:
        await wire.say(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + html("La segunda farola."))
        await asyncio.to_thread(studied.wait, 60)
        wire.close()

    with hostile_server() as server:
        first, second = server.url("/"), server.url("/b")
        body = html("La barcoteca llega.").replace(b"</p>", b'<a href="/b">b</a></p>', 1)
        server.routes |= {"/robots.txt": missing, "/": page(body), "/b": wait}
        project = Project.new(tmp_path / "p", [first], delay=0.01, sitemaps=False, processes=1)
        with start("run", project.folder, "--quiet") as process:
            wait_for(lambda: any(isinstance(event, Studied) for event in told(project)), process)
            rows = trasmallo("list", project.folder, "neologisms", "--json").rows()
            working = children(process.pid)
            studied.set()
            _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert [(row["word"], row["first_url"]) for row in rows] == [("barcoteca", first)]
    assert [command for command in working if "trasmallo.pipeline.reading.worker" in command], "study has its own processes"
    order = [(type(event), getattr(event, "url", "")) for event in told(project)]
    kinds = [(Fetched, first), (Studied, first), (Fetched, second), (CrawlEnded, ""), (Studied, second)]
    assert [one for one in order if one in kinds and one != (Studied, second)] == [
        one for one in kinds if one != (Studied, second)
    ]
    assert order.index((Fetched, second)) < order.index((Studied, second))
