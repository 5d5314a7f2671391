"""Durable queue of what is still to be asked for: a queue for each host, released when the host is due.

`DurableQueue` is the engine of the embedded frontier, in one folder. It is made of

1. the seen set (`seen`): which URLs are known;
2. the queues (`queues`, `backlog`): what waits, a bounded part of it in memory, the rest in sorted files;
3. the hosts (`hosts`): when each may be asked again;
4. the journals (`journal`, `journal_chain`): every change since the last checkpoint.

A call changes 1-3 in memory and appends one record to the journal, which is written within 0.25 s or 256 kB. When enough has
changed, a checkpoint begins a new journal and writes 1-3, as they were at that moment, to files that the small file `state`
names (`checkpoint`); that and merging files (`merging`) go on in slices of some milliseconds, one each time the journal is
written, and a thread waits for the disk. Opening reads `state` and replays the journals since: what was added and not finished
is queued, what was leased is queued again. After a kill the state is that of some moment in the last quarter of a second (after
a power cut: since the `sync` before the last), never half a transaction.
"""

from __future__ import annotations

import itertools
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from trasmallo.crawl.frontier.backlog import Entry, Segment, entry_of, key_of, target_of
from trasmallo.crawl.frontier.checkpoint import (
    CheckpointState,
    Saving,
    lock,
    read_state,
    sweep,
    write_state,
)
from trasmallo.crawl.frontier.hosts import OUTCOMES, HostTable, last_in_codes
from trasmallo.crawl.frontier.interface import FrontierStats, Lease, Result
from trasmallo.crawl.frontier.journal_chain import JournalChain, Record
from trasmallo.crawl.frontier.lent import LentTargets
from trasmallo.crawl.frontier.merging import regroup
from trasmallo.crawl.frontier.queues import DoneSet, Queues, Taken
from trasmallo.crawl.frontier.records import Added, Discarded, Finished, Moved
from trasmallo.crawl.frontier.seen import Seen, SeenInfo
from trasmallo.values.model import Outcome, Target
from trasmallo.values.urls import host_key

_JOURNAL_BYTES = 32 << 20  # judgement: bytes of a journal after which a checkpoint is due; reading it takes a second
_DISCARD_RECORD = 10_000  # judgement: addresses in one record of the journal


