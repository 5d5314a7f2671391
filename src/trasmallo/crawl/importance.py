"""Importance of addresses in any crawl: a cheap score from what is known before an address is asked for, and why.

score = 0.30 / (1 + depth) + 0.30 * links + sitemap + address + hints, from 0 to about 1.

- `links` is an online estimate of PageRank after OPIC (Abiteboul, Preda, Cobena 2003): each page gives what it has to the pages
  it leads to, half of it to its own site and half to others, each divided by their number. A link that stands on all pages of a
  site is seen once (`link_cache`), so that menus do not count by their repetition.
- `sitemap`: 0.2 * (priority - 0.5), where a sitemap states one.
- `address`: less for queries, for many steps and for long addresses.
- `hints`: 0.5 more for what the user prefers, 0.5 less for what is to be avoided.

Scores are kept in steps of 0.05, so that among near equals depth and arrival decide as ever. Memory: what 100,000 addresses
have, and at most as many addresses to be moved, some 250 bytes each: 50 MB at the worst. Those with least are forgotten
first.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.ranking import FIRST, Ranked
from trasmallo.crawl.scope import compile_patterns
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.model import Failure, Response, Target
from trasmallo.values.sealed_json import decode_sealed, encode_sealed
from trasmallo.values.urls import host_key

NAME = "importance"
_UNIT = 1000  # priorities in a score of 1
_STEP = 50  # judgement: differences below a twentieth are noise
_FLOOR = 1  # pages come after start addresses and sitemaps, whatever their score
_MOST = 100_000  # see the arithmetic above
_START = 1.0  # what a start address has to give
_UNHEARD = 0.02  # judgement: what a page has that came without a link we saw
_FULL = 0.5  # judgement: with so much a page has the full score for its links
_FULL_LOG = math.log1p(100 * _FULL)
_NOTABLE = 2 * _STEP  # judgement: what waits is moved for no less
_NOTABLE_CASH = [math.expm1(steps * _NOTABLE / (0.3 * _UNIT) * _FULL_LOG) / 100 for steps in (1, 2, 3)]  # where gains pass it
_LOOKED_THROUGH = 5  # judgement: to move what waits the queue is read, 2 µs an address, which is then at most 10 µs a page
_LONG, _DEEP = 100, 4  # judgement: characters and steps of an address that are usual
_SLASHES = 2 + _DEEP  # of a usual address


class _Kept(msgspec.Struct):
    cash: dict[str, float] = {}


class Importance:
    """Ranks what the pages of a crawl lead to, and keeps what it learned in a file of the frontier's folder.

    An `empty` one knows nothing of the file: somebody shows it all pages again.
    """

    def __init__(self, folder: Path, config: CrawlConfig, *, empty: bool = False) -> None:
        self._path = folder / NAME
        self._cash = {} if empty else _read(self._path).cash
        self._prefer, self._avoid = compile_patterns(config.prefer), compile_patterns(config.avoid)
        self._hinted = bool(self._prefer or self._avoid)
        self._moved: dict[str, int] = {}
        self._pages = self._waiting = 0

    def rank(
        self, page: Target, _answer: Response | None, found: Sequence[Target], stated: Mapping[str, float]
    ) -> Sequence[Target]:
        """Give what a page leads to its priority; `stated` are those of a sitemap."""
        if not found:
            self._pages += 1
            return found
        self._pages += 1
        self._waiting += len(found)
        return self._give(page, found, stated)

    def moves(self) -> dict[str, int]:
        """What waits and has gained much, when it is worth to look through the queue for it; by number of pages alone."""
        if not self._moved or self._pages < max(200, self._waiting // _LOOKED_THROUGH):
            return {}
        moved, self._moved, self._pages = self._moved, {}, 0
        return moved

    def explain(self, target: Target) -> Ranked:
        """Score and reasons of what waits, by the place that it was given: what is left of it are the links that were seen."""
        if target.priority <= 0:
            return Ranked(1.0, {}, "start address or sitemap: goes first")
        score = (_UNIT - target.priority) / _UNIT
        parts = {"depth": _of_depth(target), "address": _shape(target.url), **self._special(target.url, None)}
        parts["links"] = max(0.0, score - sum(parts.values()))
        return Ranked(round(score, 3), {name: round(part, 3) for name, part in parts.items() if part}, _in_words(parts, target))

    ended = ""
    keeps_all = True

    def off_topic(self, _pages: Sequence[tuple[Target, Response | Failure]]) -> dict[str, str]:
        """Nothing: there is no topic."""
        return {}

    def tell(self) -> tuple[bytes, ...]:
        """Nothing: a link to a host of another worker travels with the place that it was given."""
        return ()

    def hear(self, _told: Sequence[bytes]) -> None:
        """There is nothing to learn."""

    def take_marks(self, _marks: Mapping[str, bool]) -> None:
        """There is no topic."""

    def report(self) -> None:
        """There is no topic to tell of."""

    def save(self) -> None:
        """Write what was learned; what a kill loses is learned again."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, encode_sealed(_Kept(self._cash)))

    def _give(self, page: Target, found: Sequence[Target], stated: Mapping[str, float]) -> list[Target]:
        """Give what a page has to what it leads to, half to its own site and half to others, and all of it priorities.

        One loop with everything in it: it is run for every link that is found.
        """
        usual = _START if page.priority == 0 else _UNHEARD  # a page to which a start address redirects has 0, too
        cash, moved, site = self._cash, self._moved, host_key(page.url) + "/"
        has = cash.pop(page.url, usual)
        own = [target.url.startswith(site) for target in found]
        number = sum(own)
        shares = has / 2 / max(len(found) - number, 1), has / 2 / max(number, 1)
        gains = _of_links(shares[0]), _of_links(shares[1])
        special = bool(stated) or self._hinted
        depth, first, fresh = -1, 0.0, (0, 0)
        ranked = []
        for target, is_own in zip(found, own, strict=True):
            url = target.url
            if target.depth != depth:
                depth, first = target.depth, _UNIT * (1 - _of_depth(target))
                fresh = _place(first - gains[0]), _place(first - gains[1])
            had = cash.get(url)
            usual_form = not special and len(url) <= _LONG and "?" not in url and url.count("/") <= _SLASHES
            if had is None:
                cash[url] = shares[is_own]
                priority = fresh[is_own] if usual_form else self._placed(first - gains[is_own], url, stated)
            else:
                cash[url] = has_now = had + shares[is_own]
                gain = _of_links(has_now)
                priority = _place(first - gain) if usual_form else self._placed(first - gain, url, stated)
                if bisect_right(_NOTABLE_CASH, had) < bisect_right(_NOTABLE_CASH, has_now) and len(moved) < _MOST:
                    moved[url] = priority
            if target.priority > FIRST:
                # By position: every link that is found.
                target = Target(url, depth, priority, target.via, target.hops, target.from_public, target.seed, target.reached)
            ranked.append(target)
        if len(cash) > _MOST:
            self._forget()
        return ranked

    def _placed(self, score: float, url: str, stated: Mapping[str, float]) -> int:
        """The priority of an address: what its depth and links leave, its form, and what a sitemap and the user say."""
        hints = self._special(url, stated.get(url)).values() if stated or self._hinted else ()
        return _place(score - _UNIT * (_shape(url) + sum(hints)))

    def _special(self, url: str, stated: float | None) -> dict[str, float]:
        """What a sitemap and the user say of an address."""
        parts = {} if stated is None else {"sitemap": 0.2 * (stated - 0.5)}
        if self._prefer and self._prefer.search(url):
            parts["preferred"] = 0.5
        if self._avoid and self._avoid.search(url):
            parts["avoided"] = -0.5
        return parts

    def _forget(self) -> None:
        kept = sorted(self._cash.items(), key=lambda item: -item[1])[: _MOST // 2]
        self._cash = dict(kept)


def _place(score: float) -> int:
    return max(_FLOOR, int(score) // _STEP * _STEP)


def _of_depth(target: Target) -> float:
    return 0.3 / (1 + target.depth)


def _shape(url: str) -> float:
    """What the form of an address takes off."""
    less = 0.05 if len(url) > _LONG else 0.0
    if "?" in url:
        less += 0.1
    return -less - 0.02 * max(0, url.count("/") - _SLASHES)


def _in_words(parts: Mapping[str, float], target: Target) -> str:
    said = [f"{target.depth} step{'' if target.depth == 1 else 's'} from a start address"]
    if parts["links"] >= _STEP / _UNIT:
        said.append("pages lead to it" if parts["links"] >= 0.15 else "few pages lead to it")
    if parts["address"] < 0:
        said.append("long or with a query")
    said += [name for name in ("preferred", "avoided") if name in parts]
    return "; ".join(said)


def _of_links(cash: float) -> float:
    """What links give, in priorities."""
    return 0.3 * _UNIT * min(1.0, math.log1p(100 * cash) / _FULL_LOG)


def _read(path: Path) -> _Kept:
    try:
        return decode_sealed(path.read_bytes(), _Kept)
    except (FileNotFoundError, msgspec.DecodeError):
        # What is damaged is learned again: it decides the order alone.
        return _Kept()
