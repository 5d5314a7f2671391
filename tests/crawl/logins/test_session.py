# ruff: noqa: E501 - markup is one line
"""A crawl with log-ins: what is sent where, what is kept, and how an end is noticed."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping

import pytest

from support.script_web import answer_with
from trasmallo.crawl.logins.credentials import Cookie, Login
from trasmallo.crawl.logins.session import PROBE_EVERY, Session, digest_field, logs_out, shows_probe
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.events import Event, Warned
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Failure, Outcome, Response

HOST = "a.example"
COOKIE = Login(host=HOST, kind="cookies", cookies=(Cookie(name="sid", value="s3cret", domain=HOST, secure=True),))
BASIC = Login(host=HOST, kind="basic", user="ana", secret="s3cret")


class Door:
    """A server that writes down what it is sent, and answers as a test says."""

    def __init__(self, status: int = 200, location: str = "", set_cookie: str = "") -> None:
        self.sent: list[tuple[str, Mapping[str, str]]] = []
        self._status, self._location, self._set_cookie = status, location, set_cookie

    async def get(self, url: str, *, headers: Mapping[str, str] = {}, **_: object) -> Response | Failure:
        self.sent.append((url, headers))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        own = [("Content-Type", "text/html"), ("Set-Cookie", self._set_cookie or "sid=s3cret")]
        own += [("Location", self._location)] if self._location and "Cookie" not in headers else []
        status = 200 if self._location and "Cookie" in headers and self._set_cookie else self._status
        made = answer_with(url, "<p>hola</p>", status=status)
        return Response(
            url=url, at=0.0, status=status, reason="", headers=tuple(own), body=made.body, content=made.content,
            request=f"GET / HTTP/1.1\r\nHost: a\r\n{head}\r\n".encode(),
        )  # fmt: skip


def ask(door: Door, login: Login | None, *urls: str, told: list[Event] | None = None) -> list[Response | Failure]:
    async def go() -> list[Response | Failure]:
        session = Session(
            door, {login.host: login} if login else {}, (told if told is not None else []).append, lambda: 1_000.0
        )
        return [await session.get(url) for url in urls]

    return asyncio.run(go())


def test_secrets_go_to_their_host_alone_and_never_without_tls() -> None:
    door = Door()
    ask(door, COOKIE, "https://a.example/", "http://a.example/", "https://b.example/", "https://a.example.evil.test/")
    assert [headers.get("Cookie") for _, headers in door.sent] == ["sid=s3cret", None, None, None]


@pytest.mark.parametrize("login", [COOKIE, BASIC, Login(host=HOST, kind="bearer", secret="s3cret")])
def test_nothing_secret_is_kept_of_request_or_answer(login: Login) -> None:
    (answer,) = ask(Door(), login, "https://a.example/")
    assert isinstance(answer, Response)
    assert b"s3cret" not in answer.request
    assert b"Authorization" not in answer.request
    assert "s3cret" not in str(answer.headers)
    assert answer.request.startswith(b"GET / HTTP/1.1\r\nHost: a\r\n")


@pytest.mark.parametrize(("status", "location"), [(401, ""), (302, "https://a.example/login?next=/")])
def test_an_end_is_told_once_and_nobody_is_asked_again(status: int, location: str) -> None:
    door, told = Door(status, location), list[Event]()
    answers = ask(door, BASIC, "https://a.example/1", "https://a.example/2", "https://a.example/3", told=told)
    assert len(door.sent) == 1
    assert [answer.outcome for answer in answers[1:] if isinstance(answer, Failure)] == [Outcome.LOGIN] * 2
    (warning,) = told
    assert isinstance(warning, Warned)
    assert "the log-in at a.example ended" in warning.message
    assert "s3cret" not in warning.message


@pytest.mark.parametrize(
    "url", ["/logout", "/user/sign-out?x", "/salir", "/cerrar-sesion", "/?action=logout", "/wp-login.php?action=logout&x"]
)
def test_log_out_links_are_never_followed(url: str) -> None:
    door = Door()
    (answer,) = ask(door, COOKIE, "https://a.example" + url)
    assert isinstance(answer, Failure)
    assert answer.cause == "it would log out"
    assert door.sent == []


def test_other_addresses_do_not_log_out() -> None:
    assert not any(
        map(logs_out, ("https://a.example/blog/outdoors", "https://a.example/salirse-del-tema", "https://a.example/"))
    )


def test_a_host_that_wants_its_cookie_back_gets_it_for_the_run() -> None:
    door = Door(302, "https://c.example/", "seen=1; Path=/")
    first, second = ask(door, None, "https://c.example/", "https://c.example/")
    assert isinstance(first, Response)
    assert isinstance(second, Response)
    assert (first.status, second.status) == (200, 200)
    assert [headers.get("Cookie") for _, headers in door.sent] == [None, "seen=1", "seen=1"]


def test_digest_is_that_of_the_standard() -> None:
    challenge = 'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcC"'
    login = Login(host="www.example.org", kind="digest", user="Mufasa", secret="Circle of Life")
    field = digest_field(login, "GET", "http://www.example.org/dir/index.html", challenge)["Authorization"]
    told = dict(re.findall(r'(\w+)="?([^",]+)"?', field))

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    first, second = digest("Mufasa:http-auth@example.org:Circle of Life"), digest("GET:/dir/index.html")
    assert told["response"] == digest(f"{first}:{told['nonce']}:00000001:{told['cnonce']}:auth:{second}")


class Probed:
    """A host whose probe page knows a session while it is `good`, and whose other pages have a form for strangers."""

    def __init__(self) -> None:
        self.good, self.asked, self.rules = "1", list[str](), ""

    async def get(self, url: str, *, headers: Mapping[str, str] = {}, **_: object) -> Response | Failure:
        self.asked.append(url)
        if url.endswith("/robots.txt"):
            return answer_with(url, self.rules)
        known = headers.get("Cookie") == f"sid={self.good}"
        stranger = "<input name=p type=password>" if not url.endswith("/me") else "¿quién?"
        return answer_with(url, "<p>Hola, ana</p>" if known else stranger)


def probed(since: float, value: str) -> Login:
    cookies = (Cookie(name="sid", value=value, domain=HOST),)
    return Login(host=HOST, kind="cookies", cookies=cookies, since=since, probe="https://a.example/me", probe_text="Hola, ana")


def test_by_its_probe_a_lost_log_in_is_noticed_before_a_strangers_page_is_kept_and_a_new_one_taken_up() -> None:
    host, told, kept = Probed(), list[Event](), {HOST: probed(1.0, "1")}

    async def go() -> list[Response | Failure]:
        session = Session(host, dict(kept), told.append, lambda: 1_000.0, read_again=lambda: kept)
        found = [await session.get(f"https://a.example/{number}") for number in range(3)]
        host.good = "2"
        found += [await session.get("https://a.example/3"), await session.get("https://a.example/4")]
        kept[HOST] = probed(2.0, "2")
        return [*found, await session.get("https://a.example/5")]

    answers = asyncio.run(go())
    assert [isinstance(answer, Response) for answer in answers] == [True, True, True, False, False, True]
    lost = answers[3]
    assert isinstance(lost, Failure)
    assert (lost.outcome, lost.cause) == (
        Outcome.LOGIN, "the log-in ended: its probe https://a.example/me does not show 'Hola, ana'"
    )  # fmt: skip
    assert [each.rpartition("/")[2] for each in host.asked] == ["me", "0", "1", "2", "3", "me", "me", "5"]
    (warned,) = told
    assert isinstance(warned, Warned)
    assert "trasmallo login DIR a.example" in warned.message


def test_a_probe_that_robots_txt_forbids_is_never_asked_for() -> None:
    host, told = Probed(), list[Event]()
    host.rules = "User-agent: *\nDisallow: /me\n"

    async def go() -> list[Response | Failure]:
        rules = RobotsRules(host, "trasmallo", lambda: 1_000.0)
        session = Session(host, {HOST: probed(1.0, "1")}, told.append, lambda: 1_000.0, robots=rules)
        return [await session.get(f"https://a.example/{number}") for number in range(2 * PROBE_EVERY)]

    answers = asyncio.run(go())
    assert all(isinstance(answer, Response) for answer in answers)
    assert host.asked.count("https://a.example/robots.txt") == 1
    assert "https://a.example/me" not in host.asked
    (warned,) = told
    assert isinstance(warned, Warned)
    assert "robots.txt line 2: Disallow: /me" in warned.message
    assert warned.message.endswith("trasmallo login DIR a.example --probe URL")


def test_a_probe_is_asked_for_now_and_then() -> None:
    host = Probed()
    ask(host, probed(1.0, "1"), *(f"https://a.example/{number}" for number in range(2 * PROBE_EVERY)))  # type: ignore[arg-type]
    assert [number for number, url in enumerate(host.asked) if url.endswith("/me")] == [0, PROBE_EVERY + 1]


@pytest.mark.parametrize(("encoding", "holds"), [("utf-8", True), ("latin-1", True), ("utf-16", False)])
def test_a_probe_is_read_in_the_usual_encodings(encoding: str, holds: bool) -> None:
    login = Login(host=HOST, kind="cookies", probe="https://a.example/me", probe_text="Sesión de Ana")
    body = "<p>Sesión de Ana</p>".encode(encoding)
    answer = Response(url=login.probe, at=0.0, status=200, reason="", headers=(), body=body, content=body)
    assert shows_probe(login, answer) is holds


def test_a_damaged_file_of_log_ins_does_not_end_a_crawl() -> None:
    def damaged() -> Mapping[str, Login]:
        raise StoreDamaged("{path} cannot be read", "remove it", path="x")

    async def go() -> list[Response | Failure]:
        session = Session(Door(status=401), {HOST: BASIC}, lambda _: None, lambda: 1_000.0, read_again=damaged)
        return [await session.get("https://a.example/1"), await session.get("https://a.example/2")]

    assert isinstance(asyncio.run(go())[1], Failure)
