"""Redirects that lead to no page: in a circle, beyond the number that is followed, or to what the project excludes.

The archive knows a redirect and where it leads, so its end is found when somebody asks, whoever crawled the others on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.link_policy import MOST_HOPS
from trasmallo.crawl.scope import Scope
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Outcome

CIRCLE, NOT_FOLLOWED = "redirects in a circle", "redirect not followed"

_SHOWN = 4  # judgement: addresses of a circle that a person wants to see


class LostRedirect(msgspec.Struct, frozen=True):
    """A redirect that leads to no page: `what` is CIRCLE or NOT_FOLLOWED."""

    url: str
    what: str
    cause: str
    at: float


def lost_redirects(catalog: Catalog, run: str, began: float, crawl: CrawlConfig) -> Iterator[LostRedirect]:
    """The redirects of a run that lead to no page, in order of arrival; those whose end may still be asked for are not.

    Takes about 350 bytes of memory a redirect, and a look into the catalog for each end of a chain.
    """
    leads = {fetch.url: (fetch.location, fetch.at) for fetch in catalog.of_run(run, Outcome.REDIRECTED)}
    from_where = {location: url for url, (location, _) in leads.items() if location != url}
    scope = Scope(crawl)
    for url, (location, at) in leads.items():
        if circle := _circle(url, leads):
            yield LostRedirect(url, CIRCLE, " → ".join(circle), at)
        elif location not in leads and not _is_asked(catalog, location, began):
            cause = _too_long(url, from_where) or scope.refuses(location, redirected=True)
            if cause:
                yield LostRedirect(url, NOT_FOLLOWED, f"{cause}: {location}", at)


def _circle(url: str, leads: Mapping[str, tuple[str, float]]) -> list[str]:
    """The way from an address back to itself, [] when there is none; of a long one its beginning and its end."""
    way = [url]
    for location in islice(_followed(url, leads), len(leads)):
        way.append(location)
        if location == url:
            return way if len(way) <= _SHOWN + 1 else [*way[:_SHOWN], "…", url]
    return []


def _followed(url: str, leads: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    """Where an address leads, and that one in turn; ends at a page, or at an address that was met before."""
    met: set[str] = set()
    while url in leads and url not in met:
        met.add(url)
        url = leads[url][0]
        yield url


def _too_long(url: str, from_where: Mapping[str, str]) -> str:
    """Why a chain that ends with this redirect was not followed, "" when its length is no reason."""
    hops, met = 0, {url}
    while (before := from_where.get(url)) is not None and before not in met:
        met.add(before)
        url, hops = before, hops + 1
    return f"more than {MOST_HOPS} redirects" if hops >= MOST_HOPS else ""


def _is_asked(catalog: Catalog, url: str, began: float) -> bool:
    return any(fetch.at >= began for fetch in islice(catalog.versions(url), 1))
