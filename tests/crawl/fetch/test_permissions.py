"""Which private addresses may be asked, and what a public page may lead to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from support.hostile_server import HostileServer, hostile_server
from trasmallo.crawl.fetch.fetcher import Fetcher
from trasmallo.crawl.fetch.permissions import Permissions, places
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.model import Failure, Outcome, Response
from trasmallo.values.private_places import PrivatePlace
from trasmallo.values.urls import resolve


def permissions(*texts: str) -> Permissions:
    return Permissions(places(*texts))


@pytest.mark.parametrize(
    ("named", "host", "port", "address", "permitted"),
    [
        ("127.0.1.1:18080", "127.0.1.1", 18080, "127.0.1.1", True),
        ("127.0.1.1:18080", "127.0.1.1", 18081, "127.0.1.1", False),
        ("127.0.1.1:18080", "127.0.0.1", 18080, "127.0.0.1", False),
        ("127.0.1.1:18080", "localhost", 18080, "127.0.1.1", False),
        ("LocalHost", "localhost", 1, "127.0.0.1", True),
        ("[::1]", "::1", 80, "::1", True),
        ("::1", "::1", 80, "::1", True),
        ("[::1]:8080", "::1", 80, "::1", False),
        ("*.corp.test", "wiki.corp.test", 443, "10.0.0.1", True),
        ("*.corp.test", "a.b.corp.test", 443, "10.0.0.1", True),
        ("*.corp.test", "corp.test", 443, "10.0.0.1", False),
        ("*.corp.test", "evilcorp.test", 443, "10.0.0.1", False),
        ("*.corp.test:443", "wiki.corp.test", 80, "10.0.0.1", False),
        ("10.0.0.0/8", "wiki.corp.test", 80, "10.1.2.3", True),
        ("10.0.0.0/8", "wiki.corp.test", 80, "11.1.2.3", False),
        ("10.0.0.0/8", "mapped.test", 80, "::ffff:10.1.2.3", True),
        ("fd00::/8", "wiki.corp.test", 80, "fd00::1", True),
        ("wiki.corp.test", "wiki.corp.test", 80, "169.254.169.254", False),
        ("*.corp.test", "wiki.corp.test", 80, "fd00:ec2::254", False),
        ("169.254.169.254", "169.254.169.254", 80, "169.254.169.254", True),
        ("169.254.0.0/16", "metadata.test", 80, "169.254.169.254", True),
    ],
)
def test_what_is_named_and_nothing_beside_it(named: str, host: str, port: int, address: str, permitted: bool) -> None:
    assert permissions(named).permits(host, port, address) is permitted


def test_a_seed_is_asked_where_it_was_found() -> None:
    seed = Permissions([PrivatePlace("a.test", 80, addresses=("10.0.0.1", "10.0.0.2"))])
    assert seed.permits("a.test", 80, "10.0.0.2")
    assert not seed.permits("a.test", 80, "127.0.0.1"), "the name was rebound"
    assert not seed.permits("a.test", 8080, "10.0.0.1")


def test_what_can_be_told_by_names_alone() -> None:
    named = permissions("wiki.test:8080", "*.corp.test", "10.0.0.0/8")
    assert named.names("wiki.test", 8080)
    assert not named.names("wiki.test", 80)
    assert named.names_some_port("wiki.test")
    assert not named.names_some_port("other.test")
    assert named.leads_in("http://wiki.test:8080/x")
    assert named.leads_in("https://a.corp.test/")
    assert named.leads_in("http://10.9.9.9:99/")
    assert not named.leads_in("http://11.9.9.9/")
    assert not named.leads_in("https://example.org/")


def test_nothing_named_is_nothing_permitted() -> None:
    nothing = Permissions()
    assert not nothing
    assert not nothing.permits("localhost", 80, "127.0.0.1")
    assert not nothing.leads_in("http://127.0.0.1/")
    assert permissions("10.0.0.0/8")


def test_whether_a_page_is_public() -> None:
    named = permissions("wiki.test")
    assert named.is_public("http://wiki.test/", "1.1.1.1")
    assert not named.is_public("http://a.test/", "10.0.0.1")
    assert not named.is_public("http://[fe80::1]/", "fe80::1%eth0")
    for hidden in ("", "nonsense"):
        assert named.is_public("http://a.test/", hidden), "behind a proxy a name is all there is"
        assert not named.is_public("http://wiki.test/", hidden)
        assert not named.is_public("http://127.0.0.1/", hidden)


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with hostile_server() as running:
        yield running


def ask(private: tuple[PrivatePlace, ...], *urls: str) -> list[Response | Failure]:
    async def this_machine(_host: str) -> list[str]:
        return ["127.0.0.1"]

    async def main() -> list[Response | Failure]:
        fetcher = Fetcher("testbot", private=private, resolver=this_machine)
        answers = [await fetcher.get(url) for url in urls]
        await fetcher.close()
        return answers

    return asyncio.run(main())


def test_a_named_port_opens_no_other_and_a_public_page_opens_none(server: HostileServer) -> None:
    with hostile_server() as other:
        private = places(f"127.0.0.1:{server.port}")
        urls = (server.url("/page"), other.url("/page"), server.url("/page", "localhost"))
        answers = ask(private, *urls)
        assert isinstance(answers[0], Response)
        assert [(answer.outcome, answer.cause) for answer in answers[1:] if isinstance(answer, Failure)] == [
            (Outcome.PRIVATE, f"port {other.port} of the private address 127.0.0.1 is not named in `private`"),
            (Outcome.PRIVATE, "'localhost' is at the private address 127.0.0.1"),
        ]
        assert other.connections == 0


SPELLINGS = (
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "localhost",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
)


def test_no_spelling_of_this_machine_leads_past_a_seed(server: HostileServer) -> None:
    seed = places(f"127.0.1.1:{server.port}")
    urls = [resolve(server.url("/page", "127.0.1.1"), server.url("/page", spelling)) for spelling in SPELLINGS]
    before = server.connections
    answers = ask(seed, *[url for url in urls if url])
    assert [answer.outcome for answer in answers if isinstance(answer, Failure)] == [Outcome.PRIVATE] * len(SPELLINGS)
    assert server.connections == before


def test_what_a_public_page_leads_to_is_never_private(server: HostileServer) -> None:
    async def main() -> tuple[list[Response | Failure], int]:
        fetcher = Fetcher("testbot", private=places("127.0.0.0/8", f"127.0.0.1:{server.port}"))
        url = server.url("/page")
        answers = [await fetcher.get(url, from_public=True), await fetcher.get(url), await fetcher.get(url, from_public=True)]
        opened = server.connections
        answers.append(await fetcher.get(url))
        await fetcher.close()
        return answers, server.connections - opened

    (first, own, kept, again), opened = asyncio.run(main())
    assert isinstance(own, Response)
    assert isinstance(again, Response)
    assert opened == 0, "the kept connection was not spent on it"
    for refused in (first, kept):
        assert isinstance(refused, Failure)
        assert (refused.outcome, refused.cause) == (Outcome.PRIVATE, "a public page leads to the private address 127.0.0.1")


def test_a_name_that_is_bound_to_this_machine_later_gains_nothing(server: HostileServer) -> None:
    """The address that is connected to is the one that was judged, at every look-up anew."""
    answers_of_the_dns = iter([["192.0.2.1"], ["127.0.0.1"]])

    async def rebind(_host: str) -> list[str]:
        return next(answers_of_the_dns)

    seed = PrivatePlace("evil.test", server.port, addresses=("192.0.2.1",))
    before = server.connections

    async def main() -> list[Response | Failure]:
        answers: list[Response | Failure] = []
        for _ in range(2):  # another fetcher: the cache of the first would hide the change for five minutes
            fetcher = Fetcher("testbot", private=[seed], resolver=rebind, limits=RequestLimits(connect=0.05))
            answers.append(await fetcher.get(server.url("/page", "evil.test")))
            await fetcher.close()
        return answers

    there, rebound = asyncio.run(main())
    assert isinstance(there, Failure)
    assert there.outcome in (Outcome.TIMED_OUT, Outcome.UNREACHABLE), "the seed's own address was asked"
    assert isinstance(rebound, Failure)
    assert (rebound.outcome, rebound.cause) == (Outcome.PRIVATE, "evil.test is at the private address 127.0.0.1")
    assert server.connections == before
