"""The embedded frontier beside a naive one that does the same with lists and sets."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import tempfile
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from support.leasing import copy_as_killed
from trasmallo.crawl.frontier import Lease, Result
from trasmallo.crawl.frontier.durable_queue import DurableQueue
from trasmallo.values.model import Outcome, Target
from trasmallo.values.urls import host_key

FAST_DISK = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a checkpoint every few URLs waits for a real disk too long
HOSTS = [f"http://h{number}.example" for number in range(4)]


class Waiting:
    """A queued URL of the naive frontier."""

    def __init__(self, target: Target, seq: int, attempts: int = 0, after: float = 0.0) -> None:
        self.target, self.attempts, self.after = target, attempts, after
        self.key = (target.priority, target.depth, seq)


class NaiveFrontier:
    """What a frontier does, with lists and sets."""

    def __init__(self, in_order: bool) -> None:
        self.in_order = in_order
        self.known: set[str] = set()
        self.queue: list[Waiting] = []
        self.due: dict[str, float] = {}
        self.leases: dict[int, list[Waiting]] = {}
        self.outcomes: dict[Outcome, int] = {}
        self.ended: dict[str, tuple[Target, Outcome]] = {}
        self.seq = 0

    def put(self, target: Target, attempts: int = 0, after: float = 0.0) -> None:
        self.queue.append(Waiting(target, self.seq, attempts, after))
        self.queue.sort(key=lambda waiting: waiting.key)
        self.seq += 1

    def add(self, targets: list[Target]) -> int:
        before = len(self.known)
        for target in targets:
            if target.url not in self.known:
                self.known.add(target.url)
                self.put(target)
        return len(self.known) - before

    def leased_hosts(self) -> set[str]:
        return {host_key(waiting.target.url) for items in self.leases.values() for waiting in items}

    def ready(self, now: float) -> dict[str, list[Waiting]]:
        """What could be leased now, by host."""
        ready: dict[str, list[Waiting]] = {}
        for waiting in self.queue:
            host = host_key(waiting.target.url)
            if host not in self.leased_hosts() and self.due.get(host, 0.0) <= now and waiting.after <= now:
                ready.setdefault(host, []).append(waiting)
        return ready

    def first(self, most: int) -> list[Waiting]:
        """What is leased in order."""
        if self.leases or not self.queue:
            return []
        host = host_key(self.queue[0].target.url)
        count = next((n for n, w in enumerate(self.queue) if host_key(w.target.url) != host), len(self.queue))
        return self.queue[: min(count, most)]

    def lend(self, token: int, items: list[Waiting]) -> None:
        self.leases[token] = items
        self.queue = [waiting for waiting in self.queue if waiting not in items]

    def finish(self, lease: Lease, results: list[Result], discovered: list[Target], due: float) -> int:
        items = {waiting.target.url: waiting for waiting in self.leases.pop(lease.token)}
        self.due[lease.host] = due
        # Discovered targets arrive before those that are to be tried again.
        again = []
        for result in results:
            waiting = items.pop(result.url)
            if result.retry_at:
                again.append((waiting.target, waiting.attempts + 1, result.retry_at))
            else:
                self.end(waiting.target, result.outcome)
        self.queue = sorted([*self.queue, *items.values()], key=lambda waiting: waiting.key)
        new = self.add(discovered)
        for target, attempts, after in again:
            self.put(target, attempts, after)
        return new

    def end(self, target: Target, outcome: Outcome) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        self.ended[target.url] = target, outcome

    def retry(self, target: Target, outcome: Outcome) -> None:
        self.outcomes[outcome] -= 1
        if not self.outcomes[outcome]:
            del self.outcomes[outcome]
        del self.ended[target.url]
        self.put(target, attempts=1)

    def give_up_leases(self) -> None:
        self.queue = sorted([*self.queue, *(w for items in self.leases.values() for w in items)], key=lambda w: w.key)
        self.leases.clear()


urls = st.builds(lambda host, path: f"{host}/{path}", st.sampled_from(HOSTS), st.integers(0, 120))
targets = st.builds(Target, urls, st.integers(0, 3), st.integers(-2, 2), st.sampled_from(["", "http://via.example/page"]))
batches = st.lists(targets, max_size=25)


class FrontierMachine(RuleBasedStateMachine):
    """The embedded frontier does what the naive one does, also after being closed, killed, or opened the other way."""

    @initialize(in_order=st.booleans(), memory=st.sampled_from([2, 60, 400, 10_000]))
    def start(self, in_order: bool, memory: int) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="frontier-", dir=FAST_DISK))
        self.folder = self.scratch / "0"
        self.memory = memory
        self.model = NaiveFrontier(in_order)
        self.now = 100.0
        self.leases: list[Lease] = []
        self.frontier = self.open()
        self.add([Target(f"{HOSTS[number % 4]}/{number}", number % 3, number % 2) for number in range(24)])

    def open(self) -> DurableQueue:
        return DurableQueue(self.folder, in_order=self.model.in_order, memory_urls=self.memory)

    def teardown(self) -> None:
        if hasattr(self, "scratch"):
            self.frontier.close()
            shutil.rmtree(self.scratch)

    @rule(batch=batches)
    def add(self, batch: list[Target]) -> None:
        assert self.frontier.add(batch) == self.model.add(batch)

    @rule(seed=st.integers(0, 2**32), turns=st.integers(2, 12))
    def crawl(self, seed: int, turns: int) -> None:
        chance = random.Random(seed)
        for _ in range(turns):
            self.lease(hosts=chance.randint(1, 4), most=chance.choice([1, 2, 9]))
            while self.leases and chance.random() < 0.7:
                self.finish(chance)
            self.now += chance.choice([0.0, 0.5, 1.0, 10.0])
            if chance.random() < 0.3:
                self.frontier.write(to_disk=True)

    def lease(self, hosts: int, most: int) -> None:
        leases = self.frontier.lease(self.now, hosts, most)
        if self.model.in_order:
            expected = [self.model.first(most)] if self.model.first(most) else []
        else:
            ready = self.model.ready(self.now)
            assert len(leases) == min(hosts, len(ready))
            expected = [ready[lease.host][:most] for lease in leases]
        assert [list(lease.targets) for lease in leases] == [[w.target for w in items] for items in expected]
        assert [list(lease.attempts) for lease in leases] == [[w.attempts for w in items] for items in expected]
        for lease, items in zip(leases, expected, strict=True):
            due = self.model.due.get(lease.host, 0.0)
            assert lease.due == (max(due, *(w.after for w in items)) if self.model.in_order else due)
            self.model.lend(lease.token, items)
        self.leases += leases

    def finish(self, chance: random.Random) -> None:
        lease = self.leases.pop(chance.randrange(len(self.leases)))
        asked = lease.targets[: chance.choice([len(lease.targets), chance.randint(0, len(lease.targets))])]
        outcomes = [Outcome.FETCHED, Outcome.TIMED_OUT, Outcome.MISSING]
        retries = [0.0, 0.0, self.now + 3, self.now + 30]
        results = [Result(target.url, chance.choice(outcomes), chance.choice(retries)) for target in asked]
        found = [(chance.choice(HOSTS), chance.randrange(400)) for _ in range(chance.choice([0, 3, 12]))]
        discovered = [Target(f"{host}/{path}", chance.randint(0, 3), chance.randint(-2, 2)) for host, path in found]
        due = self.now + chance.choice([0.0, 1.0, 5.0])
        assert self.frontier.finish(lease, results, discovered, due) == self.model.finish(lease, results, discovered, due)

    @rule(killed=st.booleans(), other_way=st.booleans())
    def restart(self, killed: bool, other_way: bool) -> None:
        """Close it, or let another process find what this one had written when it died; perhaps open it the other way."""
        copy = self.scratch / str(int(self.folder.name) + 1)
        if killed:
            self.frontier.write(to_disk=True)
            copy_as_killed(self.frontier, self.folder, copy)
            self.folder = copy
        self.frontier.close()
        self.model.in_order ^= other_way
        self.leases.clear()
        self.model.give_up_leases()
        self.frontier = self.open()

    @rule(text=st.sampled_from(["h1.example", "/3", "/11", "nothing"]))
    def drop(self, text: str) -> None:
        gone = [waiting for waiting in self.model.queue if text in waiting.target.url]
        known = self.frontier.stats()
        assert sum(text in target.url for target in self.frontier.targets()) == len(gone)
        assert self.frontier.stats() == known
        assert self.frontier.drop(lambda url: text in url) == len(gone)
        self.model.queue = [waiting for waiting in self.model.queue if waiting not in gone]
        for waiting in gone:
            self.model.end(waiting.target, Outcome.OUT_OF_SCOPE)

    @rule(seed=st.integers(0, 2**32), share=st.sampled_from([0.1, 0.5, 1.0]))
    def retry(self, seed: int, share: float) -> None:
        """Some that ended come again; what waits or is lent does not, whatever is said of it."""
        chance = random.Random(seed)
        chosen = [ended for ended in self.model.ended.values() if chance.random() < share]
        others = [waiting.target for items in [self.model.queue, *self.model.leases.values()] for waiting in items[:3]]
        assert self.frontier.retry([*chosen, *((target, Outcome.FETCHED) for target in others)]) == chosen
        for target, outcome in chosen:
            self.model.retry(target, outcome)

    @rule(priorities=st.dictionaries(urls, st.integers(-3, 3), max_size=60))
    def reprioritise(self, priorities: dict[str, int]) -> None:
        """What waits is given other priorities, and comes in their order; what is lent or done stays as it is."""
        moved = [w for w in self.model.queue if priorities.get(w.target.url, w.target.priority) != w.target.priority]
        assert self.frontier.reprioritise(priorities) == len(moved)
        for waiting in moved:
            self.model.queue.remove(waiting)
        for waiting in moved:
            target = msgspec.structs.replace(waiting.target, priority=priorities[waiting.target.url])
            self.model.put(target, waiting.attempts, waiting.after)

    @rule(host=st.sampled_from(HOSTS), limit=st.integers(1, 50))
    def pending(self, host: str, limit: int) -> None:
        waiting = [waiting.target for waiting in self.model.queue if host_key(waiting.target.url) == host]
        assert list(itertools.islice(self.frontier.pending(host), limit)) == waiting[:limit]

    @invariant()
    def counts(self) -> None:
        if not hasattr(self, "frontier"):
            return
        stats, model = self.frontier.stats(), self.model
        assert stats.known == len(model.known) == stats.queued + stats.leased + stats.done
        assert stats.queued == len(model.queue)
        assert stats.outcomes == model.outcomes
        queued = {host: sum(host_key(w.target.url) == host for w in model.queue) for host in HOSTS}
        shown = {state.host: (state.queued, state.leased) for state in self.frontier.stats(10).busiest}
        leased = model.leased_hosts()
        assert shown == {host: (queued[host], host in leased) for host in HOSTS if queued[host] or host in leased}

    @invariant()
    def next_due(self) -> None:
        if not hasattr(self, "frontier"):
            return
        due, model = self.frontier.next_due(self.now), self.model
        free = [w for w in model.queue if host_key(w.target.url) not in model.leased_hosts()]
        if not free or (model.in_order and model.leases):
            assert due is None
        elif not model.in_order:
            times = [max(model.due.get(host_key(w.target.url), 0.0), w.after, self.now) for w in free]
            assert due is not None
            assert self.now <= due <= min(times)


TestFrontierMachine = FrontierMachine.TestCase
TestFrontierMachine.settings = settings(
    max_examples=60,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
