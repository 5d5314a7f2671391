"""Policy for links: which links, redirects and entries of an answer belong to the crawl, and sitemaps at their usual places."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.discover import USUAL_PLACES, Decode, discover
from trasmallo.crawl.fetch import Permissions
from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.crawl.fragments import fragment_pages
from trasmallo.crawl.link_cache import LinkCache
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.ranking import Ranker
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.trap_filter import TrapFilter
from trasmallo.events import Emit, Refused
from trasmallo.values.model import Failure, Fetch, Outcome, Reached, Response, Target
from trasmallo.values.site_rules import SiteRules
from trasmallo.values.urls import host_key, resolve

_NOTHING_PRIVATE = Permissions()
_NAMED, GUESSED = -1, -2
"""Priorities of sitemaps, before all pages: those that robots.txt names, and those that may be at a usual place."""

_REACHED = {"sitemap": Reached.SITEMAP, "feed": Reached.FEED}
NoteSitemap = Callable[[str, int], None]
"""Hears how many addresses of a host stand in a sitemap."""

MOST_HOPS = 10
"""Redirects in a row. Judgement: browsers follow 20, and who needs more than ten leads in a circle."""


class LinkPolicy:
    """Judges what is found. `agent` is the product token of directives, `decode` reads pages that are not UTF-8.

    What a public page leads to is marked; links to places that `permissions` name are left for a private page to find.
    `traps` learns from each page what it leads to. With `guesses` sitemaps are looked for at their usual places. `ranker` gives
    what is found its place in the queue, `book` asks the forms of pages, `note_sitemap` hears of sitemaps.
    """

    def __init__(
        self,
        config: CrawlConfig,
        scope: Scope,
        agent: str,
        decode: Decode,
        emit: Emit,
        permissions: Permissions = _NOTHING_PRIVATE,
        traps: TrapFilter | None = None,
        *,
        guesses: bool = True,
        ranker: Ranker | None = None,
        book: FormBook | None = None,
        note_sitemap: NoteSitemap | None = None,
    ) -> None:
        self._config = config
        self._scope = scope
        self._agent = agent
        self._decode = decode
        self._emit = emit
        self._permissions = permissions
        self._traps = traps
        self._guesses = guesses
        self._ranker = ranker
        self._cache = LinkCache()
        self._book = book
        self._note_sitemap = note_sitemap
        self._sites = SiteRules(config.render, config.render_sites)
        self._rules = scope.version

    def of(self, target: Target, answer: Response | Failure, fetch: Fetch) -> tuple[Sequence[Target], Sequence[str]]:
        """What the answer to a target leads to, and the links as they are written, for `settled`."""
        if not fetch.outcome.obtained and self._book is not None and (asked := self._book.fail(target.url)):
            return self._questions(target, asked, public=target.from_public), ()
        if isinstance(answer, Failure):
            return (), ()
        if fetch.outcome is Outcome.REDIRECTED:
            return self._redirect(target, fetch.location, public=self._is_public(answer)), ()
        if fetch.outcome is Outcome.SOFT_404 and (location := location_of(answer)):
            # Nothing else may lead to the page to which a host sends everybody.
            return self._redirect(target, location, public=self._is_public(answer)), ()
        if not (_has_links(fetch) and answer.content) or 0 <= self._config.depth <= target.depth:
            return (), ()
        return self._links(target, answer)

    def relearn(self, target: Target, answer: Response, fetch: Fetch) -> None:
        """Look at a page again that came before this session, so that what was learned from its links is known as it was."""
        if _has_links(fetch) and answer.content and not 0 <= self._config.depth <= target.depth:
            self._cache.settled(self._links(target, answer, again=True)[1])

    def settled(self, written: Iterable[str]) -> None:
        """What these links lead to is in the frontier for good."""
        self._cache.settled(written)

    def forget(self) -> None:
        """Look at every link again: what some lead to did not reach the frontier."""
        self._cache.forget()

    def sitemaps(self, robots: Robots, host: str, seed: str) -> list[Target]:
        """Sitemaps go first: they name pages that no link does. `seed` is the start address that led to the host."""
        if not self._config.sitemaps or self._config.depth == 0:
            return []
        if not robots.sitemaps and not self._guesses:
            return []
        if not robots.sitemaps:
            return self._guess(robots, host, USUAL_PLACES, seed)
        via = host + "/robots.txt"
        named = (url for each in robots.sitemaps if (url := resolve(via, each)) and not self._scope.refuses(url))
        found = [(url, robots.public and host_key(url) != host) for url in named]
        return [
            Target(url, priority=_NAMED, via=via, from_public=public, seed=seed, reached=Reached.ROBOTS)
            for url, public in found
            if not (public and self._permissions.leads_in(url))
        ]

    def next_guess(self, robots: Robots, target: Target) -> list[Target]:
        """The place to look for a sitemap after one where none was."""
        guessed = target.via if target.hops else target.url
        host = host_key(guessed)
        places = itertools.dropwhile(lambda place: host + place != guessed, USUAL_PLACES)
        return self._guess(robots, host, list(places)[1:], target.seed)

    def _guess(self, robots: Robots, host: str, places: Sequence[str], seed: str) -> list[Target]:
        """The next of these places that may be asked, at the hosts the crawl is about."""
        urls = (host + place for place in places if self._scope.is_home(host + place))
        allowed = (url for url in urls if robots.allows(url, self._agent) and not self._scope.refuses(url))
        via = host + "/robots.txt"
        return [Target(url, 0, GUESSED, via, seed=seed, reached=Reached.GUESS) for url in itertools.islice(allowed, 1)]

    def _links(self, target: Target, answer: Response, *, again: bool = False) -> tuple[Sequence[Target], Sequence[str]]:
        """Where a page leads. When it is looked at `again`, forms and traps hear nothing: they remember by themselves."""
        if self._rules != self._scope.version:
            self._rules = self._scope.version
            self._cache.forget()
        host = host_key(target.url)
        discovery = discover(answer, self._agent, self._decode, self._cache.of(host))
        if (discovery.kind == "feed" and not self._config.feeds) or (discovery.kind == "sitemap" and not self._config.sitemaps):
            return (), ()
        self._cache.found(host, discovery.written)
        if self._note_sitemap is not None and discovery.kind == "sitemap":
            self._note_sitemap(host, len(discovery.urls))
        behind = fragment_pages(answer) if self._sites.keeps_fragments(answer.url) else ()
        depth, public = target.depth + 1, self._is_public(answer)
        urls, written = (*discovery.urls, *behind), discovery.written
        if public and self._permissions:
            # Left for a private page to find, so not remembered as found either.
            urls = tuple(url for url in urls if not self._permissions.leads_in(url))
            written = tuple(link for link in written if not self._permissions.leads_in(resolve(answer.url, link) or answer.url))
        # By position: this is done for every link that is found.
        via, seed, reached = target.url, target.seed, _REACHED.get(discovery.kind, Reached.LINK)
        found: list[Target] = [
            Target(url, depth, 0, via, 0, public, seed, reached) for url in urls if not self._scope.refuses(url)
        ]
        if self._book is not None and discovery.kind == "page" and not again:
            own = frozenset(self._book.own(urls, answer))
            found = [each for each in found if each.url in own]
            found += self._questions(target, self._book.look(answer), public=public)
        if self._traps and discovery.kind == "page" and not again:
            self._traps.observe(answer, [each for each in found if each.reached is not Reached.FORM])
        ranked: Sequence[Target] = found
        if self._ranker is not None:
            ranked = self._ranker.rank(target, answer if discovery.kind == "page" else None, found, discovery.stated)
        return ranked, written

    def _questions(self, target: Target, addresses: Sequence[str], *, public: bool) -> list[Target]:
        """Questions to forms, as targets that no trap holds up."""
        depth = target.depth if target.reached is Reached.FORM else target.depth + 1
        return [
            Target(url, depth, 0, target.url, 0, public, target.seed, Reached.FORM)
            for url in addresses
            if not self._scope.refuses(url)
        ]

    def _is_public(self, answer: Response) -> bool:
        return self._permissions.is_public(answer.url, answer.address)

    def _redirect(self, target: Target, location: str, *, public: bool) -> list[Target]:
        cause = self._scope.refuses(location, redirected=True)
        if target.hops >= MOST_HOPS:
            cause = f"more than {MOST_HOPS} redirects"
        if cause:
            self._emit(Refused(url=location, cause=cause))
            return []
        hops = target.hops + 1
        return [
            msgspec.structs.replace(
                target, url=location, via=target.url, hops=hops, from_public=public, reached=Reached.REDIRECT
            )
        ]


def _has_links(fetch: Fetch) -> bool:
    """Whether the links of an answer are the site's own, as they are not in a challenge or a soft 404.

    A page that asks for a log-in may have some, and one without a text in its head.
    """
    return fetch.outcome.obtained or (fetch.status < 300 and fetch.outcome in (Outcome.LOGIN, Outcome.EMPTY))
