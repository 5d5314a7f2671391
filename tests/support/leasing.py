"""What the frontier's tests do over and over: make targets, end leases, empty a queue."""

from __future__ import annotations

import shutil
from pathlib import Path

from trasmallo.crawl.frontier import Lease, Result
from trasmallo.crawl.frontier.durable_queue import DurableQueue
from trasmallo.values.model import Outcome, Target


def pages(host: str, count: int, **fields: int) -> list[Target]:
    return [Target(f"http://{host}/{number}", **fields) for number in range(count)]


def end(frontier: DurableQueue, lease: Lease, due: float, discovered: list[Target] | None = None) -> None:
    frontier.finish(lease, [Result(target.url, Outcome.FETCHED) for target in lease.targets], discovered or [], due)


def drain(frontier: DurableQueue) -> list[str]:
    """Every URL in the order of leases, without waiting."""
    order = []
    while (due := frontier.next_due(0.0)) is not None:
        for lease in frontier.lease(due):
            order += [target.url for target in lease.targets]
            end(frontier, lease, due)
    return order


def copy_as_killed(frontier: DurableQueue, folder: Path, copy: Path) -> None:
    """What a process that dies now would leave; a kill stops the thread of a checkpoint too, which copying files does not."""
    if frontier._saving is not None:
        frontier._saving.wait()
    shutil.copytree(folder, copy)
