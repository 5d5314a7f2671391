from __future__ import annotations

import asyncio
import gc
import gzip
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import uvloop

from support.certificates import make_certificate, old_tls_server, server_context
from support.hostile_server import OUTCOMES, PAGE, ROUTES, HostileServer, hostile_server
from trasmallo.crawl.fetch.fetcher import Fetcher
from trasmallo.crawl.fetch.permissions import places
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.errors import ConfigError
from trasmallo.values.model import Failure, Outcome, Response

PATIENT = RequestLimits(body_bytes=1_000_000)
HOME = places("127.0.0.1")
Answers = list[Response | Failure]
Loop = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with hostile_server() as running:
        yield running


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def loop(request: pytest.FixtureRequest) -> Loop:
    factory: Loop = request.param
    return factory


async def ask_all(fetcher: Fetcher, urls: Sequence[str], *, at_once: bool) -> Answers:
    """The answers, once the fetcher has left nothing behind."""
    if at_once:
        answers = list(await asyncio.gather(*(fetcher.get(url) for url in urls)))
    else:
        answers = [await fetcher.get(url) for url in urls]
    await fetcher.close()
    assert len(asyncio.all_tasks()) == 1
    return answers


def ask(
    *urls: str, loop: Loop = uvloop.new_event_loop, at_once: bool = False, limits: RequestLimits = PATIENT, **options: object
) -> Answers:
    async def main() -> Answers:
        fetcher = Fetcher("testbot/1.0", limits=limits, **({"private": HOME} | options))  # type: ignore[arg-type]
        return await ask_all(fetcher, urls, at_once=at_once)

    with asyncio.Runner(loop_factory=loop) as runner:
        answers = runner.run(main())
    gc.collect()  # what was left open warns when it is collected
    return answers


def ask_one(url: str, **options: object) -> Response:
    (answer,) = ask(url, **options)  # type: ignore[arg-type]
    assert isinstance(answer, Response), answer
    return answer


def fail_one(url: str, **options: object) -> Failure:
    (answer,) = ask(url, **options)  # type: ignore[arg-type]
    assert isinstance(answer, Failure), answer
    return answer


CONTENTS = {
    "/page": PAGE,
    "/gzip": PAGE,
    "/x-gzip": PAGE,
    "/deflate": PAGE,
    "/raw-deflate": PAGE,
    "/brotli": PAGE,
    "/zstd": PAGE,
    "/gzip-in-brotli": PAGE,
    "/unknown-coding": PAGE,
    "/not-gzip": PAGE,
    "/http-1.0": PAGE,
    "/until-close": PAGE,
    "/close": PAGE,
    "/stale": PAGE,
    "/chunked": b"holas mundo",
    "/pieces": b"hola hola",
    "/nothing": b"",
    "/unchanged": b"",
    "/redirect-circle": b"",
    "/nul-body": b"\0\0\0\0",
    "/binary": bytes(range(256)),
} | dict.fromkeys(
    [
        "/bare-lf",
        "/interim",
        "/no-reason",
        "/status-999",
        "/no-colon",
        "/latin-1-header",
        "/folded",
        "/length-no-number",
        "/length-and-chunks",
        "/same-length-twice",
        "/extra-bytes",
        "/cookies",
    ],
    b"hola",
)
WAITING = [path for path, outcome in OUTCOMES.items() if outcome is Outcome.TIMED_OUT]


def test_every_behaviour_of_the_hostile_server_is_expected_here() -> None:
    elsewhere = {"/", "/echo", "/truncated-gzip", "CONNECT"}
    assert CONTENTS.keys() | OUTCOMES.keys() | elsewhere == ROUTES.keys()


def test_odd_answers_are_answers(server: HostileServer, loop: Loop) -> None:
    answers = ask(*map(server.url, CONTENTS), loop=loop)
    for path, answer in zip(CONTENTS, answers, strict=True):
        assert isinstance(answer, Response), (path, answer)
        assert answer.content == CONTENTS[path], path
        assert answer.address == "127.0.0.1"


