"""Session of a crawl with its hosts: sends each the log-in that the user gave for it, and notices when that has ended.

1. A log-in goes to its own host alone, and never over plain HTTP where it came for TLS.
2. What would log out is not asked for.
3. What is kept of requests and answers has no secret in it: cookies and authorisations are taken out before anybody sees them.
4. Where a host answers as to a stranger, the log-in has ended: that is told once, and the host is left alone until there is a
   new one, which is taken up as soon as it is kept. Nothing is tried twice.
   Where the user named a probe, that page is asked for at first, every so many pages, and before a page with a field for
   passwords is believed; without the text that must be there the log-in has ended. A probe that robots.txt forbids is left.
5. A host that sends everybody back to the same address with a cookie gets it back, for this run.
"""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec

from trasmallo.crawl.fetching import Fetching
from trasmallo.crawl.logins.credentials import MOST_COOKIES, Cookie, Login, covers
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.events import Emit, Warned
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Failure, Outcome, Response
from trasmallo.values.urls import host, host_key

_MOST_HOSTS = 1_000
"""Hosts whose cookies are kept in a run. Judgement: those that need any are few."""
_LOG_OUT = re.compile(
    r"[/?&=_.-](?:log|sign)[-_]?(?:out|off)(?:[/?&=.#_-]|$)|[/?&=](?:cerrar|finalizar)[-_]?sesi[oó]n|[/?&=](?:salir|desconectar)(?:[/?&.]|$)"
    r"|[/?&=]d[eé]connexion|[/?&=]abmelden|end_?session|revoke",
    re.IGNORECASE,
)
PROBE_EVERY = 25
"""Pages of a host between two looks at its probe. Judgement: 4 % more requests, and as many pages of a stranger at worst."""
_PASSWORD = re.compile(rb"""<input\b[^<>]{0,1000}\btype\s*=\s*["']?password\b""", re.IGNORECASE)
_SECRET_LINES = re.compile(rb"(?im)^(?:cookie|authorization|proxy-authorization):[^\r\n]*\r\n")
_SECRET_HEADERS = frozenset({"set-cookie", "set-cookie2", "authentication-info"})
_LOG_IN = r"(?:log|sign)[-_]?in|/auth|acceso|acceder|/sso|/session|two-?factor|/2fa|/mfa|/otp\b|captcha"
_PAIR = re.compile(r"^\s*([^=;\s]+)\s*=\s*([^;]*)")


