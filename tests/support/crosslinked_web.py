"""A web on two loopback addresses whose pages lead to many others, so that what was seen decides the order of a crawl."""

from __future__ import annotations

import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from support.focused_graph import BANKS, BOATS, COMMON

_LINKS = 12


class CrosslinkedWeb:
    """The web while the block lasts: `size` pages, half of them about boats, each with links to others of both kinds."""

    def __init__(self, size: int = 120) -> None:
        self._size = size
        self._servers = [ThreadingHTTPServer((f"127.0.0.{host}", 0), _handler(self)) for host in (1, 2)]
        self._threads = [threading.Thread(target=server.serve_forever) for server in self._servers]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for server, thread in zip(self._servers, self._threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()

    def url(self, number: int) -> str:
        """The address of a page."""
        place = number % 2
        return f"http://127.0.0.{place + 1}:{self._servers[place].server_port}/{number}"

    def body(self, path: str) -> bytes | None:
        """A page, None where there is none."""
        if not path[1:].isdecimal() or int(path[1:]) >= self._size:
            return None
        number = int(path[1:])
        chance = random.Random(number)
        own = _words(number)
        text = " ".join(chance.choices(own, k=40) + chance.choices(COMMON, k=20))
        # The lower numbers have most links, as some pages of any web have.
        others = [int(self._size * chance.random() ** 2) for _ in range(_LINKS)]
        links = "".join(f'<p><a href="{self.url(other)}">{_words(other)[other % 10]}</a></p>' for other in others)
        return f"<title>{own[number % 10]} {number}</title><p>{text}</p>{links}".encode()


def _words(number: int) -> list[str]:
    return BOATS if number % 4 < 2 else BANKS


def _handler(web: CrosslinkedWeb) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = web.body(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
