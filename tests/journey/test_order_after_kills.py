"""kill -9 of a crawl with one line: it goes on in the order of one that was left in peace."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command_line import start
from support.waiting import until
from trasmallo.project.project import Project

_PAGES = 90


class Web(http.server.ThreadingHTTPServer):
    """Pages that lead to each other unevenly; `asked` has the addresses in the order in which they were first asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.asked: dict[str, None] = {}


class _Answers(http.server.BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        found = re.fullmatch(r"/(?:d\d/p(\d+))?", self.path)
        number = int(found[1] or 0) if found else -1
        if number >= 0:
            self.server.asked.setdefault(self.path)
        targets = [(number * step + 7) % _PAGES for step in (2, 3, 5, 11)] if number else range(1, 9)
        links = "".join(f'<a href="/d{target % 3}/p{target}">{target}</a> ' for target in targets)
        body = f"<html><body><p>{'palabra ' * 30}{number}</p>{links}</body></html>".encode()
        self.send_response(200 if number >= 0 else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def order(folder: Path, web: Web, kills: tuple[int, ...] = ()) -> list[str]:
    """The order in which pages are asked for, by a run that is killed whenever so many were."""
    web.asked.clear()
    address = f"http://127.0.0.1:{web.server_address[1]}/"
    project = Project.new(folder, [address], name="p", delay=0.0, address_delay=0.0, lines=1, processes=1, retry_after=0.05)
    for number in kills:
        with start("run", project.folder, "--quiet") as process:
            until(lambda number=number: len(web.asked) >= number, f"{number} pages", patience=60.0)
            process.kill()
            process.communicate()
    with start("run", project.folder, "--quiet") as process:
        process.communicate()
        assert process.returncode == 0
    return list(web.asked)


def test_the_order_is_that_of_a_crawl_that_was_left_in_peace(web: Web, tmp_path: Path) -> None:
    undisturbed = order(tmp_path / "quiet", web)
    assert len(undisturbed) > 40
    assert order(tmp_path / "killed", web, kills=(12, 30)) == undisturbed
