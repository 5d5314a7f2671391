"""A site on loopback that is made by scripts, with a search that finds what nothing links to, and a private part."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from support.small_search import SmallSearch

_ROOT = '<div id="root"></div><script src="/app.js"></script>'
_SHELL = f'<!doctype html><html lang="es"><title>Aplicación</title><body>{_ROOT}</body></html>'
_APP = """
const number = location.pathname.split('/').pop() || '0';
setTimeout(() => fetch('/api/' + number).then((answer) => answer.json()).then((data) => {
  document.getElementById('root').innerHTML = '<article><h1>' + data.title + '</h1><p>' + data.text + '</p></article>'
    + data.links.map((link) => '<a href="' + link + '">' + link + '</a>').join(' ');
}), 1200);
"""
_VERSES = ["la barca", "el molino", "la nieve", "el puente"]


class ScriptSite:
    """What it was asked for, and whether anybody may see its private part."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.open = True
        self.search = SmallSearch()

    def answer(self, path: str, authorization: str) -> tuple[int, str, str]:
        """Status, media type and body."""
        if path == "/robots.txt":
            return 200, "text/plain", "User-agent: *\nDisallow: /forbidden\n"
        if path == "/app.js":
            return 200, "text/javascript", _APP
        if path.startswith("/api/"):
            return 200, "application/json", json.dumps(_data(path.rpartition("/")[2]))
        if path.startswith("/app"):
            return 200, "text/html; charset=utf-8", _SHELL
        if path.startswith("/private"):
            wanted = "Basic " + base64.b64encode(b"ana:s3cret").decode()
            if authorization != wanted or not self.open:
                return 401, "text/html", "<h1>No</h1>"
            links = '<a href="/private/logout">salir</a><a href="/private/2">dos</a>'
            return 200, "text/html; charset=utf-8", f"<p>Texto privado de {path} que solo ve quien tiene cuenta.</p>{links}"
        if path.startswith(("/search", "/p/")) or path == "/":
            return 200, "text/html; charset=utf-8", self.search.get("https://s.example" + path).decode()
        return 404, "text/html", "<h1>No está</h1>"


def _data(number: str) -> dict[str, object]:
    n = int(number) if number.isdecimal() else 0
    text = " ".join(
        f"En el cuento {n} aparece {verse} número {n * 10 + k}, junto al río." for k, verse in enumerate(_VERSES * 3)
    )
    return {"title": f"Cuento {n}", "text": text, "links": [f"/app/{each}" for each in (1, 2, 3)]}


@contextmanager
def serving(site: ScriptSite) -> Iterator[str]:
    """The site on loopback; its address without a slash at the end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append((self.command, self.path))
            status, media, text = site.answer(self.path, self.headers.get("Authorization", ""))
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Its own list is the log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
