"""What lines do and what became of each address, seen on a crawl of real servers on this machine."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done
from support.hostile_server import Behaviour, HostileServer, Wire, hostile_server
from trasmallo.events import Event, LineChanged
from trasmallo.project.project import Project
from trasmallo.web.words import Words

Command = Callable[..., Done]


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with hostile_server() as server:
        yield server


def says(status: bytes, headers: bytes = b"", body: bytes = b"<p>una frase del mar y de sus redes") -> Behaviour:
    async def answer(wire: Wire) -> None:
        await wire.answer(body, headers, status)

    return answer


def links(*urls: str) -> bytes:
    return "".join(f'<a href="{url}">x</a>' for url in urls).encode()


def test_each_state_of_a_line_is_seen(server: HostileServer, tmp_path: Path, trasmallo: Command) -> None:
    half_seen = threading.Event()

    async def in_halves(wire: Wire) -> None:
        await wire.say(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4000\r\n\r\n" + b"x" * 2_000)
        await asyncio.to_thread(half_seen.wait, 20)
        await wire.say(b"x" * 2_000)

    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        refusing = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        server.routes |= {
            "/robots.txt": says(b"200 OK", body=b"User-agent: *\nDisallow: /secreto"),
            "/": says(b"200 OK", body=links("/half", "/moved", "/gone", "/login", "/secreto", "/reset")),
            "/half": in_halves,
            "/moved": says(b"301 Moved Permanently", b"Location: /\r\n"),
            "/gone": says(b"404 Not Found"),
            "/login": says(b"401 Unauthorized", b'WWW-Authenticate: Basic realm="x"\r\n'),
        }
        seeds = [server.url("/"), "http://nowhere.invalid/", refusing]
        project = Project.new(tmp_path / "p", seeds, delay=0.02, lines=2, retries=0, sitemaps=False, scope="any")
        seen: list[LineChanged] = []

        def listen(event: Event) -> None:
            if isinstance(event, LineChanged):
                seen.append(event)
                if event.received == 2_000:
                    half_seen.set()

        project.bus.listen(listen)
        project.crawl()
    last = {event.url.rpartition("/")[2] or event.url: event.state for event in seen if event.url}
    assert last == {
        "robots.txt": "downloading",
        server.url("/"): "finished",
        "half": "finished",
        "moved": "redirected",
        "gone": "address failed",
        "login": "log-in needed",
        "secreto": "refused",
        "reset": "retrieval failed",
        refusing: "retrieval failed",
        "http://nowhere.invalid/": "no server",
    }
    assert {"ready", "waiting"} <= {event.state for event in seen}
    (half,) = {(event.received, event.expected) for event in seen if event.state == "downloading" and event.received}
    assert half == (2_000, 4_000)
    spanish = Words("es")
    assert all(spanish.known(f"line.{event.state}") for event in seen), "the app has a word for each"

    totals = trasmallo("incidents", project.folder, "--totals", "--json").value()
    assert (totals["asked"], totals["obtained"], totals["redirected"], totals["not_obtained"]) == (9, 2, 1, 6)
    assert totals["causes"] == {
        "missing": 1,
        "log-in needed": 1,
        "refused by robots.txt": 1,
        "server does not exist": 1,
        "server refuses connections": 1,
        "broken answer": 1,
    }


def to(path: str) -> Behaviour:
    return says(b"302 Found", b"Location: " + path.encode() + b"\r\n")


def test_circles_and_ends_of_chains_are_incidents(server: HostileServer, tmp_path: Path, trasmallo: Command) -> None:
    server.routes |= {
        "/robots.txt": says(b"404 Not Found"),
        "/": says(b"200 OK", body=links("/a", "/itself", "/chain/0", "/out", "/fine")),
        "/a": to("/b"),
        "/b": to("/a"),
        "/itself": to("/itself"),
        "/out": to("/deportes"),
        "/fine": to("/"),
    }
    server.routes |= {f"/chain/{number}": to(f"/chain/{number + 1}") for number in range(20)}
    folder = tmp_path / "p"
    project = Project.new(folder, [server.url("/")], delay=0.0, lines=1, sitemaps=False, exclude=["deportes"])
    project.crawl()
    rows = trasmallo("incidents", folder, "--json").rows()
    told = {row["url"]: (row["what"], row["cause"].replace(server.url("/"), "/")) for row in rows}
    assert told == {
        server.url("/a"): ("redirects in a circle", "/a → /b → /a"),
        server.url("/b"): ("redirects in a circle", "/b → /a → /b"),
        server.url("/itself"): ("redirects in a circle", "/itself → /itself"),
        server.url("/out"): ("redirect not followed", "excluded by 'deportes': /deportes"),
        server.url("/chain/10"): ("redirect not followed", "more than 10 redirects: /chain/11"),
    }
    report = project.incident_report()
    assert (report.obtained, report.redirected) == (1, 11)
    assert report.causes == {"redirects in a circle": 3, "redirect not followed": 2}
    assert report.asked == report.obtained + report.redirected + report.not_obtained == sum(project.status().outcomes.values())
    shown = trasmallo("incidents", folder, "--totals").out
    assert all(word in shown for word in ("asked", "not obtained", "redirects in a circle"))


def test_a_limit_of_a_host_is_one_incident_with_a_number(server: HostileServer, tmp_path: Path, trasmallo: Command) -> None:
    server.routes |= {"/robots.txt": says(b"404 Not Found"), "/": says(b"200 OK", body=links(*map(str, range(40))))}
    server.routes |= {f"/{number}": says(b"200 OK") for number in range(40)}
    project = Project.new(tmp_path / "p", [server.url("/")], delay=0.0, lines=1, sitemaps=False, pages_per_host=3)
    project.crawl()
    (limit,) = trasmallo("incidents", project.folder, "--json").rows()
    assert (limit["url"], limit["what"], limit["number"]) == (server.url("/2"), "limit of its host reached", 38)
    assert limit["cause"] == "3 pages of this host are obtained: 38 such addresses of 127.0.0.1"
    report = project.incident_report()
    assert (report.asked, report.obtained, report.causes) == (41, 3, {"limit of its host reached": 38})
