"""A site on loopback for who is logged in: by cookie, HTTP Basic, HTTP Digest or a bearer's token; it can log everybody out."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

_TEXT = "Los relatos que solo lee quien tiene cuenta hablan de molinos, de barcas y de la nieve del puerto. " * 3


class PrivateSite:
    """What it was asked for, and the session that is good now; `pages` of each part are linked one to the next."""

    def __init__(self, pages: int = 6) -> None:
        self.asked: list[str] = []
        self.good = "sesion-1"
        self.pages = pages
        self.closes_after = 0
        """Private pages after which everybody is logged out; 0 for never."""
        self.rules = ""
        """Its robots.txt; there is none when this is empty."""
        self._shown = 0

    def answer(self, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
        """Status, fields and body."""
        if path == "/robots.txt":
            return (200, {}, self.rules) if self.rules else (404, {}, "")
        if path == "/enter":
            return 200, {"Set-Cookie": f"sid={self.good}; Path=/; Max-Age=3600"}, "<p>Dentro</p>"
        part, _, number = path.strip("/").partition("/")
        if part == "cookie":
            return self._by_cookie(number, headers)
        if part in ("basic", "digest", "bearer"):
            if not _may(part, path, headers.get("authorization", "")):
                return 401, {"WWW-Authenticate": _CHALLENGES[part]}, "<p>No</p>"
            return 200, {}, self._page(part, number)
        return 404, {}, "<p>No está</p>"

    def _by_cookie(self, number: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
        """Strangers get a page that looks like any other, with a log-in form and status 200."""
        known = f"sid={self.good}" in headers.get("cookie", "")
        if number == "account":
            return 200, {}, "<p>Hola, ana</p>" if known else "<p>Hola, visitante</p>"
        if not known:
            return 200, {}, f'<form method=post action=/in><input name=u><input type="password" name=p></form><p>{_TEXT}</p>'
        self._shown += 1
        if self._shown == self.closes_after:
            self.good = "sesion-2"
        return 200, {}, self._page("cookie", number)

    def _page(self, part: str, number: str) -> str:
        following = int(number or 0) + 1
        link = f'<a href="/{part}/{following}">sigue</a>' if following <= self.pages else ""
        return (
            f"<html lang=es><title>{part} {number}</title><body><p>Página {number} de {part}. {_TEXT}</p>{link}</body></html>"
        )


_CHALLENGES = {
    "basic": 'Basic realm="x"',
    "bearer": "Bearer",
    "digest": 'Digest realm="x", nonce="n1", qop="auth", algorithm=MD5',
}


def _may(part: str, path: str, authorization: str) -> bool:
    if part == "basic":
        return authorization == "Basic " + base64.b64encode(b"ana:s3cret").decode()
    if part == "bearer":
        return authorization == "Bearer s3cret"
    given = dict(re.findall(r'(\w+)="?([^",]+)"?', authorization))
    if not {"username", "uri", "response", "cnonce", "nc"} <= given.keys() or given["uri"] != path:
        return False

    def digest(text: str) -> str:
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    whole = f"{digest('ana:x:s3cret')}:n1:{given['nc']}:{given['cnonce']}:auth:{digest('GET:' + path)}"
    return given["username"] == "ana" and given["response"] == digest(whole)


@contextmanager
def private_site(site: PrivateSite) -> Iterator[str]:
    """The site on loopback; its address without a slash at the end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, fields, text = site.answer(self.path, headers)
            body = text.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body)), **fields}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
