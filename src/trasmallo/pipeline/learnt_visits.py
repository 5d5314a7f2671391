"""What all visits of a catalog teach a plan, from the last checkpoint on where there is one.

What sitemaps and feeds claimed stands among the visits, at the end of the hour in which it was obtained: so each visit judges
those claims that were there when it was made, and a site is believed as far as it was right (`crawl.revisit.trust`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from trasmallo.crawl.revisit.collection import RevisitPlan
from trasmallo.crawl.revisit.plan_state import pack_plan, take_up
from trasmallo.crawl.revisit.visits import Finding, Hint, Visit
from trasmallo.pipeline.visit_checkpoint import (
    Claim,
    VisitCheckpoint,
    beginning_of_day,
    is_worth_writing,
    read_checkpoint,
    write_checkpoint,
)
from trasmallo.pipeline.visit_history import VisitHistory
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.local_addresses import is_local

ReadHints = Callable[[int], Iterable[Hint]]
"""What a row of the catalog, a stored sitemap or feed, says of pages."""

_HOUR = 3_600.0  # seconds
_VERSIONS = frozenset({Finding.NEW, Finding.CHANGED, Finding.BACK})


def _no_hints(_row: int) -> Iterable[Hint]:
    return ()


class LearntVisits:
    """The plan, and the history of pages behind it; `read` is how many rows of the catalog were looked at.

    `listings` are the addresses of sitemaps and feeds, whose versions `read_hints` reads.
    """

    def __init__(
        self,
        store: Path,
        catalog: Catalog,
        left_out: tuple[str, ...],
        listings: Iterable[str] = (),
        read_hints: ReadHints = _no_hints,
    ) -> None:
        self.plan = RevisitPlan()
        self.history = VisitHistory(catalog)
        self.read = 0
        self._store = store
        self._catalog = catalog
        self._left_out = left_out
        self._listings = frozenset(listings)
        self._read_hints = read_hints
        self._before: VisitCheckpoint | None = None

    def learn(self, now: float, *, keep: bool) -> None:
        """Learn every visit there is; `keep` has the next one begin where this one ends."""
        found = self._go_on()
        visits, claims = self._begin_anew() if found is None else found
        until = max(beginning_of_day(now), self._before.until if self._before else 0.0)
        self._learn([visit for visit in visits if visit.at < until], [claim for claim in claims if claim.at < until])
        visits, claims = [visit for visit in visits if visit.at >= until], [claim for claim in claims if claim.at >= until]
        if keep and is_worth_writing(self._before, self.history.rows):
            self._write(until, visits, claims)
        self._learn(visits, claims)

    def _learn(self, visits: Sequence[Visit], claims: Sequence[Claim]) -> None:
        """Visits in order of time, and after those of each hour what was claimed in it."""
        left = sorted(visits, key=lambda visit: visit.at)
        for end, claimed in groupby(sorted(claims), key=lambda claim: _end_of_hour(claim.at)):
            place = bisect_left(left, end, key=lambda visit: visit.at)
            self.plan.learn(left[:place])
            left = left[place:]
            self.plan.hints([hint for claim in claimed for hint in self._read_hints(claim.row)], end)
        self.plan.learn(left)

    def _go_on(self) -> tuple[list[Visit], list[Claim]] | None:
        """What the last checkpoint has not settled; None where it cannot be gone on from."""
        with suppress(StoreDamaged):  # `check` tells of it; a plan does without
            self._before = read_checkpoint(self._store)
        before = self._before
        if before is None or not before.holds_for(self._catalog, self._left_out, self._listings):
            return None
        self.history = VisitHistory(self._catalog, before.rows, before.seen, before.missing)
        new, claims = self._new_visits()
        if before.is_late(new):
            return None
        self.plan = take_up(before.plan)
        return [*before.visits, *new], [*before.claims, *claims]

    def _begin_anew(self) -> tuple[list[Visit], list[Claim]]:
        self._before, self.history = None, VisitHistory(self._catalog)
        return self._new_visits()

    def _new_visits(self) -> tuple[list[Visit], list[Claim]]:
        began = self.history.rows
        visits, claims = list[Visit](), list[Claim]()
        for visit in self.history.visits():
            if self._is_planned(visit.url):
                visits.append(visit)
                row = self.history.row(visit.url) if visit.url in self._listings else 0
                if row and visit.finding in _VERSIONS:
                    claims.append(Claim(visit.at, row))
        self.read += self.history.rows - began
        return visits, claims

    def _is_planned(self, url: str) -> bool:
        return not (url.startswith(self._left_out) or is_local(url))

    def _write(self, until: float, visits: list[Visit], claims: list[Claim]) -> None:
        checkpoint = VisitCheckpoint(
            rows=self.history.rows,
            row=self._catalog.row_digest(self.history.rows),
            until=until,
            left_out=self._left_out,
            listings=self.history.known(self._listings),
            plan=pack_plan(self.plan),
            seen=self.history.seen,
            missing=self.history.missing,
            visits=visits,
            claims=claims,
        )
        write_checkpoint(self._store, checkpoint)


def _end_of_hour(at: float) -> float:
    return at // _HOUR * _HOUR + _HOUR
