"""Questions about a collection over time: visits that are due, how young it is, versions of pages, verdicts on words."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from trasmallo.project.workbench import Workbench
from trasmallo.project.working import works
from trasmallo.store import run_folders
from trasmallo.values.arguments import checked_text
from trasmallo.values.date_ends import checked_end
from trasmallo.values.errors import NoResults
from trasmallo.values.local_addresses import document_addresses

if TYPE_CHECKING:
    from trasmallo.crawl.revisit.collection import PlannedVisit
    from trasmallo.pipeline.freshness import Freshness
    from trasmallo.pipeline.visit_calendar import VisitCalendar
    from trasmallo.results.candidates import Candidate
    from trasmallo.results.site_counts import SiteCount
    from trasmallo.results.snapshots import Snapshot
    from trasmallo.results.versions import PageHistory, VersionDifference, VersionText
    from trasmallo.store.run_folders import Run
    from trasmallo.study.verdicts import WordVerdict


class CollectionQueries(Workbench):
    """What a project answers about its pages, and about words that nobody lists, over all runs."""

    def planned_visits(self, budget: str = "") -> list[PlannedVisit]:
        """The visits that `revisit` would make now, the most urgent first, each with its reason."""
        from trasmallo.crawl.revisit.budget import parse_budget
        from trasmallo.pipeline.revisiting import plan_visits
        from trasmallo.pipeline.site_selection import without_sites

        allowed = parse_budget(checked_text(budget, "budget")) if budget else None
        return plan_visits(self.home, without_sites(self.config, self.home), allowed, time.time())

    def visit_calendar(self, budget: str = "", date: str = "") -> VisitCalendar:
        """How many visits are planned for each of the next days, at so many a day; of one `date` the visits themselves."""
        from trasmallo.crawl.revisit.budget import parse_budget, usual_budget
        from trasmallo.pipeline.revisiting import open_planner
        from trasmallo.pipeline.site_selection import without_sites
        from trasmallo.pipeline.visit_calendar import make_calendar

        allowed, now = parse_budget(checked_text(budget, "budget")) if budget else None, time.time()
        with open_planner(self.home, without_sites(self.config, self.home), now) as planner:
            a_day = (allowed or usual_budget(len(planner.plan.addresses))).visits
            return make_calendar(planner, a_day, now, checked_text(date, "date"))

    def freshness(self) -> Freshness:
        """How old the collection is, measured and expected; what visits found, and what conditional requests saved."""
        from trasmallo.pipeline.freshness import freshness

        return freshness(self._completed(), self.store, self.config.crawl, time.time())

    def versions(self, url: str) -> PageHistory:
        """The dated versions of a page, and every visit to it."""
        from trasmallo.results.versions import page_history

        self._completed()
        return page_history(self.store, *document_addresses(checked_text(url, "url")))

    def compare_versions(self, url: str, before: int = 0, after: int = 0) -> VersionDifference:
        """What differs between the main texts of two versions of a page, by their numbers; the last two without them."""
        from trasmallo.results.versions import version_difference

        return version_difference(self.store, self.versions(url), before, after)

    def version_as_of(self, url: str, date: str) -> VersionText:
        """The version of a page that was the newest on a date (2026-11-16, or 2026-11-16T09:30Z), with its main text."""
        from trasmallo.results.versions import version_as_of

        moment = checked_end(checked_text(date, "date"))
        return version_as_of(self.store, self.versions(url), moment)

    def version_text(self, url: str, at: float) -> str:
        """The main text of a page as it was stored at a time, in seconds since 1970."""
        from trasmallo.results.versions import version_text

        return version_text(self.store, self.versions(url).url, at)

    def sites(self) -> list[SiteCount]:
        """The sites of the collection with their pages, the largest first, and those that were taken out of it."""
        from trasmallo.results.site_counts import site_counts

        with self.tables() as tables:
            return site_counts(tables, self.home)

    def snapshots(self) -> list[Snapshot]:
        """What was frozen of the collection, the oldest first; each can be asked by its name, as a run can."""
        from trasmallo.results.snapshots import snapshots

        return list(snapshots(self.home))

    @works
    def snapshot(self, name: str, *, note: str = "", run: str = "") -> Snapshot:
        """Freeze the results of the collection, or of a run or a date, under a name; nothing changes or removes them then."""
        from trasmallo.results.snapshots import take_snapshot

        chosen = self.run_named(checked_text(run, "run"))
        return take_snapshot(chosen, checked_text(name, "name"), checked_text(note, "note"))

    def find_snapshot(self, name: str) -> Snapshot:
        """The snapshot of a name."""
        from trasmallo.results.snapshots import find_snapshot

        return find_snapshot(self.home, checked_text(name, "name"))

    @works
    def remove_snapshot(self, name: str) -> Snapshot | None:
        """Let a snapshot go, and tell what it was, None where that is damaged; what is stored stays."""
        from trasmallo.results.snapshots import remove_snapshot

        return remove_snapshot(self.folder, checked_text(name, "name"))

    def _completed(self) -> Run:
        run = run_folders.last_completed(self.runs)
        if run is None:
            raise NoResults("{folder} has no results yet", "make some with: trasmallo run {folder}", folder=self.folder)
        return run

    def verdicts(self) -> list[WordVerdict]:
        """What was decided about words that nobody lists, over all runs; the latest come last."""
        from trasmallo.study.verdicts import load

        return list(load(self.home).values())

    @works
    def judge(self, words: Iterable[str], verdict: str, *, note: str = "") -> list[WordVerdict]:
        """Say of words that they are accepted, rejected, typo, name, foreign or later; "" takes back what was said.

        The edition of the lexicon of the project's language is kept beside it.
        """
        from trasmallo.study.unlisted.editions import edition_of
        from trasmallo.study.verdicts import judge

        return judge(self.folder, words, verdict, note, edition_of(self.config.language))

    def evidence(self, word: str, *, run: str = "") -> Candidate:
        """What a run has of a word that nobody lists: figures, quotations, sources, countries, days; raises UsageError."""
        from trasmallo.results.candidates import find_candidate

        with self.tables(run) as tables:
            return find_candidate(tables, word)

    @works
    def import_verdicts(self, path: str | Path, verdict: str = "") -> int:
        """Take over the verdicts of a file, or give this one on its words that have none; returns how many there are."""
        from trasmallo.study.verdicts import change, foreign

        found = foreign(Path(path), verdict)
        change(self.folder, found)
        return len(found)
