"""A web on two loopback addresses that changes when it is told to: pages change, appear and vanish, and servers fail.

Everything follows from a seed and the epoch, so that what a right crawl finds is known (`truth`). Page `n` leads to `2n + 1`
and `2n + 2`; only those without children come and go. Some are PDF, RTF or Markdown. What fails does so once in an epoch.
"""

from __future__ import annotations

import random
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from support.made_prose import WORDS
from support.small_pdfs import make_pdf

_ENDINGS = {0: ".pdf", 1: ".rtf", 2: ".md"}
_MEDIA = {
    ".pdf": "application/pdf",
    ".rtf": "application/rtf",
    ".md": "text/markdown; charset=utf-8",
    "": "text/html; charset=utf-8",
}
_LIFE = 8
"""Epochs after which a page that came and went comes again."""


class ChangingWeb:
    """The web while the block lasts, with `size` pages at most; `epoch` is changed by `step`."""

    def __init__(self, size: int = 120, seed: int = 1) -> None:
        self.epoch = 0
        self._size = size
        self._seed = seed
        self._failed: set[tuple[int, str]] = set()
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

    @property
    def seeds(self) -> tuple[str, ...]:
        """A page of each address."""
        return self.url(0), self.url(1)

    def step(self) -> None:
        """Let some time pass."""
        self.epoch += 1

    def url(self, number: int) -> str:
        """The address of a page."""
        port = self._servers[number % 2].server_port
        return f"http://127.0.0.{number % 2 + 1}:{port}{self._path(number)}"

    def truth(self) -> set[str]:
        """The pages that are there now."""
        return {self.url(number) for number in range(self._size) if self._is_there(number)}

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Status, media type and body; status 0 is a connection that breaks."""
        number = _number(path)
        if number is None or number >= self._size or path != self._path(number) or not self._is_there(number):
            return 404, "text/plain", b"nada"
        if number % 11 in (3, 4) and (self.epoch, path) not in self._failed:
            self._failed.add((self.epoch, path))
            return (503 if number % 11 == 3 else 0), "text/plain", b"luego"
        ending = self._ending(number)
        return 200, _MEDIA[ending], self._body(number, ending)

    def _is_leaf(self, number: int) -> bool:
        return 2 * number + 1 >= self._size

    def _is_there(self, number: int) -> bool:
        if not self._is_leaf(number) or number % 3:
            return True
        return (self.epoch + self._chance(number).randrange(_LIFE)) % _LIFE < _LIFE // 2

    def _ending(self, number: int) -> str:
        return _ENDINGS.get(number % 7, "") if self._is_leaf(number) else ""

    def _path(self, number: int) -> str:
        return f"/texto/{number}{self._ending(number)}"

    def _chance(self, number: int, version: int = 0) -> random.Random:
        return random.Random(f"{self._seed} {number} {version}")

    def _body(self, number: int, ending: str) -> bytes:
        """Pages change every epoch, every second, third or fourth one."""
        version = self.epoch // (1 + number % 4)
        chance = self._chance(number, version)
        lines = [" ".join(chance.choices(WORDS, k=12)) + "." for _ in range(8)]
        if ending == ".pdf":
            heights = range(700, 0, -20)
            return make_pdf([[(12, height, line) for height, line in zip(heights, lines, strict=False)]])
        if ending == ".rtf":
            return rb"{\rtf1\ansi\ansicpg1252 " + r"\par ".join(lines).encode("latin-1") + b"}"
        if ending == ".md":
            return ("# Texto\n\n" + "\n\n".join(lines)).encode()
        links = [self.url(child) for child in (2 * number + 1, 2 * number + 2) if child < self._size]
        listed = "".join(f'<a href="{link}">{link}</a> ' for link in links)
        text = "".join(f"<p>{line}</p>" for line in lines)
        return f"<html lang=es><title>Texto {number}</title><body>{text}<p>{listed}</p></body></html>".encode()


def _number(path: str) -> int | None:
    stem = path.rpartition("/")[2].partition(".")[0]
    return int(stem) if stem.isdigit() else None


def _handler(web: ChangingWeb) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, media, body = web.answer(self.path)
            if not status:
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            with suppress(ConnectionError):  # who asked was killed
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    return Handler
