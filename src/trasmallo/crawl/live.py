"""What a crawl is doing now, for who looks at it: its lines, and why each host waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import HostState
from trasmallo.events import Emit, LineChanged
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import AgentStatus, HostStatus, LineStatus
from trasmallo.values.urls import host_key

_BY_OUTCOME = {
    Outcome.FETCHED: "finished",
    Outcome.UNCHANGED: "finished",
    Outcome.REDIRECTED: "redirected",
    Outcome.MISSING: "address failed",
    Outcome.NO_HOST: "no server",
    Outcome.LOGIN: "log-in needed",
    Outcome.PRIVATE: "refused",
    Outcome.ROBOTS: "refused",
    Outcome.OUT_OF_SCOPE: "refused",
    Outcome.HOST_LIMIT: "refused",
    Outcome.LEFT_ALONE: "refused",
    Outcome.SOFT_404: "address failed",
    Outcome.OFF_TOPIC: "finished",
}

_FETCHING = ("downloading", "keeping")


class LineActivity(msgspec.Struct):
    """What one line is doing; it changes in place. `asked` when it has asked the host of its `lease` (a token).

    `state` is ready, waiting (for a host that is due), downloading, keeping, ended, or what became of the last address
    (`state_after`); `since` is when it began, `cause` why it failed or was refused, or where the redirect leads.
    """

    number: int
    state: str = "ready"
    url: str = ""
    cause: str = ""
    since: float = 0.0
    received: int = 0
    expected: int = 0
    asked: bool = False
    lease: int = 0

    def progress(self, received: int, expected: int) -> None:
        """So many bytes of an answer came, of those that are expected; 0 where nobody said."""
        self.received, self.expected = received, expected


class LineBoard:
    """Tells what lines do, as they begin with it."""

    def __init__(self, emit: Emit, clock: Callable[[], float]) -> None:
        self._emit = emit
        self._clock = clock

    def show(self, line: LineActivity, state: str, url: str = "") -> None:
        """A line begins with something."""
        line.state, line.url, line.cause, line.received, line.expected = state, url, "", 0, 0
        self.tell(line)

    def tell(self, line: LineActivity) -> None:
        """What a line does now, or what became of the last address of its lease."""
        line.since = self._clock()
        self._emit(LineChanged(line=line.number, state=line.state, url=line.url, cause=line.cause, since=line.since))


def state_after(outcome: Outcome) -> str:
    """The state of a line whose address ended so; where neither address nor server is to blame, the retrieval failed."""
    return _BY_OUTCOME.get(outcome, "retrieval failed")


class Manners(msgspec.Struct, frozen=True):
    """What a crawler knows about a host: the delay of the project, the `rest` the host is given, and times not to ask before.

    `blocks` is how often in a row it asked to be left alone. `held_until` is until when the server asked us to wait, or is left
    alone for a challenge, `machine_until` the rest of its machine, `again_at` when an address that failed is tried again.
    `free` says that a line has nothing to do.
    """

    delay: float
    rest: float
    troubles: int = 0
    blocks: int = 0
    held_until: float = 0.0
    machine_until: float = 0.0
    again_at: float = 0.0
    rules_known: bool = True
    at_work: bool = False
    free: bool = False


def describe_process(process: int, lines: Sequence[LineStatus]) -> AgentStatus:
    """A process that crawls, by its lines: at which host it has been the longest, and how many more it asks."""
    fetching = sorted((line for line in lines if line.state in _FETCHING), key=lambda line: line.since)
    if not fetching:
        return AgentStatus(process=process, work="waiting", since=max((line.since for line in lines), default=0.0))
    first = fetching[0]
    return AgentStatus(process=process, work="fetching", what=host_key(first.url), since=first.since, more=len(fetching) - 1)


def waiting_for(hosts: Sequence[HostStatus]) -> str:
    """What a crawl waits for, by its busiest hosts."""
    waiting = [host for host in hosts if host.queued]
    return f"{waiting[0].host} {waiting[0].reason}, {waiting[0].queued:,} addresses wait" if waiting else "hosts rest"


def plain_manners(config: CrawlConfig, *, leased: bool) -> Manners:
    """What is known of a host that other machines ask."""
    return Manners(delay=config.delay, rest=config.delay, at_work=leased)


_MOMENT = 0.1  # judgement: seconds that make no difference to who looks


def describe_host(state: HostState, manners: Manners, now: float) -> HostStatus:
    """A host of the frontier with the reason why it is not asked for more."""
    reason, until = _reason(state, manners, now)
    return HostStatus(
        host=state.host,
        queued=state.queued,
        reason=reason,
        until=until,
        leased=state.leased,
        last_outcome=state.last_outcome,
    )


def _reason(state: HostState, manners: Manners, now: float) -> tuple[str, float]:
    if state.leased:
        return ("is being asked" if manners.at_work else "what it brought is being kept"), 0.0
    if manners.held_until > now and manners.blocks:
        return f"asked {manners.blocks} times in a row to be left alone", max(state.due, manners.held_until)
    if manners.held_until > now:
        return "asked us to wait (Retry-After)", max(state.due, manners.held_until)
    if state.due > now:
        return _resting(state.due, manners), state.due
    if manners.machine_until > now:
        return "its machine rests", manners.machine_until
    if not manners.rules_known:
        return "its robots.txt is to be asked for first", 0.0
    if manners.again_at > now and manners.free:
        return "what failed is tried again later", manners.again_at
    return "waits for a free line", 0.0


def _resting(due: float, manners: Manners) -> str:
    if manners.troubles:
        return f"backs off after {manners.troubles} failures in a row"
    if abs(manners.machine_until - due) < _MOMENT:
        return "its machine rests"
    if manners.rest > manners.delay:
        return f"rests (Crawl-delay of {manners.rest:g} s)"
    return f"rests (delay of {manners.delay:g} s)"
