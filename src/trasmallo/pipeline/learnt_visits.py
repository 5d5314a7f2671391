"""What all visits of a catalog teach a plan, from the last checkpoint on where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from trasmallo.crawl.revisit.collection import RevisitPlan
from trasmallo.crawl.revisit.plan_state import PackedPlan, pack_plan, take_up
from trasmallo.crawl.revisit.visits import Visit
from trasmallo.pipeline.visit_checkpoint import (
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


class LearntVisits:
    """The plan, and the history of pages behind it; `read` is how many rows of the catalog were looked at."""

    def __init__(self, store: Path, catalog: Catalog, left_out: tuple[str, ...]) -> None:
        self.plan = RevisitPlan()
        self.history = VisitHistory(catalog)
        self.read = 0
        self._store = store
        self._catalog = catalog
        self._left_out = left_out
        self._before: VisitCheckpoint | None = None

    def learn(self, now: float, *, keep: bool) -> None:
        """Learn every visit there is; `keep` has the next one begin where this one ends."""
        visits = self._go_on()
        if visits is None:
            visits = self._begin_anew()
        until = max(beginning_of_day(now), self._before.until if self._before else 0.0)
        self.plan.learn(visit for visit in visits if visit.at < until)
        present = [visit for visit in visits if visit.at >= until]
        if keep and is_worth_writing(self._before, self.history.rows):
            self._write(until, present, pack_plan(self.plan))
        self.plan.learn(present)

    def _go_on(self) -> list[Visit] | None:
        """The visits that the last checkpoint has not settled; None where it cannot be gone on from."""
        with suppress(StoreDamaged):  # `check` tells of it; a plan does without
            self._before = read_checkpoint(self._store)
        before = self._before
        if before is None or not before.holds_for(self._catalog, self._left_out):
            return None
        self.history = VisitHistory(self._catalog, before.rows, before.seen, before.missing)
        new = self._new_visits()
        if before.is_late(new):
            return None
        self.plan = take_up(before.plan)
        return [*before.visits, *new]

    def _begin_anew(self) -> list[Visit]:
        self._before, self.history = None, VisitHistory(self._catalog)
        return self._new_visits()

    def _new_visits(self) -> list[Visit]:
        began = self.history.rows
        visits = [visit for visit in self.history.visits() if self._is_planned(visit.url)]
        self.read += self.history.rows - began
        return visits

    def _is_planned(self, url: str) -> bool:
        return not (url.startswith(self._left_out) or is_local(url))

    def _write(self, until: float, present: Sequence[Visit], plan: PackedPlan) -> None:
        checkpoint = VisitCheckpoint(
            rows=self.history.rows,
            row=self._catalog.row_digest(self.history.rows),
            until=until,
            left_out=self._left_out,
            plan=plan,
            seen=self.history.seen,
            missing=self.history.missing,
            visits=list(present),
        )
        write_checkpoint(self._store, checkpoint)
