"""Reasons to find out what a host says of addresses that do not exist; without one it is not asked, since that is a request.

A host that says 404 or 410 to one address is taken to say it of all that do not exist, until a page calls itself not found with
a status that says all is well. Else two answers that look alike are a reason: pages with one title and nearly one length, or
redirects from different addresses to one.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import xxhash

from trasmallo.crawl.judgement.page_facts import title_octets, title_text
from trasmallo.crawl.outcomes import location_of, media_of
from trasmallo.values.model import Outcome, Response
from trasmallo.values.urls import host_key

_MOST_REMEMBERED = 100_000
"""Titles and redirects of all hosts, the last ones; about 150 bytes each. Judgement: those of some hundred pages a host."""

_MOST_HOSTS = 100_000  # judgement: hosts remembered to say 404; about 100 bytes each, and what is forgotten costs a request
_NEARLY = 0.02  # judgement: share by which pages differ in length that repeat their address, or the time
_SAYS_MISSING = (
    "404",
    "not found",
    "no encontrad",
    "no exist",
    "not exist",
    "no se encuentra",
    "not available",
    "no disponible",
    "introuvable",
    "non trouve",
    "nicht gefunden",
    "non trovata",
    "nao encontrada",
    "no trobada",
)
"""What titles have, plain, of pages that are not there. One in an article's title costs a request, no page."""


class Suspicion:
    """What is remembered of answers to see which look alike; lost with the session, and found again."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._honest: dict[str, None] = {}

    def rises(self, answer: Response, outcome: Outcome) -> bool:
        """Remember an answer; whether it is a reason to find out what its host says of addresses that do not exist."""
        host = host_key(answer.url)
        if outcome is Outcome.MISSING:
            self._remember_honest(host)
            return False
        if outcome is Outcome.REDIRECTED:
            return host not in self._honest and self._leads_alike(host, answer)
        if outcome is not Outcome.FETCHED or media_of(answer) not in ("text/html", "application/xhtml+xml", ""):
            return False
        title = title_octets(answer.content)
        return calls_itself_missing(title) or (host not in self._honest and self._looks_alike(host, title, answer))

    def _remember_honest(self, host: str) -> None:
        if host not in self._honest and len(self._honest) >= _MOST_HOSTS:
            del self._honest[next(iter(self._honest))]
        self._honest[host] = None

    def _looks_alike(self, host: str, title: bytes, answer: Response) -> bool:
        """Whether an earlier page of the host had this title and nearly this length."""
        if not title:
            return False
        key, length = xxhash.xxh3_64_intdigest(b"%b %b" % (host.encode(), title)), len(answer.content)
        before = self._remember(key, length)
        return before is not None and abs(before - length) <= _NEARLY * length

    def _leads_alike(self, host: str, answer: Response) -> bool:
        """Whether another address of the host led to the same place; to the same page under another name does not count."""
        location, asked = urlsplit(location_of(answer)), urlsplit(answer.url)
        if location.path.strip("/") == asked.path.strip("/"):
            return False
        source = xxhash.xxh3_64_intdigest(asked.path.encode())
        before = self._remember(xxhash.xxh3_64_intdigest(f"{host} > {location.geturl()}".encode()), source)
        return before is not None and before != source

    def _remember(self, key: int, value: int) -> int | None:
        """What was remembered under a key, and is no more: the last value is."""
        before = self._seen.pop(key, None)
        if len(self._seen) >= _MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        self._seen[key] = value
        return before


def calls_itself_missing(title: bytes) -> bool:
    """Whether a title may say that the page is not there."""
    text = title_text(title)
    return any(map(text.__contains__, _SAYS_MISSING))
