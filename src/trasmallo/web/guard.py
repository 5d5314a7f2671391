"""Guard of the app, which lets in by the right name of this machine, the token, and for changes a form of our own.

1. The Host must be one of ours: another name that leads here is a rebound one (DNS rebinding).
2. The token comes once in the address (`?token=`) and is then a cookie, or as `Authorization: Bearer`.
3. A change that comes with a cookie must come from our own pages: its Origin is checked here, its form's token in `pages`.
4. Who shows results to others (`read_only`) takes no changes at all.
5. Who does not show the token waits: of such requests one is looked at in each turn of the loop, all others in theirs.

Every answer says that nothing but our own files may be loaded, run or framed.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from urllib.parse import urlencode

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trasmallo.values.errors import UsageError
from trasmallo.web.rendering import show_error

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
STORED_PAGE = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""The policy of a page that strangers wrote: nothing of it runs, and nothing is asked for."""

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: browsers would then say "null" for the Origin of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD", "OPTIONS")
_OPEN_PATHS = ("/static/",)
_EXTENSIONS = ("chrome-extension", "moz-extension")
_FROM_EXTENSION = ("/api/pages", "/api/marks")


class AppDoor(msgspec.Struct, frozen=True):
    """How the app is entered: its token, the names of this machine that count (with port), and whether it may be changed.

    Who has the token is the system's `user` of that name; "" is the one that the app runs as.
    """

    token: str
    hosts: frozenset[str]
    read_only: bool = False
    scheme: str = "http"
    user: str = ""

    def key(self, purpose: str) -> str:
        """A secret of its own for each purpose; the token cannot be found from it."""
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()

    @property
    def cookie(self) -> str:
        """The cookie's name; browsers do not keep ports apart, so it holds this one's."""
        port = next(iter(sorted(self.hosts))).rpartition(":")[2]
        return f"trasmallo-{port}"

    def admits(self, given: str) -> bool:
        """Whether this is the token; takes as long when it is nearly right."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def bearer(self, request: HTTPConnection) -> bool:
        """Whether a request brings the token in its header, as programs do."""
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self.admits(given.strip())

    def lets_in(self, request: HTTPConnection) -> bool:
        """Whether a request brings the token in its header, or the cookie that was made of it."""
        cookie = request.cookies.get(self.cookie, "").encode()
        return hmac.compare_digest(cookie, self.key("cookie").encode()) or self.bearer(request)

    def knows(self, request: HTTPConnection) -> bool:
        """Whether a request comes from somebody who has the token, be it in the address."""
        return self.lets_in(request) or self.admits(request.query_params.get("token", ""))


class Guard:
    """Lets requests in, and puts our rules on every answer."""

    def __init__(self, app: ASGIApp, door: AppDoor) -> None:
        self._app = app
        self._door = door
        self._strangers = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        if not self._door.knows(request):
            async with self._strangers:
                await asyncio.sleep(0)
        refusal = self._answer(request)
        await (refusal or self._app)(scope, receive, _with_headers(send, _origin_of_extension(request)))

    def _answer(self, request: Request) -> Response | None:
        """What is said at the door; None lets the request in."""
        door = self._door
        if request.headers.get("host", "").lower() not in door.hosts:
            hosts = ", ".join(sorted(door.hosts))
            return show_error(request, UsageError("this machine is not called so", "use one of {hosts}", hosts=hosts), 421)
        if request.scope["path"].startswith(_OPEN_PATHS):
            return None
        if request.method == "OPTIONS":
            return _preflight(request)
        return self._check_token(request) or self._check_change(request)

    def _check_token(self, request: Request) -> Response | None:
        door = self._door
        if "token" in request.query_params and request.method == "GET":
            if door.admits(request.query_params["token"]):
                return self._welcome(request)
            return show_error(request, UsageError("the token is another one", _WHERE), 403)
        request.state.bearer, request.state.inside = door.bearer(request), door.lets_in(request)
        if request.state.inside:
            return None
        return show_error(request, UsageError("the token is missing", _WHERE), 401)

    def _welcome(self, request: Request) -> Response:
        """Turn the token in the address into a cookie, and take it out of the address."""
        rest = [pair for pair in request.query_params.multi_items() if pair[0] != "token"]
        # Two slashes in front would be another machine's address.
        path = "/" + request.scope["path"].lstrip("/")
        answer = RedirectResponse(path + ("?" + urlencode(rest) if rest else ""), 303)
        answer.set_cookie(
            self._door.cookie, self._door.key("cookie"), max_age=30 * 86_400, httponly=True, samesite="lax", path="/"
        )
        return answer

    def _check_change(self, request: Request) -> Response | None:
        if request.method in _SAFE:
            return None
        if self._door.read_only:
            refusal = UsageError("this app only shows results", "start it without --read-only to change something")
            return show_error(request, refusal, 403)
        if not request.state.bearer and not self._is_ours(request):
            return show_error(request, UsageError("this change comes from another page", "make it in the app itself"), 403)
        return None

    def _is_ours(self, request: HTTPConnection) -> bool:
        """Whether a page of ours sent it; browsers tell the Origin with every change."""
        origin = request.headers.get("origin")
        return origin in {f"{self._door.scheme}://{host}" for host in self._door.hosts}


_WHERE = "open the address that `trasmallo serve` printed"


def _preflight(request: Request) -> Response:
    """A browser asks whether our extension may send a page; nobody else may ask anything across origins."""
    allowed = request.scope["path"] in _FROM_EXTENSION and _origin_of_extension(request)
    headers = {"Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Authorization, Content-Type"}
    return Response(status_code=204 if allowed else 403, headers=headers if allowed else None)


def _origin_of_extension(request: Request) -> str:
    """The origin of a browser extension that sends a page, "" for anybody else."""
    origin = request.headers.get("origin", "")
    return origin if request.scope["path"] in _FROM_EXTENSION and origin.partition("://")[0] in _EXTENSIONS else ""


def _with_headers(send: Send, extension: str) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", POLICY)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if extension:
                headers["Access-Control-Allow-Origin"] = extension
                headers.add_vary_header("Origin")
        await send(message)

    return wrapped
