"""The plan of a revisit: which pages of a collection to ask for again, by what earlier visits, sitemaps and feeds show.

The catalog holds the visits, the archive the sitemaps and feeds, and the plan is made anew each time, from where a checkpoint
says that days are settled (`pipeline.visit_checkpoint`).
A feed is asked for when it says that it may have something new (its ttl, its skipped hours and days, its own rhythm), no
sooner; all other pages by what a visit is worth (`crawl.revisit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from trasmallo.config import Config, CrawlConfig
from trasmallo.crawl.discover.discover import kind_of
from trasmallo.crawl.discover.feeds import FeedPace, read_feed, visit_after
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.crawl.revisit.budget import Budget, usual_budget
from trasmallo.crawl.revisit.collection import DAY, DueVisit, PlannedVisit, Rate, RevisitPlan
from trasmallo.crawl.revisit.planner import REST
from trasmallo.crawl.revisit.visit_list import ListedVisit
from trasmallo.crawl.revisit.visits import Hint, Source
from trasmallo.crawl.scope import Scope
from trasmallo.pipeline.archive_rows import answer_of
from trasmallo.pipeline.feed_claims import claims_of, hints_in, pace_in
from trasmallo.pipeline.learnt_visits import LearntVisits
from trasmallo.pipeline.visit_history import MissingAddress, VisitHistory
from trasmallo.results.database.tables import Tables
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedClaims, FeedStates
from trasmallo.store.left_out_sites import left_out_beginnings
from trasmallo.store.run_folders import REVISIT, Run
from trasmallo.values.errors import NoResults, StoreError
from trasmallo.values.local_addresses import is_local
from trasmallo.values.messages import Message
from trasmallo.values.model import NO_ORIGIN, Drop, Fetch, Origin, Response

_MISSING_SHARE = 20
"""A twentieth of a budget may go to addresses that were never found. Judgement: few of them ever become pages."""

_LONGEST_TRY = 64.0  # days between two requests for an address that was never found: judgement
_UNKNOWN_RATE = Rate(mean=0.0, low=0.0, high=0.0)


class StoredFeed(msgspec.Struct, frozen=True):
    """A feed of the collection: its pace as it was last obtained, and when it was last asked for."""

    url: str
    pace: FeedPace
    asked: float

    @property
    def due(self) -> float:
        """When it is to be asked for again."""
        return visit_after(self.pace, self.asked).at


class RevisitPlanner:
    """Plans visits to the pages of a run's results; `learn` reads all that is known of them."""

    def __init__(self, run: Run, store: Path, config: CrawlConfig, catalog: Catalog) -> None:
        self._left_out = left_out_beginnings(run.project)
        self._listings = _listings_of(run)
        self._archive = ArchiveReader(store / "archive")
        self.visits = LearntVisits(store, catalog, self._left_out, self._listings, self._claimed)
        self.feeds: dict[str, StoredFeed] = {}
        self._states = FeedStates(catalog)
        self._catalog = catalog
        self._scope = Scope(config)

    @property
    def plan(self) -> RevisitPlan:
        """What all pages are known by."""
        return self.visits.plan

    @property
    def history(self) -> VisitHistory:
        """The newest versions of pages, and addresses that were never found."""
        return self.visits.history

    def learn(self, now: float, *, keep: bool = False) -> None:
        """Read the visits of the catalog, and what sitemaps and feeds in the archive say.

        Who works on the project may `keep` what visits have taught, so that the next plan need not read them.
        """
        with self._archive:
            self.visits.learn(now, keep=keep)
            self.plan.hints(list(self._hints(now)), now)
        self.feeds = {url: feed for url, feed in self.feeds.items() if not url.startswith(self._left_out)}

    def choose(self, now: float, budget: int, *, rest: float = REST) -> list[DueVisit]:
        """At most so many visits, the most urgent first: feeds that are due, then pages, all of them within the scope.

        Without a `rest` other feeds come last.
        """
        due = [_feed_visit(feed, now) for feed in self.feeds.values() if feed.due <= now]
        early = [_feed_visit(feed, now) for feed in self.feeds.values() if feed.due > now and not rest]
        asked, pages = budget + len(self.feeds), list[DueVisit]()
        while len(due) + len(pages) < budget:
            found = self.plan.due(now, asked, rest=rest)
            pages = [visit for visit in found if visit.url not in self.feeds and not self._scope.refuses(visit.url)]
            if len(found) < asked:
                break
            asked *= 2  # among them are addresses outside the scope, such as imported ones
        return self._with_missing([*due, *pages, *early], now, max(budget, 0))

    def _with_missing(self, known: list[DueVisit], now: float, budget: int) -> list[DueVisit]:
        """Visits to pages, and to addresses that were never found: a part of the budget is theirs, and what is left of it."""
        again = self.missing(now)
        kept = max(budget - len(again), budget - budget // _MISSING_SHARE)
        return [*known[:kept], *again][:budget]

    def missing(self, now: float) -> list[DueVisit]:
        """Addresses that were never found and are to be asked for again now, those first that wait longest."""
        due = [
            (_next_try(known), url)
            for url, known in self.history.missing.items()
            if _next_try(known) <= now and not is_local(url)
        ]
        return [DueVisit(url=url, value=0.0, age=0.0) for _, url in sorted(due) if not self._scope.refuses(url)]

    def explain(self, due: Sequence[DueVisit], now: float) -> list[PlannedVisit]:
        """The same visits with what is known of each page, and why it is visited."""
        pages = iter(self.plan.explain([visit for visit in due if visit.page >= 0], now))
        return [next(pages) if visit.page >= 0 else self._explain_other(visit, now) for visit in due]

    def _explain_other(self, visit: DueVisit, now: float) -> PlannedVisit:
        return self._explain_feed(visit, now) if visit.url in self.feeds else self._explain_missing(visit, now)

    def _explain_missing(self, visit: DueVisit, now: float) -> PlannedVisit:
        known = self.history.missing[visit.url]
        days = (now - known.at) / DAY
        reason = Message("never found: asked for {times} times, the last {days:.0f} days ago", times=known.times, days=days)
        if known.times == 1:
            reason = Message("never found: asked for once, {days:.0f} days ago", days=days)
        return PlannedVisit(url=visit.url, value=0.0, age=0.0, rate=_UNKNOWN_RATE, seen=known.at, reason=reason)

    def _explain_feed(self, visit: DueVisit, now: float) -> PlannedVisit:
        feed, rate = self.feeds[visit.url], self.plan.rate(visit.url) or _UNKNOWN_RATE
        hours = (now - feed.asked) / 3_600
        reason = Message("a feed, last asked for {hours:.1f} hours ago, due by its own rhythm", hours=hours)
        if feed.due > now:
            reason = Message("a feed, last asked for {hours:.1f} hours ago", hours=hours)
        return PlannedVisit(url=feed.url, value=visit.value, age=visit.age, rate=rate, seen=feed.asked, reason=reason)

    def list(self, due: Sequence[DueVisit]) -> list[ListedVisit]:
        """The same visits as a run keeps them, with the way on which each page was come upon."""
        rows = [self.history.row(visit.url) for visit in due]
        numbers = sorted(filter(None, rows))
        origins = dict(zip(numbers, self._catalog.origins(numbers), strict=True))
        return [
            ListedVisit(visit.url, origins[row] if row else self._last_origin(visit.url), visit.age, row)
            for visit, row in zip(due, rows, strict=True)
        ]

    def _last_origin(self, url: str) -> Origin:
        """The way on which an address was last come upon that is no page."""
        last = self._catalog.latest(url)
        return last.origin if last else NO_ORIGIN

    def _claimed(self, row: int) -> Iterator[Hint]:
        """What a sitemap or a feed said of pages when it was obtained."""
        (fetch,) = self._catalog.rows([row])
        return _hints_of(self._told(fetch), fetch.at)

    def _hints(self, now: float) -> Iterator[Hint]:
        """What the sitemaps and feeds say that are there."""
        for url in self._listings:
            stored, last = self._catalog.stored(url), self._catalog.latest(url)
            told = self._told(stored) if stored else None
            if last and isinstance(told, FeedClaims):
                self.feeds[url] = StoredFeed(url, pace_in(told), last.at)
            yield from _hints_of(told, now)

    def _told(self, fetch: Fetch) -> FeedClaims | Response | None:
        """What a version of a feed says, or a sitemap as it is stored; None for what cannot be read."""
        known = self._states.claims(fetch.url, fetch.digest)
        answer = _answer(self._archive, fetch) if known is None else None
        if answer is None or kind_of(fetch.media, answer.content) != "feed":
            return known or answer
        feed = read_feed(answer.content, fetch.url, answer.header("content-type"))
        return claims_of(fetch, answer, feed) if feed else None


def _listings_of(run: Run) -> list[str]:
    """The addresses of sitemaps and feeds among the pages of a run's results."""
    with Tables(run) as tables:
        return [url for (url,) in tables.select("SELECT url FROM all_pages WHERE drop = ? ORDER BY url", [Drop.LISTING])]


def _hints_of(told: FeedClaims | Response | None, now: float) -> Iterator[Hint]:
    if told is None:
        return iter(())
    return hints_in(told, now) if isinstance(told, FeedClaims) else _sitemap_hints(told, now)


def _sitemap_hints(answer: Response, now: float) -> Iterator[Hint]:
    """What a sitemap says of pages; a date in the future says nothing."""
    for entry in read_sitemap(answer.content, answer.url).entries:
        at = entry.lastmod if entry.lastmod is not None and entry.lastmod <= now else None
        if at is not None or entry.changefreq:
            yield Hint(entry.url, Source.SITEMAP, at, entry.changefreq)


def _next_try(known: MissingAddress) -> float:
    """When an address that was never found is asked for again: after a day, and twice as long each time."""
    return known.at + min(2.0 ** min(known.times - 1, 20), _LONGEST_TRY) * DAY


def _feed_visit(feed: StoredFeed, now: float) -> DueVisit:
    return DueVisit(url=feed.url, value=0.0, age=(now - feed.asked) / DAY)


def _answer(archive: ArchiveReader, fetch: Fetch) -> Response | None:
    if fetch.locator is None:
        return None
    with suppress(StoreError):  # damage is told by who checks the archive; a plan does without
        record = archive.read(fetch.locator)
        content = record.content()
        return answer_of(record, record.body, content) if content is not None else None
    return None


def plan_visits(folder: Path, config: Config, budget: Budget | None, now: float) -> list[PlannedVisit]:
    """The visits that a budget allows a project now, each with why it is made; without a budget the usual.

    Raises NoResults before the first run has ended.
    """
    with open_planner(folder, config, now) as planner:
        return planner.explain(_allowed(planner, folder, budget, now), now)


def visits_of_run(folder: Path, config: Config, budget: Budget | None, now: float) -> list[ListedVisit]:
    """The same visits as a run needs them."""
    with open_planner(folder, config, now, keep=True) as planner:
        return planner.list(_allowed(planner, folder, budget, now))


@contextmanager
def open_planner(folder: Path, config: Config, now: float, *, keep: bool = False) -> Iterator[RevisitPlanner]:
    """The planner of a project, which has learnt all there is, and may `keep` it; raises NoResults before a run has ended."""
    run = run_folders.last_completed(folder / "runs")
    if run is None:
        raise NoResults("{folder} has no results yet", "make some with: trasmallo run {folder}", folder=folder)
    with Catalog(folder / "store" / "catalog", read_only=True) as catalog:
        planner = RevisitPlanner(run, folder / "store", config.crawl, catalog)
        planner.learn(now, keep=keep)
        yield planner


def _allowed(planner: RevisitPlanner, folder: Path, budget: Budget | None, now: float) -> list[DueVisit]:
    allowed = budget or usual_budget(len(planner.plan.addresses))
    # Who names a number wants as many now; who allows so many a day does not want a page twice in an hour.
    rest = REST if allowed.per_day else 0.0
    return planner.choose(now, allowed.due(last_revisit(folder / "runs"), now), rest=rest)


def last_revisit(runs: Path) -> float | None:
    """When the last revisit of a project began, None when there was none."""
    began = [run.manifest.began for run in run_folders.find(runs) if run.manifest.kind == REVISIT]
    return max(began, default=None)
