"""Looking into a queue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trasmallo.crawl import queue_search as searching
from trasmallo.crawl.frontier import EmbeddedFrontier
from trasmallo.crawl.queue_search import Seen, Wanted, search
from trasmallo.values.model import Target


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[EmbeddedFrontier]:
    queue = EmbeddedFrontier(tmp_path)
    queue.add(Target(f"http://{host}.test/Notas/{number}.html", depth=number) for host in "ab" for number in range(5))
    yield queue
    queue.close()


def test_text_host_and_exclusions(frontier: EmbeddedFrontier) -> None:
    everything = search(frontier, Wanted())
    assert (everything.matching, everything.read, everything.complete) == (10, 10, True)
    assert search(frontier, Wanted("NOTAS/3")).matching == 2
    assert [found.depth for found in search(frontier, Wanted(host="http://a.test")).found] == [0, 1, 2, 3, 4]
    assert search(frontier, Wanted(exclude=("/4.html$", "b.test/notas/1"))).matching == 3
    assert search(frontier, Wanted(host="http://c.test")) == Seen()
    assert len(search(frontier, Wanted(limit=3)).found) == 3
    assert frontier.stats().queued == 10, "looking takes nothing out"


def test_a_long_queue_is_not_read_to_its_end(frontier: EmbeddedFrontier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_MOST_READ", 4)
    seen = search(frontier, Wanted())
    assert (seen.read, seen.complete) == (4, False)


def test_shares_add_up() -> None:
    assert Seen((), 1, 2) + Seen((), 3, 4, complete=False) == Seen((), 4, 6, complete=False)
