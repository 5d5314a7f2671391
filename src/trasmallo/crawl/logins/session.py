"""Session of a crawl with its hosts: sends each the log-in that the user gave for it, and notices when that has ended.

1. A log-in goes to its own host alone, and never over plain HTTP where it came for TLS.
2. What would log out is not asked for.
3. What is kept of requests and answers has no secret in it: cookies and authorisations are taken out before anybody sees them.
4. Where a host answers as to a stranger, the log-in has ended: that is told once, and the host is left alone until there is a
   new one. Nothing is tried twice.
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
from trasmallo.events import Emit, Warned
from trasmallo.values.model import Failure, Outcome, Response
from trasmallo.values.urls import host, host_key

_MOST_HOSTS = 1_000
"""Hosts whose cookies are kept in a run. Judgement: those that need any are few."""
_LOG_OUT = re.compile(
    r"[/?&=_.-](?:log|sign)[-_]?(?:out|off)(?:[/?&=.#_-]|$)|[/?&=](?:cerrar|finalizar)[-_]?sesi[oó]n|[/?&=](?:salir|desconectar)(?:[/?&.]|$)"
    r"|[/?&=]d[eé]connexion|[/?&=]abmelden|end_?session|revoke",
    re.IGNORECASE,
)
_SECRET_LINES = re.compile(rb"(?im)^(?:cookie|authorization|proxy-authorization):[^\r\n]*\r\n")
_SECRET_HEADERS = frozenset({"set-cookie", "set-cookie2", "authentication-info"})
_PAIR = re.compile(r"^\s*([^=;\s]+)\s*=\s*([^;]*)")


class Session:
    """Asks through a fetcher with the log-ins of some hosts; it brings answers as the fetcher does."""

    def __init__(
        self, fetcher: Fetching, logins: Mapping[str, Login], emit: Emit, clock: Callable[[], float] = time.time
    ) -> None:
        self._fetcher, self._logins, self._emit, self._clock = fetcher, logins, emit, clock
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
        login = self._logins.get(host(url))
        if login is None:
            return await self._without_login(url, method=method, headers=headers, progress=progress, from_public=from_public)
        if cause := self._refusal(url, login):
            return Failure(url, self._clock(), Outcome.LOGIN, cause)
        sent = {**headers, **self._fields(login, url)}
        answer = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        if login.kind == "digest" and isinstance(answer, Response) and answer.status == 401:
            sent = {**headers, **digest_field(login, method, url, answer.header("WWW-Authenticate"))}
            answer = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        if isinstance(answer, Failure):
            return answer
        self._notice_end(login, answer)
        return without_secrets(answer)

    async def _without_login(
        self,
        url: str,
        *,
        method: str,
        headers: Mapping[str, str],
        progress: Callable[[int, int], None] | None,
        from_public: bool,
    ) -> Response | Failure:
        key = host_key(url)
        known = self._cookies.get(key)
        sent = {**headers, "Cookie": _joined(known)} if known else headers
        answer = await self._fetcher.get(url, method=method, headers=sent, progress=progress, from_public=from_public)
        if isinstance(answer, Failure) or not _wants_cookie(url, answer):
            return without_secrets(answer) if known and isinstance(answer, Response) else answer
        given = _given(answer)
        if not given or (known and given.items() <= known.items()) or (not known and len(self._cookies) >= _MOST_HOSTS):
            return answer
        self._cookies[key] = dict(list({**(known or {}), **given}.items())[:MOST_COOKIES])
        sent = {**headers, "Cookie": _joined(self._cookies[key])}
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
        self._ended[login.host] = f"the log-in ended: {sign}"
        repair = f"log in again with: trasmallo login DIR {login.host}"
        self._emit(
            Warned(message=f"the log-in at {login.host} ended: {sign}. Its pages wait; {repair}, then: trasmallo run DIR")
        )


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
    return 300 <= answer.status < 400 and location_of(answer) == url and bool(answer.header("Set-Cookie"))


def _given(answer: Response) -> dict[str, str]:
    values = [value for name, value in answer.headers if name.lower() == "set-cookie"]
    return {found[1]: found[2].strip() for value in values if (found := _PAIR.match(value))}


def _is_login(url: str) -> bool:
    return re.search(r"(?:log|sign)[-_]?in|/auth|acceso|acceder|/sso|/session", url, re.IGNORECASE) is not None
