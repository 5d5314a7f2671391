"""What plans have learnt of visits, in a file of the store: so that a plan reads the rows of new visits, not of all there were.

Visits are settled when their day (UTC) is over: those the plan has learnt. Those of the present day are kept beside it, since a
plan learns the visits of a day together. The file is derived: whatever is odd about it, the catalog tells all again. That is so

- when it is damaged, or written by another version of the program;
- when the row where it ended is another: the catalog was made again, or brought back from a copy;
- when a visit of a settled day arrives late, as imports bring them, or the text of one is read anew;
- when other sites are taken out, or other addresses are sitemaps and feeds.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec
import xxhash

from trasmallo.crawl.revisit.collection import DAY
from trasmallo.crawl.revisit.plan_state import PackedPlan
from trasmallo.crawl.revisit.visits import Visit
from trasmallo.pipeline.visit_history import MissingAddress, SeenPage, VisitHistory
from trasmallo.store.catalog import Catalog
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import REBUILD, StoreDamaged
from trasmallo.values.software import SOFTWARE

FILE_NAME = "visits.checkpoint"
VERSION = 1
"""Layout of the file, and the arithmetic of the plan: whoever changes what a visit teaches raises it."""

_UNREAD_SHARE = 20
"""The file is written again when a twentieth as many rows are new as it knows pages: reading so many costs a plan less than
writing them. Judgement."""


class Claim(NamedTuple):
    """A version of a sitemap or a feed: when it was obtained, and its row in the catalog."""

    at: float
    row: int


class VisitCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What is known by the first `rows` of a catalog, the last of which has a digest.

    `plan` has learnt the visits before `until`, seconds since 1970, and what `listings` claimed till then;
    `visits` and `claims` are those from then on.
    """

    rows: int
    row: bytes
    until: float
    left_out: tuple[str, ...]
    listings: frozenset[str]
    plan: PackedPlan
    seen: dict[int, SeenPage]
    missing: dict[str, MissingAddress]
    visits: list[Visit]
    claims: list[Claim]

    def holds_for(self, catalog: Catalog, left_out: tuple[str, ...], listings: frozenset[str]) -> bool:
        """Whether it tells of this catalog, without the sites that are taken out, and of these sitemaps and feeds."""
        if self.left_out != left_out or not self.row or catalog.row_digest(self.rows) != self.row:
            return False
        return VisitHistory(catalog, seen=self.seen).known(listings) == self.listings

    def is_late(self, visits: Iterable[Visit]) -> bool:
        """Whether a visit is one of a day that is settled."""
        return any(visit.at < self.until for visit in visits)


class _File(msgspec.Struct):
    """What stands in the file: `content` is the checkpoint, not decoded by who only asks for `until`."""

    version: int
    software: str
    until: float
    digest: str
    content: msgspec.Raw


def is_worth_writing(before: VisitCheckpoint | None, rows: int) -> bool:
    """Whether so many rows are enough to write a checkpoint that tells of them."""
    return rows > 0 if before is None else (rows - before.rows) * _UNREAD_SHARE > len(before.seen)


def beginning_of_day(at: float) -> float:
    """When the day (UTC) of a moment began."""
    return at // DAY * DAY


def write_checkpoint(store: Path, checkpoint: VisitCheckpoint) -> None:
    """Put it in the place of the one before, whole."""
    content = msgspec.msgpack.encode(checkpoint)
    file = _File(VERSION, SOFTWARE, checkpoint.until, xxhash.xxh3_64_hexdigest(content), msgspec.Raw(content))
    write_whole(store / FILE_NAME, msgspec.msgpack.encode(file))


def read_checkpoint(store: Path) -> VisitCheckpoint | None:
    """The checkpoint of a store; None when there is none, or one of another version. Raises StoreDamaged."""
    path = store / FILE_NAME
    try:
        file = _read(path)
        return msgspec.msgpack.decode(file.content, type=decodable(VisitCheckpoint)) if file else None
    except UNDECODABLE as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None


def _read(path: Path) -> _File | None:
    if not path.exists():
        return None
    file = msgspec.msgpack.decode(path.read_bytes(), type=decodable(_File))
    if (file.version, file.software) != (VERSION, SOFTWARE):
        return None
    if file.digest != xxhash.xxh3_64_hexdigest(file.content):
        raise msgspec.DecodeError("its digest differs")
    return file


def forget_checkpoint(store: Path) -> None:
    """What is in the catalog has changed: the next plan reads all of it."""
    (store / FILE_NAME).unlink(missing_ok=True)


def forget_settled(store: Path, at: float) -> None:
    """Texts of visits from a time on were read: a checkpoint that has settled them without is none."""
    try:
        file = _read(store / FILE_NAME)
    except UNDECODABLE:
        file = None
    if file is None or at < file.until:
        forget_checkpoint(store)
