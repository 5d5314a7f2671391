"""Rows of the table of feeds, from what their visits showed and what hubs were asked for."""

from __future__ import annotations

from pathlib import Path

from trasmallo.crawl.websub.subscriptions import FILE, Subscription, read_subscriptions
from trasmallo.results.database.connection import Connection
from trasmallo.results.registry import sql_types
from trasmallo.results.sql import quoted
from trasmallo.results.tables.feeds import FeedRow
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedState, FeedStates
from trasmallo.store.run_folders import Run
from trasmallo.values.urls import host

_TABLE = "feeds_now"


def make(connection: Connection, run: Run) -> str:
    """The SQL of `feeds`, which are read now."""
    kinds = sql_types(FeedRow)
    listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())
    connection.execute(f"CREATE OR REPLACE TABLE {_TABLE} ({listed})")
    rows = feed_rows(run)
    if rows:
        connection.insert(_TABLE, [[getattr(row, name) for row in rows] for name in kinds])
    return f"SELECT * FROM {_TABLE}"  # noqa: S608 - the name is ours


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
