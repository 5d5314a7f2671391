"""What the first pages of a site taught about rendering: it pays, it does not, or nobody knows yet.

A label is learnt from two good runs that agree; a failure on either side teaches nothing. It is looked at again every twentieth
page, and forgotten after a week, or when that look contradicts it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from trasmallo.crawl.browser.decision import ENOUGH_WORDS, Decision
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable

GOOD_RUNS = 2
"""Runs that must agree. Judgement: one may be an accident."""
CHECK_EVERY = 20
"""Pages of a labelled site between two that are looked at against its label. Judgement: 5 % of the cost of being wrong."""
EXPIRES = 7 * 24 * 3600.0
"""Seconds. Judgement: sites change their make seldom, and a crawl a month later should look again."""
_MOST_SITES = 100_000  # judgement: some 15 MB


class SiteLabel(msgspec.Struct):
    """What is known of one host: how many runs in a row paid or did not, since when, and pages since the last look."""

    pays: bool = False
    runs: int = 0
    at: float = 0.0
    since_check: int = 0


class SiteLabels:
    """The labels of all hosts, kept in a file between sessions ("" keeps them nowhere)."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self._labels: dict[str, SiteLabel] = {}
        if path is not None and path.exists():
            try:
                self._labels = msgspec.json.decode(path.read_bytes(), type=decodable(dict[str, SiteLabel]))
            except UNDECODABLE:
                self._labels = {}  # what was learnt is learnt again

    def weigh(self, host: str, decision: Decision, count_words: Callable[[], int]) -> Decision:
        """The decision on a page in the light of what its host's first pages have shown; its words are counted where needed."""
        label = self._known(host)
        if label is None:
            return decision
        label.since_check += 1
        if label.since_check >= CHECK_EVERY:
            label.since_check = 0
            return decision
        if label.pays and not decision.render and not decision.reason.startswith("no scripts") and count_words() < ENOUGH_WORDS:
            return Decision(render=True, reason="rendering paid for the first pages of its site")
        if not label.pays and decision.render:
            return Decision(
                render=False, reason=f"rendering brought nothing for the first pages of its site ({decision.reason})"
            )
        return decision

    def learn(self, host: str, *, pays: bool) -> None:
        """A page was had both ways, in good order, and rendering it paid or did not."""
        label = self._labels.get(host)
        if label is None or label.pays != pays or self._clock() - label.at > EXPIRES:
            if len(self._labels) >= _MOST_SITES:
                self._labels.pop(next(iter(self._labels)))
            self._labels[host] = SiteLabel(pays=pays, runs=1, at=self._clock())
        else:
            label.runs += 1

    def save(self) -> None:
        """Write the labels down."""
        if self._path is not None and self._labels:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, msgspec.json.encode(self._labels))

    def _known(self, host: str) -> SiteLabel | None:
        label = self._labels.get(host)
        if label is None or label.runs < GOOD_RUNS or self._clock() - label.at > EXPIRES:
            return None
        return label
