from __future__ import annotations

from pathlib import Path

from support.fake_web import run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, EntryFilter
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.ranking import move_waiting
from trasmallo.values.model import Target


class Moving(Importance):
    def moves(self) -> dict[str, int]:
        return {"http://a.test/2": 1}


def test_what_waits_is_moved_and_nothing_happens_without_a_ranker(tmp_path: Path) -> None:
    async def order() -> list[str]:
        frontier = EmbeddedFrontier(tmp_path)
        await frontier.add([Target(f"http://a.test/{number}", 0, 500) for number in range(3)])
        await move_waiting(frontier, None)
        await move_waiting(frontier, Moving(tmp_path, CrawlConfig()))
        page = await frontier.entries(EntryFilter(host="http://a.test"))
        await frontier.control(Close())
        return [entry.url[-1] for entry in page.entries]

    assert run(order()) == ["2", "0", "1"]