class DurableQueue:
    """The queues of a crawl in a folder of its own, for one process.

    `memory_urls` bounds the queued targets in memory: a third as many new ones, about 450 bytes each, bring a checkpoint, and
    what was read from files takes as much room as the rest of them would. With `in_order` the caller waits until `Lease.due`;
    the folder may be opened with another `in_order` later. With `best_first` hosts that are due go by what they have first.
    `clock` times the journal's writes.
    """

    def __init__(
        self,
        folder: Path,
        *,
        in_order: bool = False,
        memory_urls: int = 300_000,
        admits: Callable[[Target], bool] | None = None,
        leases_per_host: int = 1,
        best_first: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._best_first = best_first
        self._in_order = in_order
        self._limit = max(memory_urls // 3, 1)
        self._admits = admits
        self._journals = JournalChain(folder, clock)
        self._saving: Saving | None = None
        self._lent = LentTargets()
        self._leases_per_host = leases_per_host
        self._lock = lock(folder)
        try:
            self._open()
        except BaseException:
            os.close(self._lock)
            raise

    def add(self, targets: Iterable[Target]) -> int:
        """Queue the targets whose URL was never added; how many those were."""
        entries = self._number(self._new(targets))
        if entries:
            self._enqueue(entries)
            self._known += len(entries)
            self._record(Added(entries))
        return len(entries)

    def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> list[Lease]:
        """Lend the first targets of hosts that are due; in order: of one host, due or not, and only when nothing is lent."""
        if self._in_order:
            return self._lease_first(urls_per_host)
        place = partial(self._queues.first_priority, now=now) if self._best_first else None
        leases: list[Lease] = []
        while len(leases) < hosts and (host := self._hosts.lease(now, place)) is not None:
            items = self._queues.take(host, now, urls_per_host)
            if items:
                leases.append(self._lend(host, items))
                self._offer_again(host)
                continue
            self._hosts.release(host)
            if (wait := self._queues.wait(host)) > now:
                self._hosts.offer(host, wait)
        self._queues.relieve()
        return leases

    def finish(self, lease: Lease, results: Sequence[Result], discovered: Iterable[Target], due: float) -> int:
        """End a lease in one transaction; raises LeaseLost when it has ended, ValueError for results of other URLs."""
        host, asked, unfinished = self._lent.match(lease, results)
        if self._leases_per_host > 1:
            due = max(due, self._hosts.due[host])  # what another lease of the host asked for holds, too
        record = self._conclude(host, due, asked, results, self._new(discovered))
        self._lent.end(lease.token)
        self._hosts.release(host)
        self._queues.finish(asked)
        if unfinished:
            self._queues.give_back(self._lane(host), unfinished)
            self._hosts.queued[host] += len(unfinished)
            self._queued += len(unfinished)
        self._count(record)
        if self._hosts.queued[host] and not self._in_order:
            self._hosts.offer(host, self._queues.wait(host))
        self._record(record)
        return len(record.discovered)

    def retry(self, ended: Iterable[tuple[Target, Outcome]]) -> list[tuple[Target, Outcome]]:
        """Queue targets once more that ended so; those that are: what waits or is lent stays. Reads the whole queue."""
        chosen = self._ended(ended)
        if chosen:
            entries = [msgspec.structs.replace(entry, attempts=1) for entry in self._number([each[0] for each in chosen])]
            host = self._hosts.number(host_key(entries[0].url))
            record = Finished(host, self._hosts.due[host], retries=entries, undone=[each[1] for each in chosen])
            self._count(record)
            self._record(record)
        return chosen

    def next_due(self, now: float) -> float | None:
        """When to lease again; None when nothing is queued for hosts that are not leased."""
        if self._in_order:
            return self._first_due()
        when = self._hosts.next_turn()
        return None if math.isinf(when) else max(when, now)

    def drop(self, matches: Callable[[str], bool]) -> int:
        """End every queued URL that matches as out of scope; how many those are. Reads the whole queue (2 µs a URL)."""
        number = self._hosts.number
        found = [(entry.seq, number(host_key(entry.url))) for _, entry in self._queues.entries() if matches(entry.url)]
        if not found:
            return 0
        for start in range(0, len(found), _DISCARD_RECORD):
            batch = found[start : start + _DISCARD_RECORD]
            record = Discarded([seq for seq, _ in batch], [host for _, host in batch])
            self._count_discarded(record)
            self._journals.append(record)
        self._queues.prune()
        for host in sorted({host for _, host in found}):
            if not self._hosts.queued[host] and not self._hosts.is_leased(host):
                self._hosts.release(host)
        return len(found)

    def reprioritise(self, priorities: Mapping[str, int]) -> int:
        """Give queued URLs other priorities, equals in their order; how many changed. Reads the whole queue (2 µs a URL)."""
        waiting = (entry for _, entry in self._queues.entries())
        found = sorted((each for each in waiting if priorities.get(each.url, each.priority) != each.priority), key=key_of)
        for start in range(0, len(found), _DISCARD_RECORD):
            batch = found[start : start + _DISCARD_RECORD]
            numbered = enumerate(batch, self._next_seq)
            moved = [msgspec.structs.replace(each, seq=seq, priority=priorities[each.url]) for seq, each in numbered]
            record = Moved([each.seq for each in batch], moved)
            self._move(record)
            self._journals.append(record)
        if found:
            self._queues.prune()
        return len(found)

    def holds(self, token: int) -> bool:
        """Whether a lease has not ended."""
        return token in self._lent

    def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts now, with so many hosts: the leased ones, then those with the longest queues."""
        return FrontierStats(
            known=self._known,
            queued=self._queued,
            leased=sum(len(items) for _, items in self._lent),
            done=sum(self._outcomes.values()),
            hosts=len(self._hosts),
            retries=self._retries,
            outcomes=dict(self._outcomes),
            busiest=self._hosts.busiest(self._lent.hosts, hosts) if hosts else (),
        )

    def pending(self, host: str) -> Iterator[Target]:
        """The queue of a host in its order, which must not change meanwhile."""
        number = self._hosts.find(host)
        entries = self._queues.peek(self._lane(number)) if number is not None else ()
        return (target_of(entry) for entry in entries if host_key(entry.url) == host)

    def targets(self) -> Iterator[Target]:
        """Everything that is queued, in no order; it must not change meanwhile."""
        return (target_of(entry) for _, entry in self._queues.entries())

    def write(self, *, to_disk: bool = False) -> None:
        """Hand everything to the operating system; `to_disk` asks the disk to keep it, and goes on with files to be written."""
        if not to_disk:
            self._journals.newest.write()
            return
        self._journals.sync()
        self._work()

    def close(self) -> None:
        """Sync, and let go of everything; open leases will be queued again. Does nothing the second time."""
        if self._lock < 0:
            return
        try:
            if self._saving is not None:
                self._saving.abandon()
            self._queues.merging.close()
            self._journals.close()
        finally:
            os.close(self._lock)
            self._lock = -1

    def checkpoint(self) -> None:
        """Write everything to files of its own; goes on by itself, a slice at a time, when enough has changed.

        Nothing is forgotten before the new state is on disk, so after a full disk one can go on or open again.
        """
        self._finish_saving()
        self._begin_saving()
        self._finish_saving()

    def _begin_saving(self) -> None:
        self._journals.newest.write()
        seen = self._seen.flush()
        self._journals.begin_next(self._new_path("journal"))
        spilled = self._new_path("backlog")
        state = self._state(self._journals.newest.path.name, seen)
        self._queues.freeze(self._next_seq)
        merged = self._queues.merging.merged
        new = [info.name for info in (seen if seen.size else None, merged) if info is not None]
        self._saving = Saving(self._folder, state, self._queues.spill(spilled), [self._folder / name for name in new])
        # The first step notes which lanes there are now.
        self._go_on_saving()

    def _go_on_saving(self) -> None:
        if self._saving is None:
            return
        try:
            if self._saving.step():
                self._saved(self._saving.state)
        except BaseException:
            self._saving.abandon()
            self._saving = None
            self._seen.flushed = 0
            self._queues.thaw()
            raise

    def _finish_saving(self) -> None:
        while self._saving is not None:
            self._saving.wait()
            self._go_on_saving()

    def _saved(self, state: CheckpointState) -> None:
        self._saving = None
        self._queues.adopt(state.segments)
        self._seen.commit(state.seen)
        self._journals.forget_older()
        self._sweep()

    def _open(self) -> None:
        state = read_state(self._folder)
        fresh = state is None
        if state is None:
            state = CheckpointState(journal="journal-00000000", in_order=self._in_order)
        self._serial, self._next_seq = state.serial, state.next_seq
        self._known, self._retries, self._outcomes = state.known, state.retries, Counter(state.outcomes)
        self._seen = Seen(self._folder, state.seen, warm=self._limit)
        self._hosts = HostTable(state.names, state.due, state.queued, last_in_codes(state.last, state.last_names))
        self._queued = sum(self._hosts.queued)
        done = DoneSet(state.done)
        segments = [Segment(self._folder, info, number) for number, info in enumerate(state.segments)]
        if state.in_order != self._in_order:
            left = (entry for segment in segments for entry in segment.all() if entry.seq not in done)
            segments = regroup(left, self._lane_of, lambda: self._new_path("backlog"), self._limit)
        self._queues = Queues(self._folder, 5 * self._limit // 2, done, segments, state.next_seq)
        if fresh:
            write_state(self._folder, state)
        self._recover(state.journal)
        if state.in_order != self._in_order:
            self.checkpoint()

    def _recover(self, journal: str) -> None:
        self._serial = max(self._serial, self._journals.recover(journal, self._replay))
        self._queues.prune()
        # Turns given during the replay may be earlier than what a later record says is due.
        self._hosts.clear_turns()
        for host, queued in enumerate(self._hosts.queued):
            if queued and not self._in_order:
                self._hosts.offer(host, self._queues.wait(host))
        self._sweep()

    def _replay(self, record: Record) -> None:
        if isinstance(record, Discarded):
            self._count_discarded(record)
            return
        if isinstance(record, Moved):
            self._move(record)
            return
        entries = record.entries if isinstance(record, Added) else record.discovered
        for entry in entries:
            self._seen.restore(entry.url)
        if isinstance(record, Added):
            self._enqueue(entries)
            self._known += len(entries)
            self._next_seq += len(entries)
            return
        self._hosts.queued[record.host] -= len(record.seqs)
        self._queued -= len(record.seqs)
        for seq in record.seqs:
            self._queues.done.add(seq)
        self._count(record)
        self._next_seq += len(record.retries) + len(record.discovered)

    def _conclude(
        self, host: int, due: float, asked: Sequence[Taken], results: Sequence[Result], discovered: Sequence[Target]
    ) -> Finished:
        seqs, last = [item[1].seq for item in asked], results[-1].outcome if results else None
        record = Finished(host, due, seqs, [], last, [], self._number(discovered))  # by position: once a page
        for item, result in zip(asked, results, strict=True):
            if not result.retry_at:
                record.outcomes.append(result.outcome)
                continue
            entry = item[1]
            again = {"seq": self._next_seq, "attempts": entry.attempts + 1, "after": result.retry_at}
            record.retries.append(msgspec.structs.replace(entry, **again))
            self._next_seq += 1
        return record

    def _ended(self, told: Iterable[tuple[Target, Outcome]]) -> list[tuple[Target, Outcome]]:
        """Those of the targets that are done, as far as the counts of their outcomes go."""
        rest = {target.url: (target, outcome) for target, outcome in told}
        lent = (item[1] for _, items in self._lent for item in items)
        for entry in itertools.chain((entry for _, entry in self._queues.entries()), lent):
            rest.pop(entry.url, None)
        left = self._outcomes.copy()
        left.subtract(outcome for _, outcome in rest.values())
        return [each for each in rest.values() if left[each[1]] >= 0]

    def _count(self, record: Finished) -> None:
        """What a finished lease changes, now and when replayed."""
        self._hosts.note(record.host, record.due, record.last)
        for outcome in record.outcomes:
            self._outcomes[outcome] += 1
        if record.undone:
            self._outcomes -= Counter(record.undone)
        if record.retries:
            self._retries += len(record.retries)
            self._enqueue(record.retries)
        if record.discovered:
            self._known += len(record.discovered)
            self._enqueue(record.discovered)

    def _count_discarded(self, record: Discarded) -> None:
        for seq, host in zip(record.seqs, record.hosts, strict=True):
            self._queues.done.add(seq)
            self._hosts.queued[host] -= 1
        self._queued -= len(record.seqs)
        self._outcomes[Outcome.OUT_OF_SCOPE] += len(record.seqs)

    def _move(self, record: Moved) -> None:
        for seq, entry in zip(record.seqs, record.entries, strict=True):
            self._queues.done.add(seq)
            self._hosts.queued[self._hosts.number(host_key(entry.url))] -= 1
        self._queued -= len(record.seqs)
        self._next_seq += len(record.entries)
        self._enqueue(record.entries)

    def _record(self, record: Added | Finished) -> None:
        if self._journals.append(record):
            self._work()
        if self._is_full(1) and (self._saving is None or self._is_full(2)):
            self._finish_saving()
            self._begin_saving()

    def _is_full(self, times: int) -> bool:
        """Whether a checkpoint is due, or a second one while the first is on its way."""
        newest = max(self._queues.dirty, self._seen.newest - self._seen.flushed)
        return newest >= times * self._limit or self._journals.newest.size >= times * _JOURNAL_BYTES

    def _work(self) -> None:
        """Some milliseconds of a checkpoint or of merging files."""
        self._go_on_saving()
        self._queues.merging.work(self._queues.segments, lambda: self._new_path("backlog"))
        self._queues.relieve()

    def _new(self, targets: Iterable[Target]) -> Sequence[Target]:
        new = self._seen.admit(targets)
        return new if self._admits is None else [target for target in new if self._admits(target)]

    def _number(self, targets: Sequence[Target]) -> list[Entry]:
        first = self._next_seq
        self._next_seq += len(targets)
        return [entry_of(seq, target) for seq, target in enumerate(targets, first)]

    def _enqueue(self, entries: Sequence[Entry]) -> None:
        groups: dict[str, list[Entry]] = {}
        for entry in entries:
            groups.setdefault(host_key(entry.url), []).append(entry)
        for name, group in groups.items():
            host = self._hosts.number(name)
            self._queues.push(self._lane(host), group)
            self._hosts.queued[host] += len(group)
            if not self._in_order:
                self._hosts.offer(host, min([entry.after for entry in group]))
        self._queued += len(entries)

    def _lane(self, host: int) -> int:
        return 0 if self._in_order else host

    def _lend(self, host: int, items: list[Taken], due: float | None = None) -> Lease:
        token = self._lent.add(host, items)
        self._hosts.queued[host] -= len(items)
        self._queued -= len(items)
        targets = tuple([target_of(item[1]) for item in items])
        attempts = tuple([item[1].attempts for item in items])
        return Lease(token, self._hosts.names[host], targets, attempts, self._hosts.due[host] if due is None else due)

    def _offer_again(self, host: int) -> None:
        """Let a host be lent once more at the same time, where that is allowed and something is left."""
        if self._lent.of_host(host) < self._leases_per_host and self._hosts.queued[host]:
            self._hosts.release(host)
            self._hosts.offer(host, self._queues.wait(host))

    def _lease_first(self, most: int) -> list[Lease]:
        due = self._first_due()
        if due is None:
            return []
        items = self._queues.take(0, math.inf, 1)
        name = host_key(items[0][1].url)
        while len(items) < most and (entry := self._queues.first(0, math.inf)) and host_key(entry.url) == name:
            items += self._queues.take(0, math.inf, 1)
            due = max(due, entry.after)
        host = self._hosts.number(name)
        self._hosts.hold(host)
        self._queues.relieve()
        return [self._lend(host, items, due)]

    def _first_due(self) -> float | None:
        first = None if self._lent else self._queues.first(0, math.inf)
        if first is None:
            return None
        return max(self._hosts.due[self._hosts.number(host_key(first.url))], first.after)

    def _state(self, journal: str, seen: SeenInfo) -> CheckpointState:
        hosts = self._hosts
        segments = self._queues.outlook() if self._queued or self._lent else []
        queued = hosts.queued[:]
        for host, items in self._lent:
            queued[host] += len(items)
        return CheckpointState(
            journal=journal,
            serial=self._serial,
            in_order=self._in_order,
            next_seq=self._next_seq,
            known=self._known,
            retries=self._retries,
            outcomes=dict(self._outcomes),
            segments=segments,
            seen=seen,
            names=hosts.names[:],
            due=hosts.due.tobytes(),
            queued=queued.tobytes(),
            last=bytes(hosts.last),
            last_names=list(OUTCOMES),
            done=bytes(self._queues.done.bits),
        )

    def _lane_of(self, url: str) -> int:
        return self._lane(self._hosts.number(host_key(url)))

    def _new_path(self, kind: str) -> Path:
        self._serial += 1
        return self._folder / f"{kind}-{self._serial:08}"

    def _sweep(self) -> None:
        files = [*(segment.info.name for segment in self._queues.segments), *self._journals.names]
        sweep(self._folder, files + self._queues.merging.unfinished)
