"""Several lines on one host ask a real server at once, where the project file allows it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from trasmallo.project.project import Project

TOGETHER = 3


class _Meeting(BaseHTTPRequestHandler):
    """Pages that answer only when so many of them are asked for at the same time."""

    barrier = threading.Barrier(TOGETHER, timeout=60)

    def do_GET(self) -> None:
        body = b"not here"
        if self.path == "/":
            body = b"".join(b'<a href="/%d">x</a>' % number for number in range(TOGETHER))
        elif self.path[1:].isdigit():
            self.barrier.wait()
            body = b"<p>A page that met the others.</p>"
        self.send_response(404 if body == b"not here" else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def meeting() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Meeting)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_three_lines_ask_one_host_at_once(meeting: str, tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p", (meeting,), delay=0.0, lines=TOGETHER, lines_per_host=TOGETHER, sitemaps=False)
    summary = project.run()
    assert summary.outcomes["fetched"] == TOGETHER + 1
