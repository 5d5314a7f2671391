from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from trasmallo.crawl.frontier import EmbeddedFrontier, Frontier, Lease, Result, backlog
from trasmallo.errors import ProjectBusy, StoreDamaged, StoreFull, StoreTooNew
from trasmallo.model import Outcome, Target
from trasmallo.urls import host_key

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
                self.outcomes[result.outcome] = self.outcomes.get(result.outcome, 0) + 1
        self.queue = sorted([*self.queue, *items.values()], key=lambda waiting: waiting.key)
        new = self.add(discovered)
        for target, attempts, after in again:
            self.put(target, attempts, after)
        return new

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

    def open(self) -> EmbeddedFrontier:
        return EmbeddedFrontier(self.folder, in_order=self.model.in_order, memory_urls=self.memory)

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
                self.frontier.sync()

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
            self.frontier.sync()
            shutil.copytree(self.folder, copy)
            self.folder = copy
        self.frontier.close()
        self.model.in_order ^= other_way
        self.leases.clear()
        self.model.give_up_leases()
        self.frontier = self.open()

    @rule(text=st.sampled_from(["h1.example", "/3", "/11", "nothing"]))
    def discard(self, text: str) -> None:
        gone = [waiting for waiting in self.model.queue if text in waiting.target.url]
        known = self.frontier.stats()
        assert self.frontier.discard(lambda url: text in url, count_only=True) == len(gone)
        assert self.frontier.stats() == known
        assert self.frontier.discard(lambda url: text in url) == len(gone)
        self.model.queue = [waiting for waiting in self.model.queue if waiting not in gone]
        if gone:
            outcomes = self.model.outcomes
            outcomes[Outcome.OUT_OF_SCOPE] = outcomes.get(Outcome.OUT_OF_SCOPE, 0) + len(gone)

    @rule(host=st.sampled_from(HOSTS), limit=st.integers(1, 50))
    def pending(self, host: str, limit: int) -> None:
        waiting = [waiting.target for waiting in self.model.queue if host_key(waiting.target.url) == host]
        assert self.frontier.pending(host, limit) == waiting[:limit]

    @invariant()
    def counts(self) -> None:
        if not hasattr(self, "frontier"):
            return
        stats, model = self.frontier.stats(), self.model
        assert stats.known == len(model.known) == stats.queued + stats.leased + stats.done
        assert stats.queued == len(model.queue)
        assert stats.outcomes == model.outcomes
        queued = {host: sum(host_key(w.target.url) == host for w in model.queue) for host in HOSTS}
        shown = {state.host: (state.queued, state.leased) for state in self.frontier.hosts(10)}
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


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[EmbeddedFrontier]:
    opened = EmbeddedFrontier(tmp_path / "frontier")
    yield opened
    opened.close()


def pages(host: str, count: int, **fields: int) -> list[Target]:
    return [Target(f"http://{host}/{number}", **fields) for number in range(count)]


def end(frontier: Frontier, lease: Lease, due: float, discovered: list[Target] | None = None) -> None:
    frontier.finish(lease, [Result(target.url, Outcome.FETCHED) for target in lease.targets], discovered or [], due)


def drain(frontier: Frontier) -> list[str]:
    """Every URL in the order of leases, without waiting."""
    order = []
    while (due := frontier.next_due(0.0)) is not None:
        for lease in frontier.lease(due):
            order += [target.url for target in lease.targets]
            end(frontier, lease, due)
    return order


def test_a_host_is_not_asked_twice_at_once_nor_before_it_is_due(frontier: EmbeddedFrontier) -> None:
    frontier.add(pages("a.example", 3))
    (lease,) = frontier.lease(10.0, hosts=5)
    assert frontier.lease(1e9, hosts=5) == []
    assert frontier.next_due(10.0) is None
    end(frontier, lease, due=12.5)
    assert frontier.lease(12.4) == []
    assert frontier.next_due(10.0) == 12.5
    assert [target.url for target in frontier.lease(12.5)[0].targets] == ["http://a.example/1"]


def test_a_host_is_not_asked_before_it_is_due_after_opening_again(tmp_path: Path) -> None:
    frontier = EmbeddedFrontier(tmp_path)
    frontier.add(pages("a.example", 2))
    end(frontier, frontier.lease(0.0)[0], due=50.0)
    frontier.close()
    again = EmbeddedFrontier(tmp_path)
    assert again.lease(49.0) == []
    assert again.next_due(0.0) == 50.0
    again.close()


def test_hosts_take_turns(frontier: EmbeddedFrontier) -> None:
    frontier.add([*pages("a.example", 3), *pages("b.example", 3), *pages("c.example", 1)])
    assert [url[7] for url in drain(frontier)] == list("abcabab")