def test_misfortunes_are_values(server: HostileServer, loop: Loop) -> None:
    paths = [path for path in OUTCOMES if path not in WAITING]
    answers = ask(*map(server.url, paths), loop=loop)
    assert {path: answer.outcome for path, answer in zip(paths, answers, strict=True) if isinstance(answer, Failure)} == {
        path: OUTCOMES[path] for path in paths
    }
    assert all(answer.cause for answer in answers if isinstance(answer, Failure))


@pytest.mark.parametrize(
    ("path", "limits", "cause"),
    [
        ("/never", RequestLimits(first_byte=0.1), "no answer within 0.1 s"),
        ("/stops", RequestLimits(idle=0.1), "silent for 0.1 s within the answer"),
        ("/drip", RequestLimits(slowest=2000, grace=0.1), "slower than 2000 bytes a second"),
        ("/slow-head", RequestLimits(slowest=2000, grace=0.1), "slower than 2000 bytes a second"),
        ("/drip", RequestLimits(total=0.2), "not finished within 0.2 s"),
    ],
)
def test_time_runs_out_in_every_phase(server: HostileServer, loop: Loop, path: str, limits: RequestLimits, cause: str) -> None:
    failure = fail_one(server.url(path), loop=loop, limits=limits)
    assert (failure.outcome, failure.cause) == (Outcome.TIMED_OUT, cause)


def test_hundreds_at_once_all_end(server: HostileServer) -> None:
    cheap = [path for path in OUTCOMES if path not in ("/endless-chunks", "/endless", "/brotli-bomb", "/drip", "/slow-head")]
    paths = (["/page", "/gzip", "/chunked"] * 100 + cheap * 10)[:500]
    limits = RequestLimits(first_byte=2, idle=1.5, body_bytes=1_000_000)
    answers = ask(*map(server.url, paths), at_once=True, limits=limits)
    for path, answer in zip(paths, answers, strict=True):
        expected = OUTCOMES.get(path)
        assert (answer.outcome if isinstance(answer, Failure) else None) == expected, (path, answer)


def test_a_truncated_gzip_gives_its_beginning(server: HostileServer) -> None:
    answer = ask_one(server.url("/truncated-gzip"))
    assert PAGE.startswith(answer.content)
    assert len(answer.content) > 1000


