"""A loopback site for browser tests: pages from memory, and a second name (`other`) that is another origin."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

Answer = tuple[str | bytes, dict[str, str]]


class Site:
    """Serves what `add` was given, the rest is 404; keeps what is posted (path, authorisation, body), "Bearer right" wanted."""

    def __init__(self) -> None:
        self._answers: dict[str, Answer] = {}
        self.posted: list[tuple[str, str, bytes]] = []
        answers, posted = self._answers, self.posted

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content, headers = answers.get(self.path.partition("?")[0], ("no such page", {}))
                octets = content.encode() if isinstance(content, str) else content
                self.send_response(200 if self.path.partition("?")[0] in answers else 404)
                for name, value in ({"Content-Type": "text/html; charset=utf-8"} | headers).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(octets)))
                self.end_headers()
                self.wfile.write(octets)

            def do_OPTIONS(self) -> None:
                self.send_response(204)
                self._allow()
                self.end_headers()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                posted.append((self.path, self.headers["Authorization"], body))
                self.send_response(200 if self.headers["Authorization"] == "Bearer right" else 401)
                self._allow()
                self.send_header("Content-Length", "0")
                self.end_headers()

            def _allow(self) -> None:
                for name in ("Origin", "Headers", "Methods"):
                    self.send_header(
                        f"Access-Control-Allow-{name}", {"Origin": self.headers["Origin"] or "*"}.get(name, "*, Authorization")
                    )

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def add(self, path: str, content: str | bytes, **headers: str) -> str:
        """Serve content at a path from now on (underscores in header names are hyphens); its address."""
        self._answers[path] = (content, {name.replace("_", "-"): value for name, value in headers.items()})
        return self.url(path)

    def url(self, path: str) -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def other(self, path: str) -> str:
        """The same page from another origin."""
        return f"http://localhost:{self._server.server_port}{path}"

    def __enter__(self) -> Site:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
