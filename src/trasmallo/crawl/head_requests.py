"""Where a HEAD may save a download: pages whose servers do not answer conditional requests, but tell a length or a date.

The textbook's figure 3.5: the head of an answer says whether a page is as it is stored. A conditional GET says the same in one
request, so HEAD is for pages without validators, and for hosts that answer conditional requests with the same page over and
over. It is one request more where the page did change; small pages are asked for at once. What a host makes of HEAD is learnt
in each crawl: one that refuses it, says nothing, or is found wrong is asked no more so.

Neither is believed for ever: servers are there that answer "as before" whatever became of a page. So each page is asked for
whole at times, without conditions.
"""

from __future__ import annotations

import base64
import hashlib
from enum import Enum

import xxhash

from trasmallo.crawl.judgement.judgement import Judgement
from trasmallo.crawl.outcomes import conditions_of, validators_of
from trasmallo.values.model import Failure, Fetch, Outcome, Response
from trasmallo.values.urls import host_key

SMALLEST = 32_000
"""Bytes of a page, as sent, from which on a HEAD is worth its request. Judgement: thirty times the heads of a request and its
answer, so that it pays where one page in thirty is as before."""

_DEAF = 2  # judgement: conditional requests in a row that were answered with the very page
_LOOKED_THROUGH = 4
"""Of so many visits to a page that only its length speaks for, one asks for it whole. Judgement: a text that changes seldom
keeps its length, a date in it changes and keeps it too."""

_WHOLE_EVERY = 64.0
"""Days in which a page is asked for whole once, on average, however often it is visited. Judgement: 1.6 % of the bytes where
nothing changes and pages are visited daily; a copy that its server lies about is that old at most."""

_MOST_WHOLE = 1 / 16
"""Of visits that are far apart at most so many ask for the page whole. Judgement: 6 % of the bytes."""

_DAY = 86_400.0  # seconds
_PARTS = 1 << 16  # of one, in which chances are counted

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which a host is not asked for more at once."""


class Said(Enum):
    """What a HEAD says of a page: it is as it is stored; ask for it; or ask nobody now, the answer stands for the page's."""

    SAME = "same"
    ASK = "ask"
    LATER = "later"


class HeadRequests:
    """Which pages are asked for by HEAD first, by what is known of them and of their hosts."""

    def __init__(self, smallest: int = SMALLEST) -> None:
        self._smallest = smallest
        self._deaf: dict[str, int] = {}
        self._useless: set[str] = set()

    def conditions(self, known: Fetch | None, now: float) -> dict[str, str]:
        """The headers that ask for a page only if it is not as it is stored; none where it is time to see it whole."""
        return conditions_of(known) if known is None or not is_seen_whole(known, now) else {}

    def is_worth(self, known: Fetch | None, now: float) -> bool:
        """Whether to ask by HEAD for a page of which this version is stored."""
        if known is None or known.size < self._smallest or is_seen_whole(known, now):
            return False
        if (host := host_key(known.url)) in self._useless:
            return False
        if (known.etag or known.modified) and self._deaf.get(host, 0) < _DEAF:
            return False
        return bool(known.modified) or _drawn(known.url, now) % _LOOKED_THROUGH > 0

    def read(self, known: Fetch, answer: Response | Failure) -> Said:
        """What the answer to a HEAD says; of one that says nothing it is remembered."""
        if isinstance(answer, Failure) or answer.status in _PASSING:
            return Said.LATER
        length, (_, modified) = answer.header("content-length").strip(), validators_of(answer)
        if answer.status != 200 or not (length.isascii() and length.isdigit() and (known.modified or int(length))):
            if 200 <= answer.status < 300 or answer.status in (405, 501):
                self._useless.add(host_key(known.url))
            return Said.ASK
        return Said.SAME if int(length) == known.size and modified == known.modified else Said.ASK

    def learn(self, known: Fetch | None, answer: Response | Failure, *, looked: bool) -> None:
        """What a GET brought of a page of which a version is stored, after a HEAD (`looked`) that said it is another."""
        if known is None or isinstance(answer, Failure) or not (known.etag or known.modified or looked):
            return
        host = host_key(known.url)
        if answer.status == 304:
            self._deaf[host] = 0
        elif answer.status == 200 and len(answer.body) == known.size and _digest(answer.body) == known.digest:
            self._deaf[host] = self._deaf.get(host, 0) + 1
            if looked:
                self._useless.add(host)


def is_seen_whole(known: Fetch, now: float) -> bool:
    """Whether a page that was last visited as `known` is asked for now whatever its server says of it."""
    chance = min((now - known.at) / _DAY / _WHOLE_EVERY, _MOST_WHOLE)
    return _drawn(known.url, known.at) % _PARTS < chance * _PARTS


def _drawn(url: str, at: float) -> int:
    """A number that nobody can tell beforehand who does not know when a page was visited."""
    return xxhash.xxh3_64_intdigest(f"{url} {int(at)}".encode())


def unchanged_by_head(known: Fetch) -> Judgement:
    """The judgement on the answer to a HEAD that says that a page is as it is stored."""
    told = "its length and date are" if known.modified else "its length is"
    return Judgement(Outcome.UNCHANGED, f"asked by HEAD: {told} as before")


def _digest(body: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
