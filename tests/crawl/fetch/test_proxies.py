from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.certificates import make_certificate, server_context
from support.hostile_server import PAGE, HostileServer, Wire, hostile_server
from trasmallo.crawl.fetch.fetcher import Fetcher
from trasmallo.crawl.fetch.permissions import places
from trasmallo.crawl.fetch.proxies import Proxies, Proxy, read_proxy
from trasmallo.values.errors import ConfigError
from trasmallo.values.model import Failure, Outcome, Response


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostileServer]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with hostile_server() as running:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:p%40ss@127.0.0.1:{running.port}")
        monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{running.port}")
        monkeypatch.setenv("NO_PROXY", "direct.test")
        yield running


def ask(*urls: str) -> list[Response | Failure]:
    async def main() -> list[Response | Failure]:
        fetcher = Fetcher("testbot", private=places("127.0.0.1"))
        answers = [await fetcher.get(url) for url in urls]
        await fetcher.close()
        return answers

    return asyncio.run(main())


def test_a_plain_request_goes_to_the_proxy_with_its_whole_address(proxy: HostileServer) -> None:
    (answer,) = ask("http://site.test/gzip?x=1")
    assert isinstance(answer, Response)
    assert (answer.content, answer.address) == (PAGE, "")
    seen = proxy.requests[-1]
    assert seen.startswith(b"GET http://site.test/gzip?x=1 HTTP/1.1\r\nHost: site.test\r\n")
    assert b"\r\nProxy-Authorization: Basic bWU6cEBzcw==\r\n" in seen
    assert b"Proxy-Authorization" not in answer.request


def test_tls_goes_through_a_tunnel_and_is_verified_at_its_end(
    proxy: HostileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path, names="DNS:site.test")
    with hostile_server(server_context(certificate)) as secure:
        url = secure.url("/page", "site.test")
        (refused,) = ask(url)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        answers = ask(url, url)
    assert isinstance(refused, Failure)
    assert refused.outcome is Outcome.TLS
    assert [answer.content for answer in answers if isinstance(answer, Response)] == [PAGE] * 2
    assert [request for request in proxy.requests if request.startswith(b"CONNECT site.test:")] == proxy.requests
    assert len(proxy.requests) == 2


def test_a_proxy_that_refuses(proxy: HostileServer) -> None:
    async def refuse(wire: Wire) -> None:
        await wire.answer(b"no", status=b"407 Who are you")

    proxy.routes["CONNECT"] = refuse
    (answer,) = ask("https://site.test/")
    assert isinstance(answer, Failure)
    assert (answer.outcome, answer.cause) == (Outcome.UNREACHABLE, "the proxy says 407 Who are you")


def test_private_names_are_not_asked_for_through_a_proxy(proxy: HostileServer) -> None:
    answers = ask("http://10.0.0.1/", "http://169.254.169.254/", "http://metadata.google.internal/", "http://localhost/")
    assert [answer.outcome for answer in answers if isinstance(answer, Failure)] == [Outcome.PRIVATE] * 4
    assert proxy.requests == []


def test_which_proxy_for_whom(proxy: HostileServer) -> None:
    proxies = Proxies()
    assert proxies.find("https", "site.test") == Proxy("127.0.0.1", proxy.port)
    assert proxies.find("http", "direct.test") is None
    assert proxies.find("http", "127.0.0.1") is None
    assert proxies.find("http", "localhost") is None


@pytest.mark.parametrize("value", ["socks5://127.0.0.1:9050", "http://", "http://host:99999", "https://host:3128"])
def test_proxies_that_cannot_be_used_are_told(value: str) -> None:
    with pytest.raises(ConfigError, match=r"^ALL_PROXY names no proxy .*or unset it$"):
        read_proxy("ALL_PROXY", value)
