"""What becomes of answers: they are kept, then counted and told, and where they lead is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import msgspec

from trasmallo.crawl.crawl_limits import Counts, HostLimits
from trasmallo.crawl.earlier_runs import EarlierRuns
from trasmallo.crawl.frontier import Result
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.judgement import Judgement, judge
from trasmallo.crawl.link_policy import LinkPolicy
from trasmallo.crawl.live import LineActivity, state_after
from trasmallo.crawl.outcomes import asks_to_be_left_alone
from trasmallo.crawl.ranking import Ranker
from trasmallo.events import Emit, Failed, Fetched, Redirected, Refused, Warned
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target
from trasmallo.values.urls import host_key

Keep = Callable[[Target, Response | Failure, Outcome, str], Fetch]
"""Stores an answer and its row; called before the target is finished in the frontier."""


Together = Callable[[], AbstractContextManager[None]]
"""What is kept inside is stored at once when it ends, and is safe only then."""


class Arrival(msgspec.Struct, frozen=True):
    """What a line brought: an answer after some `attempts` in vain, and its Fetch when it was kept before.

    `judged` is what the answer is, where somebody has looked who knows its host.
    """

    target: Target
    answer: Response | Failure
    line: LineActivity
    attempts: int = 0
    kept: Fetch | None = None
    judged: Judgement | None = None


class TakenArrival(msgspec.Struct, frozen=True):
    """What became of an arrival: how it ended, where it leads, and links as written that need no second look."""

    result: Result
    found: Sequence[Target] = ()
    written: Sequence[str] = ()


class Intake:
    """Takes in what the lines of a crawl bring, several answers at once; `counts` and `host_limits` change with it.

    `ranker` says what is off topic and not to be kept.
    """

    def __init__(
        self,
        *,
        keep: Keep,
        together: Together,
        link_policy: LinkPolicy,
        rests: HostRests,
        counts: Counts,
        host_limits: HostLimits,
        emit: Emit,
        clock: Callable[[], float],
        earlier: EarlierRuns | None = None,
        ranker: Ranker | None = None,
    ) -> None:
        self._ranker = ranker
        self._keep = keep
        self._together = together
        self._link_policy = link_policy
        self._rests = rests
        self._counts = counts
        self._host_limits = host_limits
        self._emit = emit
        self._clock = clock
        self._earlier = earlier

    def take_in(self, arrivals: Sequence[Arrival]) -> list[TakenArrival]:
        """Keep answers, and find where they lead: afterwards, unless what they are about says whether they are kept."""
        if self._ranker is not None and not self._ranker.keeps_all:
            return self._take_in_by_topic(arrivals, self._ranker)
        fetches = self._kept(arrivals)
        return self._taken(arrivals, fetches, [self._leads(*each) for each in zip(arrivals, fetches, strict=True)])

    def _take_in_by_topic(self, arrivals: Sequence[Arrival], ranker: Ranker) -> list[TakenArrival]:
        """Have new pages judged with where they lead, then keep those that are on topic."""
        pages = {number: page for number, each in enumerate(arrivals) if (page := _new_page(each))}
        found = {number: self._leads(arrivals[number], page) for number, page in pages.items()}
        causes = ranker.off_topic([(arrivals[number].target, arrivals[number].answer) for number in pages])
        arrivals = [
            msgspec.structs.replace(each, judged=Judgement(Outcome.OFF_TOPIC, causes[each.target.url]))
            if number in pages and each.target.url in causes
            else each
            for number, each in enumerate(arrivals)
        ]
        fetches = self._kept(arrivals)
        leads = [
            found[number] if number in pages else self._leads(arrival, fetch)
            for number, (arrival, fetch) in enumerate(zip(arrivals, fetches, strict=True))
        ]
        return self._taken(arrivals, fetches, leads)

    def _kept(self, arrivals: Sequence[Arrival]) -> list[Fetch]:
        with self._together():
            return [
                each.kept or self._keep(each.target, each.answer, *(each.judged or judge(each.answer))) for each in arrivals
            ]

    def _taken(
        self, arrivals: Sequence[Arrival], fetches: Sequence[Fetch], leads: Sequence[tuple[Sequence[Target], Sequence[str]]]
    ) -> list[TakenArrival]:
        results = [self._conclude(arrival, fetch) for arrival, fetch in zip(arrivals, fetches, strict=True)]
        return [TakenArrival(result, *each) for result, each in zip(results, leads, strict=True)]

    def _leads(self, arrival: Arrival, fetch: Fetch) -> tuple[Sequence[Target], Sequence[str]]:
        """What an answer leads to, and links as written."""
        if self._earlier is None:
            return self._link_policy.of(arrival.target, arrival.answer, fetch)
        if fetch.outcome is Outcome.UNCHANGED and self._earlier.only_new:
            return (), ()
        answer = self._earlier.read_links_of(arrival.answer, fetch)
        found, written = self._link_policy.of(arrival.target, answer, fetch)
        return self._earlier.wanted(list(found)), written

    def _conclude(self, arrival: Arrival, fetch: Fetch) -> Result:
        target, is_new = arrival.target, arrival.kept is None
        retry_at = self._rests.retry_at(target.url, arrival.answer, fetch.outcome, arrival.attempts) if is_new else 0.0
        self._count(arrival, fetch, retry_at)
        return Result(target.url, fetch.outcome, retry_at)

    def refuse(self, target: Target, outcome: Outcome, cause: str) -> Result:
        """Keep that a target is not asked for, and why."""
        self._keep(target, Failure(target.url, self._clock(), outcome, cause), outcome, cause)
        # Thousands of addresses may be left when a host is asked no more: that it is not is told once.
        at_once = outcome in (Outcome.HOST_LIMIT, Outcome.LEFT_ALONE)
        if not at_once or self._host_limits.is_news(host_key(target.url)):
            self._emit(Refused(url=target.url, cause=cause))
        return Result(target.url, outcome)

    def _count(self, arrival: Arrival, fetch: Fetch, retry_at: float) -> None:
        target, line, is_new = arrival.target, arrival.line, arrival.kept is None
        key = host_key(target.url)
        self._counts.received += fetch.received
        if self._host_limits.active:
            self._host_limits.count(key, fetch)
        if line.url == target.url:  # else what was handed in is kept while its line asks for the next
            line.state = state_after(fetch.outcome)
        if fetch.outcome.obtained:
            self._counts.obtained += is_new or not self._counts.has_stored
            self._rests.end_trouble(key)
            self._emit(Fetched(url=fetch.url, status=fetch.status, size=fetch.size, media=fetch.media, digest=fetch.digest))
        elif fetch.outcome is Outcome.REDIRECTED:
            line.cause = fetch.location
            self._emit(Redirected(url=fetch.url, location=fetch.location))
        elif fetch.outcome is Outcome.OFF_TOPIC:
            self._rests.end_trouble(key)
            self._emit(Refused(url=fetch.url, cause=fetch.cause))
        else:
            line.cause = fetch.cause
            self._counts.failed += not retry_at
            if is_new and asks_to_be_left_alone(fetch.outcome, fetch.status) and self._rests.count_block(key):
                self._emit(Warned(message=f"{key}: asks to be left alone, so it rests: {fetch.cause}"))
            if retry_at and line.asked:
                self._rests.count_trouble(key)
            self._emit(Failed(url=fetch.url, outcome=fetch.outcome, cause=fetch.cause, again_at=retry_at))


def _new_page(arrival: Arrival) -> Fetch | None:
    """What a page would be kept as that is asked for the first time, or has changed; None for all else."""
    answer = arrival.answer
    if arrival.kept is not None or isinstance(answer, Failure):
        return None
    outcome, cause = arrival.judged or judge(answer)
    if outcome is not Outcome.FETCHED:
        return None
    return Fetch(url=arrival.target.url, at=answer.at, outcome=outcome, status=answer.status, cause=cause)