def test_the_body_is_kept_as_sent_and_the_request_with_it(server: HostileServer) -> None:
    answer = ask_one(server.url("/gzip?a=1"), clock=lambda: 7.0)
    assert gzip.decompress(answer.body) == answer.content == PAGE
    assert (answer.at, answer.status, answer.reason) == (7.0, 200, "OK")
    assert answer.header("content-encoding") == "gzip"
    assert answer.request == server.requests[-1]
    lines = answer.request.decode().split("\r\n")
    assert lines[:3] == ["GET /gzip?a=1 HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "User-Agent: testbot/1.0"]
    assert "Accept-Encoding: gzip, deflate, br, zstd" in lines


def test_headers_are_latin_1_and_all_cookies_are_there(server: HostileServer) -> None:
    latin, cookies = ask(server.url("/latin-1-header"), server.url("/cookies"))
    assert isinstance(latin, Response)
    assert isinstance(cookies, Response)
    assert latin.header("x-name") == "España ÿþ"
    assert len([1 for name, _ in cookies.headers if name == "Set-Cookie"]) == 2000


def test_connections_are_kept_and_stale_ones_replaced(server: HostileServer, loop: Loop) -> None:
    before = server.connections
    ask(*[server.url("/page")] * 5, loop=loop)
    assert server.connections == before + 1
    answers = ask(*[server.url("/stale")] * 3, loop=loop)
    assert all(isinstance(answer, Response) for answer in answers)
    assert server.connections == before + 4


def test_bytes_nobody_asked_for_do_not_become_an_answer(server: HostileServer) -> None:
    answers = ask(server.url("/extra-bytes"), server.url("/page"))
    assert [answer.content for answer in answers if isinstance(answer, Response)] == [b"hola", PAGE]


def test_methods_and_headers(server: HostileServer) -> None:
    async def main() -> Answers:
        fetcher = Fetcher("testbot", private=HOME)
        answers = [
            await fetcher.get(server.url("/page"), method="HEAD"),
            await fetcher.get(server.url("/echo"), headers={"If-None-Match": '"x"', "accept": "text/plain"}),
            await fetcher.get(server.url("/echo"), headers={"X": "a\r\nInjected: yes"}),
            await fetcher.get(server.url("/echo"), headers={"X\r\nY": "a"}),
            await fetcher.get(server.url("/echo"), method="GET / HTTP/1.1\r\nX: y\r\n\r\nGET"),
            await fetcher.get(server.url("/echo") + " HTTP/1.1\r\nInjected: yes"),
        ]
        await fetcher.close()
        return answers

    head, echo, *refused = asyncio.run(main())
    assert isinstance(head, Response)
    assert (head.content, head.header("Content-Length")) == (b"", str(len(PAGE)))
    assert isinstance(echo, Response)
    assert b'If-None-Match: "x"\r\n' in echo.content
    assert b"accept: text/plain\r\n" in echo.content
    assert b"Accept: " not in echo.content
    assert all(isinstance(answer, Failure) for answer in refused)
    assert not any(b"Injected" in request for request in server.requests)


def test_a_body_is_sent_with_its_length(server: HostileServer) -> None:
    async def main() -> tuple[Response | Failure, bytes]:
        received: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            received.set_result(await reader.readuntil(b"fin"))
            writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()

        listening = await asyncio.start_server(serve, "127.0.0.1", 0)
        fetcher = Fetcher("testbot", private=HOME)
        async with listening:
            url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
            answer = await fetcher.get(url, method="POST", headers={"Content-Type": "text/plain"}, body=b"principio y fin")
            await fetcher.close()
            return answer, await received

    answer, request = asyncio.run(main())
    assert isinstance(answer, Response)
    assert (answer.status, answer.request.endswith(b"\r\n\r\n")) == (202, True)
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.startswith(b"POST / HTTP/1.1\r\n")
    assert {b"Content-Length: 15", b"Content-Type: text/plain"} <= set(head.split(b"\r\n"))
    assert body == b"principio y fin"


def test_progress_tells_how_much_has_come(server: HostileServer) -> None:
    seen: list[tuple[int, int]] = []

    async def main() -> None:
        fetcher = Fetcher("testbot", private=HOME)
        await fetcher.get(server.url("/pieces"), progress=lambda now, whole: seen.append((now, whole)))
        await fetcher.close()

    asyncio.run(main())
    assert seen[-1] == (9, 9)
    assert seen == sorted(seen)


def test_a_mistake_in_progress_is_raised_not_hidden(server: HostileServer, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        fetcher = Fetcher("testbot", private=HOME)
        try:
            await fetcher.get(server.url("/page"), progress=lambda now, whole: [][now])
        finally:
            await fetcher.close()

    with pytest.raises(IndexError):
        asyncio.run(main())


def test_cancelling_passes_and_leaves_nothing(server: HostileServer, loop: Loop) -> None:
    async def main() -> int:
        fetcher = Fetcher("testbot", private=HOME)
        tasks = [asyncio.create_task(fetcher.get(server.url(path))) for path in ("/never", "/stops", "/page")]
        await tasks[2]
        for task in tasks[:2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        cancelled = sum(task.cancelled() for task in tasks)
        after = await fetcher.get(server.url("/page"))
        await fetcher.close()
        assert isinstance(after, Response)
        assert len(asyncio.all_tasks()) == 1
        return cancelled

    with asyncio.Runner(loop_factory=loop) as runner:
        assert runner.run(main()) == 2
    gc.collect()


def test_closing_ends_what_is_open(server: HostileServer) -> None:
    async def main() -> Response | Failure:
        fetcher = Fetcher("testbot", private=HOME)
        asked = asyncio.create_task(fetcher.get(server.url("/never")))
        await fetcher.get(server.url("/page"))
        await fetcher.close()
        return await asked

    answer = asyncio.run(main())
    assert isinstance(answer, Failure)
    assert answer.outcome is Outcome.BROKEN


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("ftp://a.test/", Outcome.NO_HOST),
        ("http://", Outcome.NO_HOST),
        ("http:///path", Outcome.NO_HOST),
        ("http://a b.test/", Outcome.NO_HOST),
        ("http://ñ.test/", Outcome.NO_HOST),
        ("http://a.test/ñ", Outcome.NO_HOST),
        ("http://a.test:0/", Outcome.UNREACHABLE),
        ("http://a.test:99999/", Outcome.UNREACHABLE),
        ("http://a.test:x/", Outcome.NO_HOST),
        ("http://nowhere.test/", Outcome.NO_HOST),
    ],
)
def test_addresses_that_are_none(url: str, outcome: Outcome) -> None:
    assert fail_one(url, resolver=resolver({})).outcome is outcome


def resolver(known: dict[str, list[str]]) -> Callable[[str], object]:
    async def resolve(host: str) -> list[str]:
        if host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return known[host]

    return resolve


def test_only_named_hosts_may_be_private(server: HostileServer) -> None:
    known = resolver({"a.test": ["127.0.0.1"], "b.test": ["127.0.0.1"]})
    urls = [server.url("/page", host) for host in ("a.test", "b.test", "127.0.0.1", "[::ffff:127.0.0.1]", "user:pw@127.0.0.1")]
    answers = ask(*urls, resolver=known, private=places("a.test"))
    assert isinstance(answers[0], Response)
    assert [answer.outcome for answer in answers if isinstance(answer, Failure)] == [Outcome.PRIVATE] * 4
    (answer,) = ask(urls[1], resolver=known, private=places("127.0.0.0/8"))
    assert isinstance(answer, Response)


def test_the_next_address_is_tried_and_remembered(server: HostileServer) -> None:
    answers = ask(
        server.url("/close", "a.test"),
        server.url("/page", "a.test"),
        resolver=resolver({"a.test": ["::1", "127.0.0.2", "127.0.0.1"]}),
        private=places("a.test"),
    )
    assert [answer.address for answer in answers if isinstance(answer, Response)] == ["127.0.0.1"] * 2


def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        failure = fail_one(f"http://127.0.0.1:{unused.getsockname()[1]}/")
    assert (failure.outcome, failure.cause) == (Outcome.UNREACHABLE, "connection refused")


def test_connecting_has_a_limit(server: HostileServer, loop: Loop) -> None:
    async def sleep_forever(host: str) -> list[str]:
        await asyncio.get_running_loop().create_future()
        return []

    limits = RequestLimits(connect=0.1)
    unnamed = fail_one("http://a.test/", resolver=sleep_forever, limits=limits, loop=loop)
    assert (unnamed.outcome, unnamed.cause) == (Outcome.TIMED_OUT, "the address of a.test was not found within 0.1 s")
    mute = fail_one("http://a.org/", resolver=sleep_forever, limits=limits, loop=loop)
    assert mute.outcome is Outcome.NO_NETWORK, "no name server answers, not even for a name that always exists"
    # A server that never shakes hands; on a busy machine a tenth of a second is over before anybody was asked.
    silent = fail_one(f"https://127.0.0.1:{server.port}/", limits=RequestLimits(connect=1.0), loop=loop)
    assert (silent.outcome, silent.cause) == (Outcome.TIMED_OUT, "no connection within 1 s")


@pytest.mark.parametrize("agent", ["", "bot\r\nX: y", "bot\0", "b\u20acot"])
def test_an_agent_that_no_header_can_carry(agent: str) -> None:
    with pytest.raises(ConfigError, match=r"plain letters on one line$"):
        Fetcher(agent)


def test_tls_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: Loop) -> None:
    certificate = make_certificate(tmp_path)
    with hostile_server(server_context(certificate)) as secure:
        assert fail_one(secure.url("/page"), loop=loop).outcome is Outcome.TLS
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        answers = ask(secure.url("/page"), secure.url("/gzip"), secure.url("/until-close"), secure.url("/page"), loop=loop)
        assert [answer.content for answer in answers if isinstance(answer, Response)] == [PAGE] * 4
        assert fail_one(secure.url("/truncated-body"), loop=loop).outcome is Outcome.BROKEN


