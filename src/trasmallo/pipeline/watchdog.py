"""Nothing stalls in silence: when nothing has moved for a while, it is said what everybody waits for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from trasmallo.events import Emit, Waiting
from trasmallo.values.run_status import HostStatus, LineStatus, RunCounts

_PATIENCE = 10.0  # judgement: seconds of silence that a person wants explained
_NAMED = 3  # judgement: lines and hosts that a sentence can name


class Watchdog:
    """Looks at a run once a second. `cause` is what everybody waits for, "" while something moves."""

    def __init__(self, emit: Emit, clock: Callable[[], float] = time.monotonic) -> None:
        self.cause = ""
        self._emit = emit
        self._clock = clock
        self._moved_at = clock()
        self._seen: tuple[int, ...] = ()

    def look(self, progress: RunCounts, lines: Sequence[LineStatus], hosts: Sequence[HostStatus], *, reading: bool) -> None:
        """Tell what is waited for, when nothing moved for ten seconds and something else is waited for than the last time."""
        counts = (progress.obtained, progress.failed, progress.studied, progress.dropped, progress.known, progress.waiting)
        seen = (*counts, sum(line.received for line in lines))
        if seen != self._seen:
            self._seen, self._moved_at, self.cause = seen, self._clock(), ""
        elif self._clock() - self._moved_at >= _PATIENCE:
            cause, until = self._what(progress, lines, hosts, reading=reading)
            if cause != self.cause:
                self.cause = cause
                self._emit(Waiting(cause=cause, until=until))

    def _what(
        self, progress: RunCounts, lines: Sequence[LineStatus], hosts: Sequence[HostStatus], *, reading: bool
    ) -> tuple[str, float]:
        waiting = sorted((host for host in hosts if not host.leased), key=lambda host: (host.until or float("inf"), host.host))
        parts = [*_of_lines(lines), *_of_hosts(waiting)]
        unread = progress.obtained - progress.studied - progress.dropped
        if reading and unread > 0:
            parts.append(f"{unread:,} documents are being read")
        until = next((host.until for host in waiting if host.until), 0.0)
        return "; ".join(parts) or "nobody knows what for: please report it with the run's events.jsonl", until


def clock_time(at: float) -> str:
    """A time of day, as people write it."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def _of_lines(lines: Sequence[LineStatus]) -> Iterator[str]:
    downloading = [line for line in lines if line.state == "downloading"]
    for line in downloading[:_NAMED]:
        yield f"line {line.line} downloads {line.url[:200]} since {clock_time(line.since)}"
    if len(downloading) > _NAMED:
        yield f"{len(downloading) - _NAMED:,} more lines download"


def _of_hosts(hosts: Sequence[HostStatus]) -> Iterator[str]:
    for host in hosts[:_NAMED]:
        until = f" until {clock_time(host.until)}" if host.until else ""
        yield f"{host.host} {host.reason}{until}, {host.queued:,} addresses wait"
    if len(hosts) > _NAMED:
        yield f"{len(hosts) - _NAMED:,} more hosts wait"
