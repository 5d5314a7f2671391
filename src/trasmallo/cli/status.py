"""Table of a run's state: its counts, its lines, its processes, and why its hosts wait."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from trasmallo.cli.output import print_table

if TYPE_CHECKING:
    from trasmallo.results.summary import ProjectStatus
    from trasmallo.values.run_status import AgentStatus, CrawlLeft, HostStatus, LineStatus

_SILENT = 5.0
"""Seconds without a report, after which the crawl is not just between two of them. Judgement: it reports once a second."""


def print_status(status: ProjectStatus, now: float) -> None:
    """The state of a run as a table, looked at `now`."""
    rows: list[tuple[object, ...]] = [("outcome", name, count, "") for name, count in sorted(status.outcomes.items())]
    counts = msgspec.structs.asdict(status.progress)
    rows += [("progress", name, count, "") for name, count in counts.items() if isinstance(count, int)]
    rows += [("dropped", reason, count, "") for reason, count in status.progress.drops.items()]
    rows += [(f"line {line.line}", line.url, _how_far(line), _what_it_does(line)) for line in status.lines]
    rows += [(f"process {agent.process}", agent.what, agent.more or "", _what_for(agent)) for agent in status.agents]
    rows += [("queue", host.host, host.queued, host.reason + _until(host)) for host in status.hosts]
    if status.left:
        rows.append(("waiting", status.left.run, status.left.waiting, _why(status.left)))
    print_table(("", "what", "number", "why"), rows, title=_title(status), caption=_caption(status, now))


def _why(left: CrawlLeft) -> str:
    cause = f"it ended early ({left.ended})" if left.ended else "it was interrupted"
    return f"{cause}; trasmallo run goes on with it"


def _title(status: ProjectStatus) -> str:
    working = f", process {status.process}" if status.process else ""
    ended = f" ({status.ended})" if status.ended not in ("", status.state) else ""
    return f"{status.run}: {'paused' if status.paused else status.state}{ended}{working}"


def _caption(status: ProjectStatus, now: float) -> str:
    silent = now - status.at
    if status.process and status.at and silent > _SILENT:
        return f"Its last report is {silent:.0f} seconds old."
    return f"Nothing moves: {status.waiting}." if status.waiting else ""


def _how_far(line: LineStatus) -> str:
    if line.state != "downloading" or not line.received:
        return ""
    return f"{100 * line.received // line.expected} %" if line.expected else f"{line.received:,} bytes"


def _what_it_does(line: LineStatus) -> str:
    since = f" since {_clock_time(line.since)}" if line.since else ""
    return f"{line.state}{since}" + (f": {line.cause}" if line.cause else "")


def _what_for(agent: AgentStatus) -> str:
    return agent.work + (f" since {_clock_time(agent.since)}" if agent.since else "")


def _until(host: HostStatus) -> str:
    return f" until {_clock_time(host.until)}" if host.until else ""


def _clock_time(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))
