"""What is private stays private: whole crawls and single documents, with real servers on this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.certificates import make_certificate, server_context
from support.command_line import Done
from support.hostile_server import hostile_server
from trasmallo.project.project import Project
from trasmallo.web.words import Words

Command = Callable[..., Done]
_HTML = "text/html; charset=utf-8"


class Server(ThreadingHTTPServer):
    """Pages by path, or by whole address where it is asked as a proxy; `to` redirects. It keeps what it was asked for."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__((address, 0), _Handler)
        self.pages: dict[str, str] = {}
        self.to: dict[str, str] = {}
        self.asked: list[str] = []

    def url(self, path: str = "/", host: str = "") -> str:
        return f"http://{host or self.server_address[0]!s}:{self.server_port}{path}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        body = self.server.pages.get(self.path, "").encode()
        to = self.server.to.get(self.path)
        self.send_response(302 if to else 200 if body else 404)
        self.send_header("Content-Type", _HTML)
        self.send_header("Content-Length", str(len(body)))
        if to:
            self.send_header("Location", to)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def serving(*addresses: str) -> Iterator[tuple[Server, ...]]:
    servers = tuple(map(Server, addresses))
    threads = [threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}) for server in servers]
    for thread in threads:
        thread.start()
    yield servers
    for server, thread in zip(servers, threads, strict=True):
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def two() -> Iterator[tuple[Server, ...]]:
    """A seed's server, and another one on the same machine that nobody named."""
    yield from serving("127.0.1.1", "127.0.0.1")


def links(*urls: str) -> str:
    return "<p>palabras</p>" + "".join(f'<a href="{url}">x</a>' for url in urls)


