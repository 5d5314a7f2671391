"""A running crawl as `trasmallo status` shows it, and sitemaps that only their usual place tells of."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.command_line import Done, start, wait_for
from support.hostile_server import Behaviour, HostileServer, Wire, hostile_server
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with hostile_server() as server:
        yield server


def page(body: bytes, kind: bytes = b"text/html") -> Behaviour:
    async def answer(wire: Wire) -> None:
        await wire.say(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, len(body)) + body)

    return answer


async def missing(wire: Wire) -> None:
    await wire.answer(b"no", status=b"404 Not Found")


@pytest.mark.parametrize("processes", [1, 2])
def test_status_shows_what_lines_do_and_why_hosts_wait(
    server: HostileServer, tmp_path: Path, trasmallo: Command, processes: int
) -> None:
    async def quarter(wire: Wire) -> None:
        await wire.say(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4000\r\n\r\n" + b"x" * 1_000)
        await wire.hold()

    server.routes |= {"/robots.txt": missing, "/": page(b'<a href="/quarter">a</a><a href="/b">b</a>'), "/quarter": quarter}
    server.routes["/b"] = page(b"b")
    folder = tmp_path / "p"
    Project.new(folder, [server.url("/")], delay=0.01, lines=4, processes=processes, sitemaps=False, timeout=20)
    with start("crawl", "--into", folder, "--quiet") as process:

        def lines() -> list[dict[str, Any]]:
            found = (folder / "runs").exists() and trasmallo("status", folder, "--json")
            return found.value()["lines"] if found and found.code == 0 else []

        wait_for(lambda: any(line["url"].endswith("/quarter") and line["received"] == 1_000 for line in lines()), process)
        status = trasmallo("status", folder, "--json").value()
        shown = trasmallo("status", folder).out
        process.terminate()
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    (busy,) = [line for line in status["lines"] if line["state"] == "downloading"]
    assert busy["expected"] == 4_000
    assert "25 %" in shown
    assert sorted({line["state"] for line in status["lines"]} - {"downloading"}) == ["waiting"]
    (fetching,) = [agent for agent in status["agents"] if agent["work"] == "fetching"]
    assert fetching["what"] == server.url("/").rstrip("/")
    assert fetching["since"].endswith("Z")
    assert f"process {fetching['process']}" in shown
    assert len(status["agents"]) == (1 if processes == 1 else 3), "one coordinates those that crawl"
    (host,) = status["hosts"]
    assert (host["queued"], host["reason"], host["leased"]) == (1, "is being asked", True)
    after = trasmallo("status", folder, "--json").value()
    assert (after["lines"], after["agents"], after["ended"]) == ([], [], "stopped")


def test_a_sitemap_at_a_usual_place_brings_pages_that_nobody_links_to(
    server: HostileServer, tmp_path: Path, trasmallo: Command
) -> None:
    listed = "".join(f"<url><loc>{server.url(f'/hidden/{number}')}</loc></url>" for number in range(3))
    packed = gzip.compress(f"<urlset>{listed}</urlset>".encode())
    server.routes |= {"/robots.txt": missing, "/": page(b"<p>home"), "/sitemap.xml.gz": page(packed, b"application/gzip")}
    for place in ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml"):
        server.routes[place] = missing
    for number in range(3):
        server.routes[f"/hidden/{number}"] = page(b"<p>hidden")
    folder = tmp_path / "p"
    done = trasmallo("crawl", server.url("/"), "--into", folder, "--delay", 0, "--json")
    assert done.value()["outcomes"] == {"fetched": 5}
    assert trasmallo("incidents", folder, "--json").rows() == []
