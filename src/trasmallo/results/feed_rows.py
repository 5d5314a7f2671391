"""Rows of the table of feeds, from what their visits showed and what hubs were asked for."""

from __future__ import annotations

from pathlib import Path

from trasmallo.crawl.websub.subscriptions import FILE, Subscription, read_subscriptions
from trasmallo.results.database.connection import Connection
from trasmallo.results.database.row_tables import table_of
from trasmallo.results.tables.feeds import FeedRow
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedState, FeedStates
from trasmallo.store.run_folders import Run
from trasmallo.values.urls import host

_TABLE = "feeds_now"


def make(connection: Connection, run: Run) -> str:
    """The SQL of `feeds`, which are read now."""
    return table_of(connection, _TABLE, FeedRow, feed_rows(run))


def feed_rows(run: Run) -> list[FeedRow]:
    """The feeds as they were when the next run of a project began, with the subscriptions of now."""
    folder = run.project / "store" / "catalog"
    if not folder.exists():
        return []
    subscribed = {one.topic: one for one in read_subscriptions(run.project / FILE)}
    with Catalog(folder, read_only=True) as catalog:
        found = list(FeedStates(catalog).feeds(_end_of(run)))
    return [_row(url, state, subscribed.get(state.topic or url)) for url, state in found]


def _end_of(run: Run) -> float:
    begins = (each.manifest.began for each in run_folders.find(_runs_of(run)))
    return min((began for began in begins if began > run.manifest.began), default=float("inf"))


def _runs_of(run: Run) -> Path:
    return run.project / "runs"


def _row(url: str, state: FeedState, subscription: Subscription | None) -> FeedRow:
    return FeedRow(
        title=state.title,
        url=url,
        host=host(url),
        kind=state.kind,
        entries=state.entries,
        new=state.new,
        visits=state.visits,
        new_per_visit=None if state.new_per_visit is None else round(state.new_per_visit, 3),
        at=state.asked,
        due=state.due,
        reason=state.reason,
        hub=subscription.hub if subscription else state.hub,
        subscription=str(subscription.state) if subscription else "",
        lease=(subscription.until or None) if subscription else None,
    )
