"""Report of what a crawl found behind scripts and forms, in the frontier's folder: written at its end, read by who asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.crawl.forms.probing import Coverage
from trasmallo.crawl.forms.web_forms import WebForm
from trasmallo.events import Emit, Event, Rendered
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable

NAME = "deep-web.json"
_MOST_REASONS = 200  # judgement: those of one crawl are a dozen; numbers in them are left out


class DeepWebReport(msgspec.Struct, frozen=True, kw_only=True):
    """Pages that were rendered, by why, and those that could not be; what that cost; the forms, and what asking brought.

    `browser` tells with which browser, and how far that is kept from the machine.
    """

    rendered: int = 0
    reasons: dict[str, int] = {}
    troubles: dict[str, int] = {}
    seconds: float = 0.0
    requests: int = 0
    size: int = 0
    browser: str = ""
    forms: tuple[WebForm, ...] = ()
    coverage: tuple[Coverage, ...] = ()


class DeepWebLog:
    """Counts what a crawl tells, and writes it down."""

    def __init__(self, folder: Path | None, book: FormBook) -> None:
        self._folder, self._book = folder, book
        self._reasons: Counter[str] = Counter()
        self._troubles: Counter[str] = Counter()
        earlier = read_deep_web(folder) if folder is not None else DeepWebReport()
        self._earlier = earlier
        self._seconds, self._browser = 0.0, ""
        self._rendered = self._requests = self._size = 0

    def listening(self, emit: Emit) -> Emit:
        """The same door for events, at which this log listens."""

        def hear(event: Event) -> None:
            if isinstance(event, Rendered):
                self._take(event)
            emit(event)

        return hear

    def save(self) -> None:
        """Write the report."""
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / NAME, msgspec.json.encode(add_deep_webs([self._earlier, self.report])))

    @property
    def report(self) -> DeepWebReport:
        """What this session has seen."""
        return DeepWebReport(
            rendered=self._rendered,
            reasons=dict(self._reasons),
            troubles=dict(self._troubles),
            seconds=round(self._seconds, 1),
            requests=self._requests,
            size=self._size,
            browser=self._browser,
            forms=tuple(self._book.forms),
            coverage=tuple(self._book.coverage),
        )

    def _take(self, event: Rendered) -> None:
        self._rendered += not event.trouble or event.trouble.startswith(("cut", "a wall"))
        for texts, text in ((self._reasons, event.reason), (self._troubles, event.trouble)):
            plain = "".join("N" if sign.isdigit() else sign for sign in text).replace("NN", "N")
            if plain and (plain in texts or len(texts) < _MOST_REASONS):
                texts[plain] += 1
        self._seconds += event.seconds
        self._browser = event.browser or self._browser
        self._requests += event.requests
        self._size += event.size


def read_deep_web(folder: Path) -> DeepWebReport:
    """The last report; an empty one where none was written."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=decodable(DeepWebReport))
    except (FileNotFoundError, *UNDECODABLE):
        return DeepWebReport()


def add_deep_webs(reports: Sequence[DeepWebReport]) -> DeepWebReport:
    """What several workers or sessions saw; of a form that several met, the last."""
    reasons, troubles = Counter[str](), Counter[str]()
    for report in reports:
        reasons.update(report.reasons)
        troubles.update(report.troubles)
    forms = {form.key: form for report in reports for form in report.forms}
    coverage = {each.action: each for report in reports for each in report.coverage}
    return DeepWebReport(
        rendered=sum(report.rendered for report in reports),
        reasons=dict(reasons.most_common()),
        troubles=dict(troubles.most_common()),
        seconds=round(sum(report.seconds for report in reports), 1),
        requests=sum(report.requests for report in reports),
        size=sum(report.size for report in reports),
        browser=next((report.browser for report in reversed(reports) if report.browser), ""),
        forms=tuple(forms.values()),
        coverage=tuple(coverage.values()),
    )
