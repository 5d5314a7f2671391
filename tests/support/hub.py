"""A hub of feeds on loopback, as WebSub describes it: it is asked, calls back, and pushes what is published, signed or not."""

from __future__ import annotations

import hmac
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode

PATIENCE = 20.0
"""Seconds that anybody waits for another."""


class Hub(ThreadingHTTPServer):
    """A hub and a publisher in one: /feed names the hub, /hub takes requests and calls back after its answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _HubHandler)
        self.home = f"http://127.0.0.1:{self.server_port}"
        self.subscribers: dict[str, str] = {}
        self.called = threading.Semaphore(0)
        self.entries = ["/old"]
        self.texts: dict[str, str] = {}
        self.lease = "86400"
        self.forms: list[dict[str, str]] = []

    def feed(self) -> bytes:
        """The feed with all that was published."""
        entries = "".join(
            f"<entry><id>{path}</id><title>{path}</title><link href='{self.home}{path}'/>"
            f"<summary>{self.texts.get(path, '')}</summary></entry>"
            for path in self.entries
        )
        return f"<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title>{entries}</feed>".encode()

    def verify(self, form: dict[str, str]) -> None:
        """Ask the subscriber whether it meant that."""
        fields = {"hub.mode": form["hub.mode"], "hub.topic": form["hub.topic"], "hub.challenge": "Zufall-1"}
        status, body = call(f"{form['hub.callback']}&{urlencode(fields | {'hub.lease_seconds': self.lease})}")
        if (status, body) == (200, b"Zufall-1"):
            if form["hub.mode"] == "subscribe":
                self.subscribers[form["hub.callback"]] = form["hub.secret"]
            else:
                del self.subscribers[form["hub.callback"]]
        self.called.release()

    def publish(self, path: str, *, forged: bool = False) -> list[int]:
        """Push the feed with one more entry to all subscribers."""
        self.entries.append(path)
        return self.push(self.feed(), forged=forged)

    def push(self, body: bytes, *, forged: bool = False) -> list[int]:
        """Push anything to all subscribers; what they answer."""
        statuses = []
        for callback, secret in self.subscribers.items():
            signature = hmac.new(b"guessed" if forged else secret.encode(), body, "sha256").hexdigest()
            link = f'<{self.home}/hub>; rel="hub", <{self.home}/feed>; rel="self"'
            headers = {"Content-Type": "application/atom+xml", "X-Hub-Signature": f"sha256={signature}", "Link": link}
            statuses.append(call(callback, body, headers)[0])
        return statuses


class _HubHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    @property
    def hub(self) -> Hub:
        return cast(Hub, self.server)

    def do_GET(self) -> None:
        if self.path != "/feed":
            self._say(404, b"")
            return
        links = f"<{self.hub.home}/hub>; rel=hub, <{self.hub.home}/feed>; rel=self"
        self._say(200, self.hub.feed(), ("Link", links))

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.hub.forms.append(form)
        self._say(202, b"")
        threading.Thread(target=self.hub.verify, args=(form,), daemon=True).start()

    def _say(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", "application/atom+xml"), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


@contextmanager
def serving_hub() -> Iterator[Hub]:
    """A hub while the block lasts."""
    with Hub() as hub:
        thread = threading.Thread(target=hub.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield hub
        hub.shutdown()
        thread.join()


def call(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Status and body of an address that is asked, or sent a body."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers or {}), timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()
