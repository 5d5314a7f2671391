"""Report of how well a crawl keeps to its topics, in the frontier's folder: written once a second, read by whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.crawl.focus import Hub
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable

NAME = "focus-report.json"
_MOST_HUBS = 10  # judgement: as many as a person looks at


class HarvestPoint(msgspec.Struct, frozen=True, kw_only=True):
    """After so many pages, how many of all were on topic, and the share of the last ones."""

    pages: int
    on_topic: int
    lately: float


class FocusReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a focused crawl has brought: pages that were judged and those on topic, that over time, hubs, what to know.

    `unfocused` is how many of as many pages would have been on topic had links been followed in the order in which they were
    found; None when too little is known.
    """

    pages: int = 0
    on_topic: int = 0
    unfocused: float | None = None
    harvest: tuple[HarvestPoint, ...] = ()
    hubs: tuple[Hub, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """The share of pages on topic; None before the first."""
        return self.on_topic / self.pages if self.pages else None


def write_report(folder: Path, report: FocusReport) -> None:
    """Keep a report."""
    write_whole(folder / NAME, msgspec.json.encode(report))


def read_report(folder: Path) -> FocusReport:
    """The last report; an empty one where the crawl keeps to no topic."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=decodable(FocusReport))
    except (FileNotFoundError, *UNDECODABLE):
        return FocusReport()


def add_reports(reports: Sequence[FocusReport]) -> FocusReport:
    """What several workers brought; the curve is that of the one with most pages."""
    told = [report for report in reports if report.pages] or list(reports[:1])
    if len(told) < 2:
        return told[0] if told else FocusReport()
    hubs = sorted((hub for report in told for hub in report.hubs), key=lambda hub: -hub.share * hub.followed)
    known = [report.unfocused for report in told if report.unfocused is not None]
    return FocusReport(
        pages=sum(report.pages for report in told),
        on_topic=sum(report.on_topic for report in told),
        unfocused=sum(known) if len(known) == len(told) else None,
        harvest=max(told, key=lambda report: report.pages).harvest,
        hubs=tuple(hubs[:_MOST_HUBS]),
        notes=tuple(dict.fromkeys(note for report in told for note in report.notes)),
    )