def test_certificates_that_are_not_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, options in {"expired": {"expired": True}, "wrong": {"names": "DNS:other.test"}}.items():
        (tmp_path / name).mkdir()
        certificate = make_certificate(tmp_path / name, **options)  # type: ignore[arg-type]
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with hostile_server(server_context(certificate)) as secure:
            failure = fail_one(secure.url("/page"))
            assert failure.outcome is Outcome.TLS
            assert failure.cause.startswith({"expired": "certificate has expired", "wrong": "IP address mismatch"}[name])
            assert ask_one(secure.url("/page"), verify=False).content == PAGE


def test_a_server_that_speaks_no_tls(server: HostileServer) -> None:
    async def main() -> tuple[Response | Failure, asyncio.Server]:
        def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        plain = await asyncio.start_server(shout, "127.0.0.1", 0)
        fetcher = Fetcher("testbot", private=HOME)
        answer = await fetcher.get(f"https://127.0.0.1:{plain.sockets[0].getsockname()[1]}/")
        await fetcher.close()
        plain.close()
        await plain.wait_closed()
        return answer, plain

    answer, _ = asyncio.run(main())
    assert isinstance(answer, Failure)
    assert (answer.outcome, answer.cause) == (Outcome.TLS, "the server speaks no TLS at this port")