def test_a_retry_comes_later_with_its_count(frontier: EmbeddedFrontier) -> None:
    frontier.add(pages("a.example", 1))
    (lease,) = frontier.lease(0.0)
    frontier.finish(lease, [Result(lease.targets[0].url, Outcome.TIMED_OUT, retry_at=60.0)], [], due=1.0)
    assert frontier.lease(59.9) == []
    assert frontier.next_due(2.0) == 60.0
    (lease,) = frontier.lease(60.0)
    assert lease.attempts == (1,)
    assert frontier.stats().retries == 1
    frontier.add([Target("http://a.example/new")])
    assert frontier.next_due(60.0) is None


def test_a_new_target_is_not_held_up_by_a_retry_of_its_host(frontier: EmbeddedFrontier) -> None:
    frontier.add(pages("a.example", 1))
    (lease,) = frontier.lease(0.0)
    frontier.finish(lease, [Result(lease.targets[0].url, Outcome.TIMED_OUT, retry_at=60.0)], [], due=1.0)
    frontier.add([Target("http://a.example/new")])
    assert frontier.next_due(0.0) == 1.0
    assert frontier.lease(1.0)[0].targets[0].url == "http://a.example/new"


def test_a_lease_can_be_finished_once_and_only_with_its_own_urls(frontier: EmbeddedFrontier) -> None:
    frontier.add(pages("a.example", 1))
    (lease,) = frontier.lease(0.0)
    with pytest.raises(ValueError, match="does not hold"):
        frontier.finish(lease, [Result("http://a.example/other", Outcome.FETCHED)], [], 0.0)
    end(frontier, lease, due=0.0)
    with pytest.raises(ValueError, match="has ended"):
        frontier.finish(lease, [], [], 0.0)


def test_priorities_beyond_the_range_still_sort_at_its_ends(frontier: EmbeddedFrontier) -> None:
    values = [5, -(10**12), 10**12, 0]
    frontier.add([Target(f"http://a.example/{value}", priority=value) for value in values])
    assert [target.priority for target in frontier.pending("http://a.example", 9)] == sorted(values)


def test_the_last_outcome_is_shown_and_kept(tmp_path: Path) -> None:
    with_answer = EmbeddedFrontier(tmp_path, memory_urls=2)
    with_answer.add(pages("a.example", 5))
    assert with_answer.hosts(1)[0].last_outcome is None
    (lease,) = with_answer.lease(0.0)
    end(with_answer, lease, due=7.0)
    with_answer.checkpoint()
    with_answer.close()
    again = EmbeddedFrontier(tmp_path)
    (state,) = again.hosts(5)
    assert (state.queued, state.due, state.leased, state.last_outcome) == (4, 7.0, False, Outcome.FETCHED)
    again.close()


def test_order_is_the_same_in_every_run_whatever_the_time(tmp_path: Path) -> None:
    orders = []
    for run, delay in enumerate([0.0, 50.0]):
        frontier = EmbeddedFrontier(tmp_path / str(run), in_order=True, memory_urls=[6, 1000][run])
        frontier.add([*pages("a.example", 4, depth=1), *pages("b.example", 2), Target("http://c.example/", priority=-1)])
        order: list[str] = []
        while leases := frontier.lease(0.0, hosts=3):
            (lease,) = leases
            order.append(lease.targets[0].url)
            end(frontier, lease, lease.due + delay, pages(f"d{len(order) % 3}.example", 4, depth=2))
        orders.append(order)
        frontier.close()
    assert orders[0] == orders[1]
    assert orders[0][:4] == ["http://c.example/", "http://b.example/0", "http://b.example/1", "http://a.example/0"]
    assert len(orders[0]) == 19


def test_in_order_the_lease_says_how_long_to_wait(tmp_path: Path) -> None:
    frontier = EmbeddedFrontier(tmp_path, in_order=True)
    frontier.add(pages("a.example", 2))
    (lease,) = frontier.lease(0.0)
    end(frontier, lease, due=9.0)
    assert frontier.next_due(0.0) == 9.0
    assert frontier.lease(0.0)[0].due == 9.0
    frontier.close()


def test_long_queues_lie_on_disk_are_merged_and_keep_their_order(tmp_path: Path) -> None:
    frontier = EmbeddedFrontier(tmp_path, memory_urls=400)
    targets = [Target(f"http://h{n % 7}.example/{n}", priority=-(n % 5)) for n in range(6000)]
    for start in range(0, 6000, 50):
        frontier.add(targets[start : start + 50])
        frontier.sync()
    files = [path.name.partition("-")[0] for path in tmp_path.iterdir()]
    assert files.count("backlog") < 20
    assert files.count("journal") == 1
    order = drain(frontier)
    for host in range(7):
        mine = [target for target in targets if target.url.startswith(f"http://h{host}.")]
        expected = [target.url for target in sorted(mine, key=lambda target: target.priority)]
        assert [url for url in order if url.startswith(f"http://h{host}.")] == expected
    frontier.checkpoint()
    assert [path for path in tmp_path.iterdir() if path.name.startswith("backlog")] == []
    frontier.close()


