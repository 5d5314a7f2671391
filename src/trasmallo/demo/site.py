"""The demo site's server: three hosts on loopback, with everything a polite crawler meets on the real web.

    python -m trasmallo.demo.site --port 7480

serves it until Ctrl-C. Answers are the same bytes in every run, but for the Date header and the origins in absolute links.
"""

from __future__ import annotations

import argparse
import errno
import gzip
import hashlib
import re
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import quote, unquote, urljoin

from trasmallo.demo import content
from trasmallo.demo.content import DemoResponse, Kind, Neologism
from trasmallo.values.errors import UsageError

_ADDRESSES = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
_REMEMBERED = 100_000  # judgement: requests of the log, more than any demo makes
_MONTH = re.compile(r"/agenda/([0-9]{4})/(0[1-9]|1[0-2])/")


class Request(NamedTuple):
    """A request that the site answered. `time` is in seconds since 1970; `path` includes the query."""

    time: float
    host: str
    path: str
    status: int
    user_agent: str


@dataclass(frozen=True, slots=True)
class Truth:
    """What a right crawl of the site finds, as absolute URLs.

    `pages` answer 200, may be fetched and can be reached (links, sitemaps): HTML, PDF and plain text, with `noindex`,
    `sitemap_only`, `slow` and the copies among them. The others are no pages: `forbidden` are linked but disallowed by
    robots.txt (`trap` is the prefix of endless ones), `unfollowed` are linked with nofollow only, `missing` answer 404,
    `login` 401, `broken` 500. `redirects` lead to the next address. `charsets` and `languages` tell of each of `pages`.
    """

    pages: frozenset[str]
    noindex: frozenset[str]
    sitemap_only: frozenset[str]
    unfollowed: frozenset[str]
    forbidden: frozenset[str]
    missing: frozenset[str]
    login: frozenset[str]
    broken: frozenset[str]
    feeds: frozenset[str]
    sitemaps: frozenset[str]
    files: frozenset[str]
    redirects: Mapping[str, str]
    exact_copies: tuple[tuple[str, str], ...]
    near_copies: tuple[tuple[str, str], ...]
    charsets: Mapping[str, str]
    languages: Mapping[str, str]
    neologisms: tuple[Neologism, ...]
    pdf: str
    text: str
    slow: str
    trap: str


