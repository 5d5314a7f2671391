"""The plan of a revisit: which pages of a collection to ask for again, by what earlier visits, sitemaps and feeds show.

Nothing of it is kept: the catalog holds the visits, the archive the sitemaps and feeds, and the plan is made anew each time.
A feed is asked for when it says that it may have something new (its ttl, its skipped hours and days, its own rhythm), no
sooner; all other pages by what a visit is worth (`crawl.revisit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.config import Config, CrawlConfig
from trasmallo.crawl.discover.discover import kind_of
from trasmallo.crawl.discover.feeds import Feed, max_age_of, next_visit, read_feed
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.crawl.revisit.budget import Budget, usual_budget
from trasmallo.crawl.revisit.collection import PlannedVisit, Rate, RevisitPlan
from trasmallo.crawl.revisit.planner import REST
from trasmallo.crawl.revisit.visit_list import ListedVisit
from trasmallo.crawl.revisit.visits import Hint, Source
from trasmallo.crawl.scope import Scope
from trasmallo.pipeline.archive_rows import answer_of
from trasmallo.pipeline.visit_history import visit_history
from trasmallo.results.database.tables import Tables
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import REVISIT, Run
from trasmallo.values.errors import NoResults, StoreError
from trasmallo.values.messages import Message
from trasmallo.values.model import Drop, Fetch, Response
from trasmallo.values.urls import resolver

_UNKNOWN_RATE = Rate(mean=0.0, low=0.0, high=0.0)


class StoredFeed(msgspec.Struct, frozen=True):
    """A feed of the collection as it was last obtained, when it was last asked for, and when it is next."""

    url: str
    feed: Feed
    asked: float
    due: float


class RevisitPlanner:
    """Plans visits to the pages of a run's results; `learn` reads all that is known of them."""

    def __init__(self, run: Run, store: Path, config: CrawlConfig) -> None:
        self.plan = RevisitPlan()
        self.feeds: dict[str, StoredFeed] = {}
        self._run = run
        self._store = store
        self._scope = Scope(config)

    def learn(self, now: float) -> None:
        """Read the visits of the catalog, and what sitemaps and feeds in the archive say."""
        with Catalog(self._store / "catalog", read_only=True) as catalog:
            self.plan.learn(visit_history(catalog))
            hints = list(self._hints(catalog, now))
        self.plan.hints(hints, now)

    def choose(self, now: float, budget: int, *, rest: float = REST) -> list[PlannedVisit]:
        """At most so many visits, the most urgent first: feeds that are due, then pages, all of them within the scope.

        Without a `rest` other feeds come last.
        """
        due = [self._feed_visit(feed, now) for feed in self.feeds.values() if feed.due <= now]
        early = [self._feed_visit(feed, now) for feed in self.feeds.values() if feed.due > now and not rest]
        asked, pages = budget + len(self.feeds), list[PlannedVisit]()
        while len(due) + len(pages) < budget:
            found = self.plan.choose(now, asked, rest=rest)
            pages = [visit for visit in found if visit.url not in self.feeds and not self._scope.refuses(visit.url)]
            if len(found) < asked:
                break
            asked *= 2  # among them are addresses outside the scope, such as imported ones
        return [*due, *pages, *early][: max(budget, 0)]

    def _feed_visit(self, feed: StoredFeed, now: float) -> PlannedVisit:
        rate = self.plan.rate(feed.url) or _UNKNOWN_RATE
        hours = (now - feed.asked) / 3_600
        reason = Message("a feed, last asked for {hours:.1f} hours ago, due by its own rhythm", hours=hours)
        if feed.due > now:
            reason = Message("a feed, last asked for {hours:.1f} hours ago", hours=hours)
        return PlannedVisit(url=feed.url, value=0.0, age=hours / 24, rate=rate, seen=feed.asked, reason=reason)

    def _hints(self, catalog: Catalog, now: float) -> Iterator[Hint]:
        with Tables(self._run) as tables, ArchiveReader(self._store / "archive") as archive:
            urls = [url for (url,) in tables.select("SELECT url FROM all_pages WHERE drop = ?", [Drop.LISTING])]
            for url in urls:
                stored, last = catalog.stored(url), catalog.latest(url)
                if stored and last and (answer := _answer(archive, stored)):
                    yield from self._said(answer, stored, last.at, now)

    def _said(self, answer: Response, fetch: Fetch, asked: float, now: float) -> Iterator[Hint]:
        """What a sitemap or a feed says of pages; a date in the future says nothing."""
        if kind_of(fetch.media, answer.content) == "feed":
            feed = read_feed(answer.content, fetch.url, answer.header("content-type"))
            if feed is not None:
                due = next_visit(feed, asked, max_age_of(answer.headers))
                self.feeds[fetch.url] = StoredFeed(fetch.url, feed, asked, due.at)
                resolve = resolver(feed.url)
                dated = ((resolve(entry.link), entry.updated or entry.published) for entry in feed.entries if entry.link)
                yield from (Hint(url, Source.FEED, at) for url, at in dated if url and at is not None and at <= now)
            return
        for entry in read_sitemap(answer.content, fetch.url).entries:
            at = entry.lastmod if entry.lastmod is not None and entry.lastmod <= now else None
            if at is not None or entry.changefreq:
                yield Hint(entry.url, Source.SITEMAP, at, entry.changefreq)


def _answer(archive: ArchiveReader, fetch: Fetch) -> Response | None:
    assert fetch.locator is not None
    with suppress(StoreError):  # damage is told by who checks the archive; a plan does without
        record = archive.read(fetch.locator)
        content = record.content()
        return answer_of(record, record.body, content) if content is not None else None
    return None


def plan_visits(folder: Path, config: Config, budget: Budget | None, now: float) -> list[PlannedVisit]:
    """The visits that a budget allows a project now; without one the usual. Raises NoResults before the first run has ended."""
    run = run_folders.last_completed(folder / "runs")
    if run is None:
        raise NoResults("{folder} has no results yet", "make some with: trasmallo run {folder}", folder=folder)
    planner = RevisitPlanner(run, folder / "store", config.crawl)
    planner.learn(now)
    allowed = budget or usual_budget(len(planner.plan.addresses))
    # Who names a number wants as many now; who allows so many a day does not want a page twice in an hour.
    rest = REST if allowed.per_day else 0.0
    return planner.choose(now, allowed.due(last_revisit(folder / "runs"), now), rest=rest)


def last_revisit(runs: Path) -> float | None:
    """When the last revisit of a project began, None when there was none."""
    began = [run.manifest.began for run in run_folders.find(runs) if run.manifest.kind == REVISIT]
    return max(began, default=None)


def list_visits(visits: Sequence[PlannedVisit], catalog: Catalog) -> list[ListedVisit]:
    """Planned visits as a run keeps them, with the way on which each page was first come upon."""
    return [_listed(visit, catalog.latest(visit.url)) for visit in visits]


def _listed(visit: PlannedVisit, known: Fetch | None) -> ListedVisit:
    visited = ListedVisit(visit.url, reason=str(visit.reason), age=visit.age)
    return msgspec.structs.replace(visited, origin=known.origin) if known else visited