def snapshot(folder: Path) -> tuple[object, ...]:
    frontier = EmbeddedFrontier(folder)
    try:
        return frontier.stats(), [frontier.pending(state.host, 99) for state in frontier.hosts(99)]
    finally:
        frontier.close()


def test_a_torn_journal_is_the_state_before_a_transaction(tmp_path: Path) -> None:
    clock = iter(range(1000))
    frontier = EmbeddedFrontier(tmp_path / "whole", clock=lambda: float(next(clock)))
    journal = next((tmp_path / "whole").glob("journal-*"))
    ends, states = [journal.stat().st_size], []

    def remember() -> None:
        frontier.sync()
        ends.append(journal.stat().st_size)
        shutil.copytree(tmp_path / "whole", tmp_path / "copy")
        states.append(snapshot(tmp_path / "copy"))
        shutil.rmtree(tmp_path / "copy")

    for step in range(4):
        frontier.add(pages(f"h{step}.example", 3))
        remember()
        (lease,) = frontier.lease(float(step))
        frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], pages("new.example", step), step + 1.0)
        remember()
    frontier.close()
    for before, after, state in zip(ends[1:], ends[2:], states, strict=False):
        for cut in (before, before + 1, (before + after) // 2, after - 1):
            shutil.copytree(tmp_path / "whole", tmp_path / "cut")
            os.truncate(tmp_path / "cut" / journal.name, cut)
            assert snapshot(tmp_path / "cut") == state
            shutil.rmtree(tmp_path / "cut")


CHILD = """
import sys
from pathlib import Path
from trasmallo.crawl.frontier import EmbeddedFrontier, Result
from trasmallo.model import Outcome, Target
frontier = EmbeddedFrontier(Path(sys.argv[1]), memory_urls=200)
frontier.add([Target(f"http://h{n}.example/0") for n in range(10)])
for step in range(10**9):
    for lease in frontier.lease(float(step), hosts=3):
        url = lease.targets[0].url
        found = [Target(f"{url}{n}") for n in range(3)] if len(url) < 24 else []
        frontier.finish(lease, [Result(url, Outcome.FETCHED)], found, step + 1.0)
        if step % 5 == 0:
            frontier.sync()
            print(frontier.stats().done, frontier.stats().known, flush=True)
"""


def test_a_killed_process_loses_nothing_it_had_synced(tmp_path: Path) -> None:
    folder = tmp_path / "frontier"
    done = known = 0
    for lines in (1, 40, 90):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE, env=child_environment())
        assert child.stdout is not None
        with child.stdout:
            for _ in range(lines):
                done, known = map(int, child.stdout.readline().split())
            child.send_signal(signal.SIGKILL)
            child.wait()
        frontier = EmbeddedFrontier(folder)
        stats = frontier.stats()
        assert stats.done >= done
        assert stats.known >= known
        assert stats.known == stats.queued + stats.done
        frontier.close()


def child_environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_two_programs_cannot_use_one_folder(tmp_path: Path) -> None:
    frontier = EmbeddedFrontier(tmp_path)
    with pytest.raises(ProjectBusy):
        EmbeddedFrontier(tmp_path)
    frontier.close()
    frontier.close()
    EmbeddedFrontier(tmp_path).close()


def test_a_full_disk_at_a_checkpoint_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = EmbeddedFrontier(tmp_path)
    frontier.add(pages("a.example", 9))
    frontier.sync()

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for broken in ("fsync", "replace"):
        monkeypatch.setattr(*{"fsync": (backlog.os, "fsync"), "replace": (Path, "replace")}[broken], refuse)
        with pytest.raises(StoreFull, match="free some space"):
            frontier.checkpoint()
        monkeypatch.undo()
        assert frontier.stats().queued == 9
    frontier.close()
    again = EmbeddedFrontier(tmp_path)
    assert len(drain(again)) == 9
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"journal", "lock", "state"}
    again.close()


@pytest.mark.parametrize("kind", ["backlog", "state"])
def test_damaged_files_are_named(tmp_path: Path, kind: str) -> None:
    frontier = EmbeddedFrontier(tmp_path)
    frontier.add(pages("a.example", 900))
    frontier.checkpoint()
    frontier.close()
    path = next(tmp_path.glob(f"{kind}*"))
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF
    path.write_bytes(data)

    def use() -> None:
        broken = EmbeddedFrontier(tmp_path)
        try:
            broken.lease(0.0)
        finally:
            broken.close()

    with pytest.raises(StoreDamaged, match=rf"{kind}.*byte 16\b.*--new"):
        use()


def test_a_frontier_of_a_later_version_is_refused(tmp_path: Path) -> None:
    EmbeddedFrontier(tmp_path).close()
    state = tmp_path / "state"
    data = bytearray(state.read_bytes())
    data[8] += 1
    state.write_bytes(data)
    with pytest.raises(StoreTooNew, match="install that version"):
        EmbeddedFrontier(tmp_path)
