"""Search in the queue of a crawl: which addresses wait, and how many of them some exclusions would drop."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, EntryFilter, Frontier
from trasmallo.crawl.frontier.checkpoint import read_state
from trasmallo.crawl.frontier.mirror import mirrored
from trasmallo.crawl.rankers import ranker_left
from trasmallo.crawl.ranking import Ranked, Ranker
from trasmallo.values.model import Reached, Target

_MOST_READ = 500_000
"""Addresses that are looked at, 2 µs each: longer would keep a crawl that runs from its work."""

_MOST_OF_HOST = 10_000
"""The same for one host, whose queue is put in order for that. Judgement: nobody reads further."""


class QueueQuestion(msgspec.Struct, frozen=True):
    """What is looked for: addresses that contain a text, of a host alone, or those that exclusions would drop."""

    text: str = ""
    host: str = ""
    exclude: tuple[str, ...] = ()
    limit: int = 200


class QueuedUrl(msgspec.Struct, frozen=True):
    """An address that waits, how far it is from a seed, the page on which it was found, that seed, and how it was reached.

    `score` is its place in the queue of its site, the highest first, `parts` are what it is made of, `why` says that in words.
    """

    url: str
    depth: int = 0
    via: str = ""
    seed: str = ""
    reached: Reached = Reached.UNKNOWN
    score: float = 0.0
    parts: dict[str, float] = {}
    why: str = ""


class QueueAnswer(msgspec.Struct, frozen=True):
    """What was found: the first addresses, how many match, of how many that were read, and whether those were all."""

    found: tuple[QueuedUrl, ...] = ()
    matching: int = 0
    read: int = 0
    complete: bool = True

    def __add__(self, other: QueueAnswer) -> QueueAnswer:
        """What the queues of two workers hold."""
        found = (*self.found, *other.found)
        return QueueAnswer(found, self.matching + other.matching, self.read + other.read, self.complete and other.complete)


async def search_queue(frontier: Frontier, question: QueueQuestion, ranker: Ranker | None = None) -> QueueAnswer:
    """Look through a queue: of one host in its order, or of all in none; `ranker` tells why each address stands there."""
    most = _MOST_OF_HOST if question.host else _MOST_READ
    wanted = EntryFilter(host=question.host, text=question.text, exclude=question.exclude, most_read=most)
    page = await frontier.entries(wanted, limit=question.limit)
    found = tuple(_described(each, ranker) for each in page.entries)
    return QueueAnswer(found, page.matching, page.read, complete=not page.cursor)


def _described(target: Target, ranker: Ranker | None) -> QueuedUrl:
    ranked = ranker.explain(target) if ranker is not None else Ranked()
    return QueuedUrl(
        url=target.url,
        depth=target.depth,
        via=target.via,
        seed=target.seed,
        reached=target.reached,
        score=ranked.score,
        parts=ranked.parts,
        why=ranked.why,
    )


async def search_folders(folders: Iterable[Path], question: QueueQuestion, config: CrawlConfig | None = None) -> QueueAnswer:
    """Look through the queues that a crawl left in these folders, and change nothing there; nobody may be at work on them."""
    answer = QueueAnswer()
    for folder in folders:
        if folder.is_dir():
            with mirrored(folder) as place:
                answer += await _search_left(place, question, config or CrawlConfig())
    return msgspec.structs.replace(answer, found=answer.found[: question.limit])


async def _search_left(folder: Path, question: QueueQuestion, config: CrawlConfig) -> QueueAnswer:
    state = read_state(folder)
    frontier = EmbeddedFrontier(folder, in_order=state is not None and state.in_order)
    try:
        return await search_queue(frontier, question, ranker_left(folder, config))
    finally:
        await frontier.control(Close())