class Session:
    """Asks through a fetcher with the log-ins of some hosts; it brings answers as the fetcher does."""

    def __init__(
        self,
        fetcher: Fetching,
        logins: Mapping[str, Login],
        emit: Emit,
        clock: Callable[[], float] = time.time,
        read_again: Callable[[], Mapping[str, Login]] | None = None,
        robots: RobotsRules | None = None,
    ) -> None:
        self._fetcher, self._logins, self._emit, self._clock = fetcher, dict(logins), emit, clock
        self._read_again = read_again
        self._robots = robots
        self._unprobed: dict[str, int] = {}
        self._ended: dict[str, str] = {}
        self._cookies: dict[str, dict[str, str]] = {}

    async def get(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = {},
        progress: Callable[[int, int], None] | None = None,
        from_public: bool = False,
    ) -> Response | Failure:
        """One answer or failure, redirects not followed."""
        login = self._logins.get(host(url)) if self._logins else None
        if login is None:
            return await self._without_login(url, method=method, headers=headers, progress=progress, from_public=from_public)
        login = self._renewed(login)
        if cause := self._refusal(url, login) or await self._probed(login):
            return Failure(url, self._clock(), Outcome.LOGIN, cause)
        answer = await self._as_user(login, url, method=method, headers=headers, progress=progress, from_public=from_public)
        if isinstance(answer, Failure):
            return answer
        self._notice_end(login, answer)
        if login.probe and _PASSWORD.search(answer.content) and (cause := await self._probed(login, at_once=True)):
            return Failure(url, self._clock(), Outcome.LOGIN, cause)
        return without_secrets(answer)

    async def _as_user(
        self,
        login: Login,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = {},
        progress: Callable[[int, int], None] | None = None,
        from_public: bool = False,
    ) -> Response | Failure:
        sent = {**headers, **self._fields(login, url)}
        answer = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        if login.kind == "digest" and isinstance(answer, Response) and answer.status == 401:
            sent = {**headers, **digest_field(login, method, url, answer.header("WWW-Authenticate"))}
            answer = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        return answer

    def _renewed(self, login: Login) -> Login:
        """The log-in as it is kept now, if the one we have has ended; a newer one is used at once."""
        if login.host in self._ended and self._read_again is not None:
            try:
                newer = self._read_again().get(login.host)
            except StoreDamaged:
                newer = None  # who logs in again will hear of it
            if newer is not None and newer.since > login.since:
                self._logins[login.host] = newer
                self._ended.pop(login.host)
                self._unprobed.pop(login.host, None)
                return newer
        return login

    async def _probed(self, login: Login, *, at_once: bool = False) -> str:
        """Why the log-in has ended by its probe, which is asked for when it is time; "" while it holds."""
        if not login.probe:
            return ""
        pages = self._unprobed.get(login.host, PROBE_EVERY)
        self._unprobed[login.host] = pages + 1
        if pages < PROBE_EVERY and not at_once:
            return ""
        self._unprobed[login.host] = 1
        if not await self._may_probe(login):
            return ""
        answer = await self._as_user(login, login.probe)
        if isinstance(answer, Failure):
            return ""  # a page that cannot be had says nothing of who we are
        if answer.status >= 500 or shows_probe(login, answer):
            return ""
        self._end(login, f"its probe {login.probe} does not show {login.probe_text!r}")
        return self._ended[login.host]

    async def _may_probe(self, login: Login) -> bool:
        """Whether robots.txt lets the probe be asked for; where a line of it does not, that is told and it is left for good."""
        verdict = await self._robots.verdict(login.probe) if self._robots else None
        if verdict is None or verdict.allowed:
            return True
        if verdict.line:
            self._logins[login.host] = msgspec.structs.replace(login, probe="")
            repair = f"name another page with: trasmallo login DIR {login.host} --probe URL"
            self._emit(Warned(message=f"the probe {login.probe} may not be asked for ({verdict.cause}); {repair}"))
        return False

    async def _without_login(
        self,
        url: str,
        *,
        method: str,
        headers: Mapping[str, str],
        progress: Callable[[int, int], None] | None,
        from_public: bool,
    ) -> Response | Failure:
        known = self._cookies.get(host_key(url)) if self._cookies else None
        sent = {**headers, "Cookie": _joined(known)} if known else headers
        answer = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        if isinstance(answer, Failure) or not _wants_cookie(url, answer):
            return without_secrets(answer) if known and isinstance(answer, Response) else answer
        given = _given(answer)
        if not given or (known and given.items() <= known.items()) or (not known and len(self._cookies) >= _MOST_HOSTS):
            return answer
        kept = self._cookies[host_key(url)] = dict(list({**(known or {}), **given}.items())[:MOST_COOKIES])
        sent = {**headers, "Cookie": _joined(kept)}
        again = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        return without_secrets(again) if isinstance(again, Response) else again

    def _refusal(self, url: str, login: Login) -> str:
        if cause := self._ended.get(login.host):
            return cause
        return "it would log out" if logs_out(url) else ""

    def _fields(self, login: Login, url: str) -> dict[str, str]:
        if login.kind == "cookies":
            fitting = [cookie for cookie in login.cookies if _fits(cookie, url, self._clock())]
            return {"Cookie": _joined({cookie.name: cookie.value for cookie in fitting})} if fitting else {}
        if login.kind == "basic":
            pair = base64.b64encode(f"{login.user}:{login.secret}".encode()).decode("ascii")
            return {"Authorization": f"Basic {pair}"}
        return {"Authorization": f"Bearer {login.secret}"} if login.kind == "bearer" else {}

    def _notice_end(self, login: Login, answer: Response) -> None:
        """Remember that a host takes its visitor for a stranger."""
        leads = location_of(answer) if 300 <= answer.status < 400 else ""
        if answer.status == 401:
            sign = "it asks who we are (401)"
        elif leads and _is_login(leads) and not _is_login(answer.url):
            sign = f"it leads to {leads}"
        else:
            return
        self._end(login, sign)

    def _end(self, login: Login, sign: str) -> None:
        self._ended[login.host] = f"the log-in ended: {sign}"
        repair = f"log in again with: trasmallo login DIR {login.host}"
        self._emit(
            Warned(message=f"the log-in at {login.host} ended: {sign}. Its pages wait; {repair}, then: trasmallo run DIR")
        )


