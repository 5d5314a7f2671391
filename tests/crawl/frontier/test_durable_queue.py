from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.leasing import drain, end, pages
from trasmallo.crawl.frontier import LeaseLost, Result
from trasmallo.crawl.frontier.durable_queue import DurableQueue
from trasmallo.values.model import Outcome, Target


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[DurableQueue]:
    opened = DurableQueue(tmp_path / "frontier")
    yield opened
    opened.close()


def test_a_host_is_not_asked_twice_at_once_nor_before_it_is_due(frontier: DurableQueue) -> None:
    frontier.add(pages("a.example", 3))
    (lease,) = frontier.lease(10.0, hosts=5)
    assert frontier.lease(1e9, hosts=5) == []
    assert frontier.next_due(10.0) is None
    end(frontier, lease, due=12.5)
    assert frontier.lease(12.4) == []
    assert frontier.next_due(10.0) == 12.5
    assert [target.url for target in frontier.lease(12.5)[0].targets] == ["http://a.example/1"]


def test_a_host_is_not_asked_before_it_is_due_after_opening_again(tmp_path: Path) -> None:
    frontier = DurableQueue(tmp_path)
    frontier.add(pages("a.example", 2))
    end(frontier, frontier.lease(0.0)[0], due=50.0)
    frontier.close()
    again = DurableQueue(tmp_path)
    assert again.lease(49.0) == []
    assert again.next_due(0.0) == 50.0
    again.close()


def test_hosts_take_turns(frontier: DurableQueue) -> None:
    frontier.add([*pages("a.example", 3), *pages("b.example", 3), *pages("c.example", 1)])
    assert [url[7] for url in drain(frontier)] == list("abcabab")


def test_a_retry_comes_later_with_its_count(frontier: DurableQueue) -> None:
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


def test_a_new_target_is_not_held_up_by_a_retry_of_its_host(frontier: DurableQueue) -> None:
    frontier.add(pages("a.example", 1))
    (lease,) = frontier.lease(0.0)
    frontier.finish(lease, [Result(lease.targets[0].url, Outcome.TIMED_OUT, retry_at=60.0)], [], due=1.0)
    frontier.add([Target("http://a.example/new")])
    assert frontier.next_due(0.0) == 1.0
    assert frontier.lease(1.0)[0].targets[0].url == "http://a.example/new"


def test_a_lease_can_be_finished_once_and_only_with_its_own_urls(frontier: DurableQueue) -> None:
    frontier.add(pages("a.example", 1))
    (lease,) = frontier.lease(0.0)
    with pytest.raises(ValueError, match="does not hold"):
        frontier.finish(lease, [Result("http://a.example/other", Outcome.FETCHED)], [], 0.0)
    end(frontier, lease, due=0.0)
    with pytest.raises(LeaseLost, match="has ended"):
        frontier.finish(lease, [], [], 0.0)


def test_priorities_beyond_the_range_still_sort_at_its_ends(frontier: DurableQueue) -> None:
    values = [5, -(10**12), 10**12, 0]
    frontier.add([Target(f"http://a.example/{value}", priority=value) for value in values])
    assert [target.priority for target in frontier.pending("http://a.example")] == sorted(values)


def test_the_last_outcome_is_shown_and_kept(tmp_path: Path) -> None:
    with_answer = DurableQueue(tmp_path, memory_urls=2)
    with_answer.add(pages("a.example", 5))
    assert with_answer.stats(1).busiest[0].last_outcome is None
    (lease,) = with_answer.lease(0.0)
    end(with_answer, lease, due=7.0)
    with_answer.checkpoint()
    with_answer.close()
    again = DurableQueue(tmp_path)
    (state,) = again.stats(5).busiest
    assert (state.queued, state.due, state.leased, state.last_outcome) == (4, 7.0, False, Outcome.FETCHED)
    again.close()


def test_order_is_the_same_in_every_run_whatever_the_time(tmp_path: Path) -> None:
    orders = []
    for run, delay in enumerate([0.0, 50.0]):
        frontier = DurableQueue(tmp_path / str(run), in_order=True, memory_urls=[6, 1000][run])
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
    frontier = DurableQueue(tmp_path, in_order=True)
    frontier.add(pages("a.example", 2))
    (lease,) = frontier.lease(0.0)
    end(frontier, lease, due=9.0)
    assert frontier.next_due(0.0) == 9.0
    assert frontier.lease(0.0)[0].due == 9.0
    frontier.close()


def test_long_queues_lie_on_disk_are_merged_and_keep_their_order(tmp_path: Path) -> None:
    frontier = DurableQueue(tmp_path, memory_urls=400)
    targets = [Target(f"http://h{n % 7}.example/{n}", priority=-(n % 5)) for n in range(6000)]
    for start in range(0, 6000, 50):
        frontier.add(targets[start : start + 50])
        frontier.write(to_disk=True)
    files = [path.name.partition("-")[0] for path in tmp_path.iterdir()]
    assert files.count("backlog") < 40
    assert files.count("journal") in (1, 2)  # with a checkpoint on its way
    order = drain(frontier)
    for host in range(7):
        mine = [target for target in targets if target.url.startswith(f"http://h{host}.")]
        expected = [target.url for target in sorted(mine, key=lambda target: target.priority)]
        assert [url for url in order if url.startswith(f"http://h{host}.")] == expected
    frontier.checkpoint()
    assert [path for path in tmp_path.iterdir() if path.name.startswith("backlog")] == []
    frontier.close()


def test_other_priorities_outlive_a_restart(tmp_path: Path) -> None:
    frontier = DurableQueue(tmp_path, in_order=True)
    frontier.add(pages("a.example", 4))
    assert frontier.reprioritise({"http://a.example/3": -5, "http://a.example/0": 0, "http://nowhere.example/": 1}) == 1
    frontier.close()
    again = DurableQueue(tmp_path, in_order=True)
    assert [url[-1] for url in drain(again)] == list("3012")
    assert again.stats().known == 4
    again.close()