class Site:
    """The demo site, served from background threads until closed.

    `port` is the same on the three loopback addresses, 0 a free one for each; where 127.0.0.2 does not exist (macOS) the hosts
    share 127.0.0.1 on `port` and the two that follow. `drip` is the pause in seconds between the chunks of the slow page.
    Raises UsageError when a port is taken.
    """

    def __init__(self, port: int = 0, *, drip: float = 0.25) -> None:
        self._servers = _bind(port)
        self._log: deque[Request] = deque(maxlen=_REMEMBERED)
        self._closing = threading.Event()
        names = [host.name for host in content.hosts()]
        self._origins = {name: server.origin for name, server in zip(names, self._servers, strict=True)}
        self._answers = content.build(self._origins)
        self._threads = [self._start(name, server, drip) for name, server in zip(names, self._servers, strict=True)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def seeds(self) -> tuple[str, ...]:
        """The home pages."""
        return tuple(f"{origin}/" for origin in self._origins.values())

    @property
    def hosts(self) -> Mapping[str, str]:
        """The origin of each host by its name: `faro`, `palabras`, `museo`."""
        return dict(self._origins)

    @property
    def requests(self) -> list[Request]:
        """The last hundred thousand requests, oldest first."""
        return list(self._log)

    def answer(self, host: str, path: str) -> DemoResponse | None:
        """What a host answers to a path without query; None is a missing page."""
        path = quote(unquote(path))
        month = _MONTH.fullmatch(path)
        if host == "museo" and month:
            return content.calendar(int(month[1]), int(month[2]), self._origins)
        return self._answers[host].get(path)

    def truth(self) -> Truth:
        """What a right crawl of this site finds."""
        answers = {
            self._origins[host] + path: answer for host, paths in self._answers.items() for path, answer in paths.items()
        }
        pages = {url: answer for url, answer in answers.items() if answer.kind in ("page", "noindex", "sitemap only")}

        def of_kind(kind: Kind) -> frozenset[str]:
            return frozenset(url for url, answer in answers.items() if answer.kind == kind)

        hosts = [(self._origins[host.name], host) for host in content.hosts()]
        return Truth(
            pages=frozenset(pages),
            noindex=of_kind("noindex"),
            sitemap_only=of_kind("sitemap only"),
            unfollowed=of_kind("unfollowed"),
            forbidden=of_kind("forbidden") | {origin + path for origin, host in hosts for path in host.forbidden},
            missing=frozenset(origin + path for origin, host in hosts for path in host.missing),
            login=of_kind("log-in"),
            broken=of_kind("error"),
            feeds=of_kind("feed"),
            sitemaps=of_kind("sitemap"),
            files=of_kind("file"),
            redirects={url: urljoin(url, answer.location) for url, answer in answers.items() if answer.kind == "redirect"},
            exact_copies=tuple((origin + old, origin + new) for origin, host in hosts for new, old in host.copies.items()),
            near_copies=tuple((self._locate(first), self._locate(second)) for first, second in content.near_copies()),
            charsets={url: answer.charset or "utf-8" for url, answer in pages.items()},
            languages={url: answer.language for url, answer in pages.items()},
            neologisms=content.neologisms(),
            pdf=next(url for url, answer in pages.items() if answer.media == "application/pdf"),
            text=next(url for url, answer in pages.items() if answer.media.startswith("text/plain")),
            slow=next(url for url, answer in pages.items() if answer.pieces > 1),
            trap=self._origins["museo"] + "/agenda/",
        )

    def close(self) -> None:
        """Stop serving and end every thread; closing twice does nothing."""
        self._closing.set()
        for server, thread in zip(self._servers, self._threads, strict=True):
            if thread.is_alive():
                server.shutdown()
                server.hang_up()
            thread.join()
            server.server_close()

    def _locate(self, address: str) -> str:
        return content.locate(address, self._origins)

    def _start(self, name: str, server: _Server, drip: float) -> threading.Thread:
        server.desk = _Desk(name, self, self._log, self._closing, drip)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), name=f"demo-{name}", daemon=True)
        thread.start()
        return thread


@dataclass(frozen=True, slots=True)
class _Desk:
    """What a host's handlers need: whose answers, where requests are noted, and how slowly the slow page drips."""

    host: str
    site: Site
    log: deque[Request]
    closing: threading.Event
    drip: float