def shows_probe(login: Login, answer: Response) -> bool:
    """Whether the page that the user named shows what only who is logged in sees."""
    wanted = {login.probe_text.encode(encoding, "replace") for encoding in ("utf-8", "latin-1")}
    return answer.status == 200 and any(each in answer.content for each in wanted)


def logs_out(url: str) -> bool:
    """Whether an address is one that ends a log-in."""
    return _LOG_OUT.search(url) is not None


def without_secrets(answer: Response) -> Response:
    """An answer as it may be kept: without the cookies and authorisations of its request and its own."""
    headers = tuple(pair for pair in answer.headers if pair[0].lower() not in _SECRET_HEADERS)
    return msgspec.structs.replace(answer, headers=headers, request=_SECRET_LINES.sub(b"", answer.request))


def digest_field(login: Login, method: str, url: str, challenge: str) -> dict[str, str]:
    """The answer to a challenge of Digest authentication (RFC 7616; MD5 and SHA-256, quality auth)."""
    asked = {name: quoted or bare for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|([^,\s]+))', challenge)}
    algorithm = asked.get("algorithm", "MD5")
    hashed = hashlib.sha256 if algorithm.upper().startswith("SHA-256") else hashlib.md5

    def digest(text: str) -> str:
        return hashed(text.encode(), usedforsecurity=False).hexdigest()

    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    realm, nonce, count = asked.get("realm", ""), asked.get("nonce", ""), "00000001"
    own = hashlib.sha256(f"{nonce}{time.time_ns()}".encode()).hexdigest()[:16]
    first, second = digest(f"{login.user}:{realm}:{login.secret}"), digest(f"{method}:{path}")
    response = digest(f"{first}:{nonce}:{count}:{own}:auth:{second}") if "qop" in asked else digest(f"{first}:{nonce}:{second}")
    fields = {"username": login.user, "realm": realm, "nonce": nonce, "uri": path, "response": response}
    fields |= {"opaque": asked["opaque"]} if "opaque" in asked else {}
    quoted = ", ".join(f'{name}="{value}"' for name, value in fields.items())
    quality = f', qop=auth, nc={count}, cnonce="{own}"' if "qop" in asked else ""
    return {"Authorization": f"Digest {quoted}, algorithm={algorithm}{quality}"}


def _fits(cookie: Cookie, url: str, now: float) -> bool:
    parts = urlsplit(url)
    if (cookie.secure and parts.scheme != "https") or (cookie.expires and cookie.expires < now):
        return False
    path = parts.path or "/"
    below = path == cookie.path or path.startswith(cookie.path.rstrip("/") + "/")
    return below and covers(cookie.domain, parts.hostname or "")


def _joined(cookies: Mapping[str, str] | None) -> str:
    return "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())


def _wants_cookie(url: str, answer: Response) -> bool:
    """Whether a host sends us back to the same address, with a cookie that we should have."""
    is_redirect = 300 <= answer.status < 400 and answer.status != 304
    return is_redirect and location_of(answer) == url and bool(answer.header("Set-Cookie"))


def _given(answer: Response) -> dict[str, str]:
    values = [value for name, value in answer.headers if name.lower() == "set-cookie"]
    return {found[1]: found[2].strip() for value in values if (found := _PAIR.match(value))}


def _is_login(url: str) -> bool:
    return re.search(_LOG_IN, url, re.IGNORECASE) is not None
