"""The gate through which a browser's requests go: answered by the crawler's own fetcher, or refused with a cause.

The fetcher refuses private addresses, and keeps to its limits of size and time; robots.txt is asked here, for every address.
Only what may bring text is asked for: no pictures, fonts, media, style sheets or trackers, no frames, nothing but GET.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec

from trasmallo.crawl.fetch import is_private
from trasmallo.crawl.fetching import Fetching
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Failure, Response
from trasmallo.values.urls import host_key, resolve

MOST_REQUESTS = 60
"""Requests that one page may cause. Judgement: large applications ask for 40 files of code and data."""
MOST_BYTES = 20_000_000
"""Octets that they may bring together. Judgement: the code of the largest applications."""
_MOST_HOPS = 5  # judgement: redirects of one request
_CACHED_BYTES = 64_000_000  # judgement: the scripts of some hundred sites
_CACHED_SECONDS = 3600.0  # judgement: code changes more seldom
_WANTED = frozenset({"Script", "XHR", "Fetch", "Preflight"})
_FORWARDED = frozenset({"accept", "origin", "x-requested-with", "accept-language", "access-control-request-method",
                        "access-control-request-headers"})  # fmt: skip
_TRACKERS = re.compile(
    r"(?:^|\.)(?:google-analytics|googletagmanager|googletagservices|googlesyndication|doubleclick|googleadservices|facebook"
    r"|connect\.facebook|hotjar|clarity|scorecardresearch|quantserve|chartbeat|newrelic|nr-data|segment|mixpanel|amplitude"
    r"|optimizely|criteo|taboola|outbrain|adnxs|amazon-adsystem|matomo|piwik|sentry|bugsnag|fullstory|intercom|hs-analytics"
    r"|hs-scripts|mouseflow|crazyegg|parsely|permutive|onetrust|cookielaw|plausible|statcounter|yandex|addthis|sharethis)"
    r"\.(?:com|net|org|io|ms|ru|cloud|ai)$"
)
_TRACKING_PATH = re.compile(r"/(?:collect|beacon|pixel|analytics\.js|gtm\.js|gtag/js|matomo\.js|piwik\.js)(?:$|[?/])")


class BrowserRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a page asks for: `kind` is the protocol's type of the resource."""

    url: str
    method: str = "GET"
    kind: str = "Fetch"
    headers: Mapping[str, str] = {}


class Refusal(msgspec.Struct, frozen=True):
    """Why a request is not answered."""

    cause: str


class PageRequests(msgspec.Struct, kw_only=True):
    """What one page has asked for so far; `public` when nothing private may be asked for it."""

    public: bool
    host: str = ""
    asked: int = 0
    received: list[Response] = []
    refused: dict[str, int] = {}

    @property
    def octets(self) -> int:
        """What came, in all."""
        return sum(len(answer.body) for answer in self.received)


class RequestGate:
    """Answers the requests of all pages; scripts that several pages of a site use are asked for once an hour.

    `own` is asked for what a page wants of its own host, where the user may be logged in.
    """

    def __init__(
        self,
        fetcher: Fetching,
        robots: RobotsRules,
        clock: Callable[[], float] = time.time,
        own: Fetching | None = None,
    ) -> None:
        self._own = own or fetcher
        self._fetcher, self._robots, self._clock = fetcher, robots, clock
        self._cached: OrderedDict[str, Response] = OrderedDict()
        self._cached_bytes = 0

    async def answer(self, request: BrowserRequest, page: PageRequests) -> Response | Refusal:
        """What the browser is to be told; a refusal is counted with the page."""
        answer = self._refusal(request, page) or self._from_cache(request) or await self._ask(request, page)
        if isinstance(answer, Refusal):
            page.refused[answer.cause] = page.refused.get(answer.cause, 0) + 1
        return answer

    def _refusal(self, request: BrowserRequest, page: PageRequests) -> Refusal | None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("http", "https"):
            return Refusal("no web address")
        if request.kind not in _WANTED:
            return Refusal("brings no text")
        if request.method not in ("GET", "OPTIONS"):
            return Refusal(f"asks by {request.method[:10]}")
        if _TRACKERS.search(parts.hostname or "") or _TRACKING_PATH.search(parts.path):
            return Refusal("a tracker")
        if page.asked >= MOST_REQUESTS:
            return Refusal(f"more than {MOST_REQUESTS} requests")
        if page.octets >= MOST_BYTES:
            return Refusal(f"more than {MOST_BYTES} bytes")
        return None

    def _from_cache(self, request: BrowserRequest) -> Response | None:
        known = self._cached.get(request.url) if request.kind == "Script" and request.method == "GET" else None
        return known if known and self._clock() - known.at < _CACHED_SECONDS else None

    async def _ask(self, request: BrowserRequest, page: PageRequests) -> Response | Refusal:
        url = resolve(request.url, request.url)
        headers = {name: value for name, value in request.headers.items() if name.lower() in _FORWARDED}
        public = page.public
        for _ in range(_MOST_HOPS):
            if url is None:
                return Refusal("no address")
            if cause := await self._forbidden(url, public=public):
                return Refusal(cause)
            page.asked += 1
            fetcher = self._own if host_key(url) == page.host else self._fetcher
            answer = await fetcher.get(url, method=request.method, headers=headers, from_public=public)
            if isinstance(answer, Failure):
                return Refusal(f"{answer.outcome.value}: {answer.cause}")
            page.received.append(answer)
            public = public or not (answer.address and is_private(answer.address))
            if not 300 <= answer.status < 400 or not (url := location_of(answer)):
                self._remember(request, answer)
                return answer
        return Refusal(f"more than {_MOST_HOPS} redirects")

    async def _forbidden(self, url: str, *, public: bool) -> str:
        """Why an address may not be asked for; "" when it may."""
        host = host_key(url)
        robots = self._robots.known(host, self._clock()) or await self._robots.ask(host, from_public=public)
        if robots.failure is not None:
            return f"{robots.failure.outcome.value}: {robots.failure.cause}"
        return "" if robots.allows(url, self._robots.agent) else "refused by robots.txt"

    def _remember(self, request: BrowserRequest, answer: Response) -> None:
        if request.kind != "Script" or answer.status != 200 or len(answer.content) > _CACHED_BYTES // 8:
            return
        if "no-store" in answer.header("Cache-Control").lower():
            return
        if old := self._cached.pop(request.url, None):
            self._cached_bytes -= len(old.content)
        self._cached[request.url] = answer
        self._cached_bytes += len(answer.content)
        while self._cached_bytes > _CACHED_BYTES:
            self._cached_bytes -= len(self._cached.popitem(last=False)[1].content)
