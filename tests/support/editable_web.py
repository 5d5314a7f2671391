"""A web on loopback whose pages a test writes, changes and removes; it answers conditional requests, and tells who asked."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Self

NEWSPAPER = {
    "/": "Esta es la portada de un periódico que habla de muchas cosas distintas cada día.",
    "/gatos": "Los gatos duermen en los tejados de las casas viejas mientras llueve en la ciudad.",
    "/perros": "Los perros ladran en el jardín cuando pasa el cartero con las cartas de la mañana.",
    "/trenes": "El tren llega a la estación con retraso porque la nieve cubre las vías del norte.",
    "/barcos": "Los barcos salen del puerto al amanecer y vuelven con la red llena de sardinas.",
}
"""Pages of a small site by their paths, none like another."""


class Asked(NamedTuple):
    """A request, and how it was answered."""

    path: str
    status: int
    size: int
    conditions: tuple[str, ...]
    method: str = "GET"


class EditableWeb:
    """The web while the block lasts. `pages` are bodies by path; `statuses` are answers that are no pages, with a Location.

    `validators` is "honest", "none", "same" (always 304 to who asks with a condition), "new" (never the same twice) or "deaf"
    (as honest, but conditions are not heard). `heads` is the status of what is asked by HEAD: 200 tells the length.
    `headers` are sent with every page; `clock` is the server's, in seconds since 1970, None for the right one.
    """

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.statuses: dict[str, tuple[int, str]] = {}
        self.media: dict[str, str] = {}
        self.validators = "honest"
        self.headers: dict[str, str] = {}
        self.clock: float | None = None
        self.heads = 501
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._number = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def url(self, path: str = "/") -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def write(self, path: str, text: str, *links: str, frame: str = "") -> None:
        """Put a page in its place: paragraphs of a text, and links."""
        paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
        listed = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        head = f"<html lang=es><head><title>{path}</title></head><body><nav>{frame}<ul>{listed}</ul></nav>"
        self.pages[path] = f"{head}<main><article>{paragraphs}</article></main></body></html>".encode()

    def visits(self) -> list[Asked]:
        """The requests for pages since this was last asked."""
        asked, self.asked = self.asked, []
        return [one for one in asked if one.path != "/robots.txt"]

    def validator(self, body: bytes) -> str:
        """The ETag of a body, as this server gives it; "" without one."""
        if self.validators == "none":
            return ""
        self._number += self.validators == "new"
        return f'"{hashlib.sha1(body).hexdigest()[:16]}-{self._number}"'

    def date(self, at: float | None = None) -> str:
        """A time as the server's headers have it, by its own clock."""
        return formatdate(at or self.clock, usegmt=True)

    def holds(self, condition: str | None, tag: str) -> bool:
        """Whether who asks with a condition is told that nothing changed."""
        return condition is not None and self.validators != "deaf" and (condition == tag or self.validators == "same")


def _handler(web: EditableWeb) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        date_time_string = web.date  # type: ignore[assignment]

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            status, headers, body = self._answer()
            sends = self.command == "GET"
            status = web.heads if status == 200 and not sends else status
            names = tuple(name for name in ("If-None-Match", "If-Modified-Since") if self.headers.get(name))
            web.asked.append(Asked(self.path, status, len(body) if sends else 0, names, self.command))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body if sends else b"")

        def _answer(self) -> tuple[int, dict[str, str], bytes]:
            if self.path in web.statuses:
                status, location = web.statuses[self.path]
                return status, {"Location": location} if location else {}, b"no"
            body = web.pages.get(self.path)
            if body is None:
                return 404, {}, b"nada"
            headers = {"Content-Type": web.media.get(self.path, "text/html; charset=utf-8"), **web.headers}
            tag = web.validator(body)
            if tag:
                headers["ETag"] = tag
            heard = web.holds(self.headers.get("If-None-Match"), tag)
            return (304, headers, b"") if heard else (200, headers, body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    return Handler


@contextmanager
def written_web(texts: Mapping[str, str]) -> Iterator[EditableWeb]:
    """A web of these pages, to all of which the first page leads."""
    with EditableWeb() as web:
        for path, text in texts.items():
            web.write(path, text, *(texts if path == "/" else ()))
        yield web
