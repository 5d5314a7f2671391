"""Filter of traps before the frontier: each new address is looked at once, and those that lead into a trap stay outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from trasmallo.config import CrawlConfig
from trasmallo.crawl.traps import TrapReport, Traps, TrapSettings
from trasmallo.events import Emit, Refused, Warned
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Reached, Response, Target

_EMITTED = 20
"""Refused addresses of a host that are told one by one; the report counts the others. Judgement: enough to see the pattern."""


class TrapFilter:
    """Filter that keeps what it learned in a file, so that a resumed crawl knows the traps of before."""

    def __init__(self, path: Path, config: CrawlConfig, emit: Emit) -> None:
        self._path = path
        self._emit = emit
        self._emitted: Counter[str] = Counter()
        self._traps = self._open(TrapSettings(lifted=config.traps_allowed))

    def admits(self, target: Target) -> bool:
        """Whether an address may be queued."""
        if target.reached is Reached.FORM:  # a question that was chosen, within a budget of its own
            return True
        cause = self._traps.catches(target.url, target.via, target.depth)
        return not cause or self._refuse(target, cause)

    def still_admits(self, target: Target) -> bool:
        """Whether an address that was queued may be asked for, after all that was learned since."""
        if target.reached is Reached.FORM:
            return True
        cause = self._traps.ends(target.url, target.via)
        return not cause or self._refuse(target, cause)

    def observe(self, page: Response, found: Sequence[Target]) -> None:
        """A page has come, and leads to these addresses that are not known from its host's pages."""
        self._traps.observe(page.url, page.content, [target.url for target in found])

    def _refuse(self, target: Target, cause: str) -> bool:
        host = target.url[: target.url.find("/", 8)]
        self._emitted[host] += 1
        if self._emitted[host] <= _EMITTED:
            self._emit(Refused(url=target.url, cause=f"trap: {cause}"))
        return False

    def report(self) -> list[TrapReport]:
        """What was kept outside, a row a host and sign."""
        return self._traps.report()

    def save(self) -> None:
        """Write what was learned; what a kill loses is learned again."""
        write_whole(self._path, self._traps.state())

    def _open(self, settings: TrapSettings) -> Traps:
        if not self._path.exists():
            return Traps(settings)
        try:
            return Traps.restore(self._path.read_bytes(), settings)
        except StoreDamaged as damage:
            self._emit(Warned(message=str(damage)))
            return Traps(settings)


def read_report(path: Path) -> list[TrapReport]:
    """What the filter of another process kept outside, as it last wrote it down."""
    try:
        return Traps.restore(path.read_bytes()).report()
    except FileNotFoundError:
        return []
