"""How many processes a crawl has; `journey/test_several.py` has them at work."""

from __future__ import annotations

import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.workers.worker_crawl import number_of_processes


@pytest.mark.parametrize(
    ("agents", "lines", "processes", "number"),
    [
        (2, 5, 0, 1),
        (2, 31, 0, 1),
        (2, 32, 0, 2),
        (2, 100, 0, 2),
        (64, 2_000, 0, 8),
        (1, 100, 0, 1),
        (1, 5, 2, 2),
        (8, 1, 4, 1),
        (8, 3, 4, 3),
        (8, 100, 1, 1),
    ],
)
def test_processes_follow_the_agents_and_the_lines(agents: int, lines: int, processes: int, number: int) -> None:
    assert number_of_processes(CrawlConfig(lines=lines, processes=processes), agents) == number