def ipv6_server() -> socket.socket:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    listening = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    try:
        listening.bind(("::1", 0))
    except OSError:
        listening.close()
        pytest.skip("no IPv6 loopback here")
    return listening


@pytest.mark.parametrize("addresses", [["::1"], ["::1", "127.0.0.2"], ["127.0.0.2", "::1"], ["fd00::dead", "::1"]])
def test_ipv6_by_address_and_by_name(addresses: list[str], loop: Loop) -> None:
    async def main() -> Answers:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhola")
            writer.close()

        listening = await asyncio.start_server(serve, sock=ipv6_server())
        port = listening.sockets[0].getsockname()[1]
        fetcher = Fetcher("testbot", private=places("::1", "six.test"), resolver=resolver({"six.test": addresses}))  # type: ignore[arg-type]
        async with listening:
            answers = [await fetcher.get(f"http://{host}:{port}/") for host in ("[::1]", "six.test")]
            await fetcher.close()
        return answers

    with asyncio.Runner(loop_factory=loop) as runner:
        answers = runner.run(main())
    assert [(answer.content, answer.address) for answer in answers if isinstance(answer, Response)] == [(b"hola", "::1")] * 2


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_old_versions_of_tls_are_refused(tmp_path: Path, loop: Loop, version: ssl.TLSVersion) -> None:
    with old_tls_server(make_certificate(tmp_path), version) as port:
        failure = fail_one(f"https://127.0.0.1:{port}/", loop=loop)
    assert (failure.outcome, failure.cause) == (
        Outcome.TLS,
        "the server speaks only versions of TLS that are no longer safe",
    )


def test_a_certificate_signed_by_itself_is_said_so(tmp_path: Path) -> None:
    with hostile_server(server_context(make_certificate(tmp_path))) as secure:
        failure = fail_one(secure.url("/page"))
    assert (failure.outcome, failure.cause) == (Outcome.TLS, "self-signed certificate")