class _Server(ThreadingHTTPServer):
    """One host. Handlers are joined at the end, so their connections are remembered to be hung up first."""

    daemon_threads = False
    request_queue_size = 128
    desk: _Desk

    def __init__(self, address: str, port: int) -> None:
        self._open: set[socket.socket] = set()
        super().__init__((address, port), _Handler)
        self.origin = f"http://{address}:{self.server_address[1]}"

    def server_bind(self) -> None:
        # HTTPServer's own asks the resolver for the host's full name, which may take seconds.
        TCPServer.server_bind(self)

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        assert isinstance(request, socket.socket)
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        assert isinstance(request, socket.socket)
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Report our own mistakes; a client that leaves in the middle of an answer is no news."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def hang_up(self) -> None:
        for connection in tuple(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD over kept connections."""

    protocol_version = "HTTP/1.1"
    server_version = "demo"
    sys_version = ""
    timeout = 30.0
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        """Send an answer and its body."""
        self._reply(with_body=True)

    def do_HEAD(self) -> None:
        """Send an answer's head only."""
        self._reply(with_body=False)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Note the request in the site's list."""
        del size
        agent = self.headers.get("User-Agent", "") if hasattr(self, "headers") else ""
        desk = self.server.desk
        desk.log.append(Request(time.time(), desk.host, getattr(self, "path", ""), int(code), agent))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the overridden method's name)
        """Say nothing: no part of the program prints behind the progress bars."""

    def _reply(self, *, with_body: bool) -> None:
        desk = self.server.desk
        answer = desk.site.answer(desk.host, self.path.partition("?")[0])
        if answer is None:
            answer = desk.site.answer(desk.host, "/404.html")
            assert answer is not None
        if answer.pieces > 1:
            self._drip(answer, with_body=with_body)
        else:
            self._send(answer, with_body=with_body)

    def _send(self, answer: DemoResponse, *, with_body: bool) -> None:
        text = answer.media.startswith(("text/", "application/xml", "application/rss", "application/atom"))
        zipped = text and "gzip" in self.headers.get("Accept-Encoding", "")
        body = gzip.compress(answer.body, mtime=0) if zipped else answer.body
        etag = f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()[:16]}"'
        fresh = answer.status == 200 and _is_fresh(self.headers, etag, answer.modified)
        self.send_response(304 if fresh else answer.status)
        if answer.status == 200:
            self.send_header("ETag", etag)
            self.send_header("Last-Modified", answer.modified)
        if text:
            self.send_header("Vary", "Accept-Encoding")
        if not fresh:
            self._send_description(answer, len(body), zipped=zipped)
        self.end_headers()
        if with_body and not fresh:
            self.wfile.write(body)

    def _send_description(self, answer: DemoResponse, length: int, *, zipped: bool) -> None:
        self.send_header("Content-Type", answer.media)
        self.send_header("Content-Length", str(length))
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        if answer.location:
            self.send_header("Location", answer.location)
        if answer.status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="Suscriptores", charset="UTF-8"')

    def _drip(self, answer: DemoResponse, *, with_body: bool) -> None:
        """Send the body in chunks with a pause before each one."""
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.media)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if not with_body:
            return
        size = -(-len(answer.body) // answer.pieces)
        for start in range(0, len(answer.body), size):
            self.wfile.flush()
            self.server.desk.closing.wait(self.server.desk.drip)
            piece = answer.body[start : start + size]
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")


def _is_fresh(headers: Message, etag: str, modified: str) -> bool:
    """Whether the client's copy is still good (RFC 9110, section 13.2.2: an entity tag outweighs a date)."""
    tags = headers.get("If-None-Match", "")
    if tags:
        return "*" in tags or etag in [tag.strip().removeprefix("W/") for tag in tags.split(",")]
    since = headers.get("If-Modified-Since", "")
    try:
        return bool(since) and parsedate_to_datetime(since) >= parsedate_to_datetime(modified)
    except (TypeError, ValueError):
        return False


def _bind(port: int) -> list[_Server]:
    servers: list[_Server] = []
    try:
        for number, address in enumerate(_ADDRESSES):
            servers.append(_bind_host(address, port, number))
    except OSError as error:
        for server in servers:
            server.server_close()
        raise UsageError(
            "the demo site cannot use port {port}",
            "choose another one or 0 for any ({reason})",
            port=port,
            reason=error.strerror,
        ) from error
    return servers


def _bind_host(address: str, port: int, number: int) -> _Server:
    try:
        return _Server(address, port)
    except OSError as error:
        if error.errno != errno.EADDRNOTAVAIL:
            raise
        return _Server(_ADDRESSES[0], port + number if port else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the site until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m trasmallo.demo.site", description=main.__doc__)
    parser.add_argument("--port", type=int, default=0, help="the same port on each loopback address; 0 takes free ones")
    with Site(parser.parse_args(arguments).port) as site:
        sys.stdout.write("\n".join(site.seeds) + "\nCtrl-C stops.\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
