"""How many processes a crawl has; `journey/test_several.py` has them at work."""

from __future__ import annotations

import msgspec
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


def test_a_few_hosts_have_no_use_for_more_processes() -> None:
    """Where only the seeds' hosts are asked, each has one line unless it may have more."""
    few = CrawlConfig(seeds=("http://a.es/", "http://a.es/1", "http://b.es/"), scope="host", lines=100)
    assert number_of_processes(few, 4) == 1
    assert number_of_processes(msgspec.structs.replace(few, lines_per_host=20), 4) == 2
    assert number_of_processes(msgspec.structs.replace(few, processes=2), 4) == 2
    many = tuple(f"http://a{number}.es/" for number in range(50))
    assert number_of_processes(msgspec.structs.replace(few, seeds=many), 4) == 3