def incidents(folder: Path) -> dict[str, tuple[str, str]]:
    return {found.url: (str(found.what), found.cause) for found in Project.open(folder).incidents()}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_private_seed_opens_no_other_port_and_no_other_host(
    two: tuple[Server, Server], tmp_path: Path, trasmallo: Command, processes: int
) -> None:
    seed, secret = two
    spellings = ("127.0.0.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "localhost")
    seed.to = {f"/{number}": secret.url("/secret", spelling) for number, spelling in enumerate(spellings)}
    seed.pages = {"/": links(*seed.to, secret.url("/linked")), "/robots.txt": f"Sitemap: {secret.url('/sitemap.xml')}"}
    secret.pages = {"/secret": "<p>secretos</p>", "/linked": "<p>secretos</p>"}
    folder = tmp_path / "p"
    options = ("--delay", "0", "--scope", "any", "--processes", processes, "--quiet")
    arguments = ("crawl", seed.url(), "--into", folder, *options)
    assert trasmallo(*arguments).code == 0
    assert secret.asked == []
    found = {url: said for url, said in incidents(folder).items() if f":{secret.server_port}/" in url}
    assert found[secret.url("/secret")] == ("private address", "127.0.0.1 is a private address")
    assert found[secret.url("/secret", "localhost")][0] == "private address"
    assert {what for what, _ in found.values()} == {"private address"}

    again = ("crawl", seed.url(), "--into", tmp_path / "q", *options, "--private", f"127.0.0.1:{secret.server_port}")
    assert trasmallo(*again).code == 0
    assert {"/robots.txt", "/secret", "/linked", "/sitemap.xml"} == set(secret.asked)
    assert Project.open(tmp_path / "q").config.crawl.private == (f"127.0.0.1:{secret.server_port}",)


def test_nothing_private_is_reached_from_a_public_page(
    two: tuple[Server, Server], tmp_path: Path, trasmallo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public web is what a proxy on this machine answers for; this machine itself is asked without it."""
    private, proxy = two
    for name in ("no_proxy", "NO_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", proxy.url(host="127.0.0.1"))
    inside, home = private.url("/inside"), "http://public.test/"
    proxy.to = {home + "go": private.url("/stolen"), home + "cloud": "http://169.254.169.254/latest/"}
    proxy.pages = {home: links("/go", "/cloud", "/b", private.url("/linked"), inside), home + "b": links("http://10.0.0.5/")}
    private.pages = {"/": links(inside), "/inside": "<p>dentro</p>", "/stolen": "<p>x</p>", "/linked": "<p>x</p>"}
    folder = tmp_path / "p"
    arguments = ("--delay", "0", "--scope", "any", "--lines", "1", "--quiet", "--private", "10.0.0.0/8")
    assert trasmallo("crawl", home, private.url(), "--into", folder, *arguments).code == 0
    assert {path for path in private.asked if "sitemap" not in path} == {"/robots.txt", "/", "/inside"}
    assert home + "b" in proxy.asked
    assert not [url for url in proxy.asked if "10.0.0.5" in url or "169.254" in url]
    said = incidents(folder)
    assert said[private.url("/stolen")] == ("private address", "a public page leads to the private address 127.0.1.1")
    assert said["http://169.254.169.254/latest/"] == ("private address", "169.254.169.254 is a private address")
    assert private.url("/linked") not in said, "it is left for a private page to find, as any link that does not belong"


def test_a_document_leads_to_no_other_private_place(two: tuple[Server, Server], trasmallo: Command) -> None:
    seed, secret = two
    seed.to = {"/go": secret.url("/secret")}
    seed.pages = {"/page": "<p>" + "una página entera con bastantes palabras. " * 20 + "</p>"}
    secret.pages = {"/secret": "<p>secretos</p>"}
    assert trasmallo("text", seed.url("/page")).out.startswith("una página")
    for command in ("text", "words", "blocks", "convert"):
        refused = trasmallo(command, seed.url("/go"))
        assert refused.code == 2
        assert "was not obtained (private address, 127.0.0.1 is a private address)" in refused.refusal()
    assert secret.asked == []


def test_servers_that_cannot_be_had_are_said_so(tmp_path: Path, trasmallo: Command) -> None:
    with socket.socket() as unused, hostile_server() as slow, hostile_server(server_context(make_certificate(tmp_path))) as tls:
        unused.bind(("127.0.0.1", 0))
        slow.routes["/robots.txt"] = slow.routes["/never"]
        seeds = {
            "http://nowhere.invalid/": ("server does not exist", "nowhere.invalid does not exist"),
            f"http://127.0.0.1:{unused.getsockname()[1]}/": ("server refuses connections", "connection refused"),
            slow.url("/"): ("timed out", "no answer within 0.2 s"),
            tls.url("/"): ("no secure connection", "self-signed certificate"),
        }
        toml = tmp_path / "p" / "trasmallo.toml"
        project = Project.new(tmp_path / "p", tuple(seeds), timeout=0.2, retries=0, delay=0.0)
        assert toml.exists()
        project.crawl()
        found = incidents(tmp_path / "p")
        name_server = ("server does not exist", "the name server does not answer for nowhere.invalid")  # without a network
        assert found.pop("http://nowhere.invalid/") in (seeds.pop("http://nowhere.invalid/"), name_server)
        assert found == seeds
        for url, (what, cause) in seeds.items():
            if what != "timed out":
                refused = trasmallo("text", url)
                assert f"({what}, {cause})" in refused.refusal(), "not called a ban"


@pytest.mark.parametrize(
    ("cause", "spanish"),
    [
        ("127.0.0.1 is a private address", "127.0.0.1 es una dirección privada"),
        ("'localhost' is at the private address '::1'", "'localhost' está en la dirección privada '::1'"),
        ("a public page leads to the private address 10.0.0.1", "una página pública lleva a la dirección privada 10.0.0.1"),
        (
            "port 81 of the private address a.test is not named in `private`",
            "el puerto 81 de la dirección privada a.test no figura en `private`",
        ),
        (
            "robots.txt leads to b.test: b.test is at the private address 10.0.0.1",
            "robots.txt lleva a b.test: b.test está en la dirección privada 10.0.0.1",
        ),
    ],
)
def test_causes_in_spanish(cause: str, spanish: str) -> None:
    assert Words("es").phrase(cause) == spanish
    assert Words("en").phrase(cause) == cause
