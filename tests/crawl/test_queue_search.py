"""Search in the queue of a crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from trasmallo.crawl import queue_search
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion, search_folders, search_queue
from trasmallo.values.model import Target

NOTES = [Target(f"http://{host}.test/Notas/{number}.html", depth=number) for host in "ab" for number in range(5)]


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[EmbeddedFrontier]:
    queue = EmbeddedFrontier(tmp_path)
    asyncio.run(queue.add(NOTES))
    yield queue
    asyncio.run(queue.control(Close()))


def ask(frontier: EmbeddedFrontier, question: QueueQuestion) -> QueueAnswer:
    return asyncio.run(search_queue(frontier, question))


def test_text_host_and_exclusions(frontier: EmbeddedFrontier) -> None:
    everything = ask(frontier, QueueQuestion())
    assert (everything.matching, everything.read, everything.complete) == (10, 10, True)
    assert ask(frontier, QueueQuestion("NOTAS/3")).matching == 2
    assert [found.depth for found in ask(frontier, QueueQuestion(host="http://a.test")).found] == [0, 1, 2, 3, 4]
    assert ask(frontier, QueueQuestion(exclude=("/4.html$", "b.test/notas/1"))).matching == 3
    assert ask(frontier, QueueQuestion(host="http://c.test")) == QueueAnswer()
    assert len(ask(frontier, QueueQuestion(limit=3)).found) == 3
    assert asyncio.run(frontier.stats()).queued == 10, "looking takes nothing out"


def test_a_long_queue_is_not_read_to_its_end(frontier: EmbeddedFrontier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_search, "_MOST_READ", 4)
    answer = ask(frontier, QueueQuestion())
    assert (answer.read, answer.complete) == (4, False)


def test_the_queues_on_disk_are_searched_together(frontier: EmbeddedFrontier, tmp_path: Path) -> None:
    asyncio.run(frontier.control(Close()))
    answer = asyncio.run(search_folders([tmp_path, tmp_path / "none"], QueueQuestion("notas", limit=4)))
    assert (answer.matching, answer.read, len(answer.found), answer.complete) == (10, 10, 4, True)


def test_the_answers_of_workers_add_up() -> None:
    assert QueueAnswer((), 1, 2) + QueueAnswer((), 3, 4, complete=False) == QueueAnswer((), 4, 6, complete=False)


@pytest.mark.parametrize("in_order", [False, True])
def test_looking_at_what_was_left_changes_nothing(in_order: bool, tmp_path: Path) -> None:
    queue = EmbeddedFrontier(tmp_path, in_order=in_order)
    asyncio.run(queue.add(NOTES))
    asyncio.run(queue.control(Close()))
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    assert asyncio.run(search_folders([tmp_path], QueueQuestion(host="http://a.test"))).matching == 5
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == before
