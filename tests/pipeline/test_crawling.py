"""How a crawl is dealt out to processes; `journey/test_several.py` has them at work."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.config import Config, CrawlConfig
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.pipeline.crawling import deal
from trasmallo.pipeline.staleness import start_run
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.private_places import PrivatePlace


@pytest.mark.parametrize(("lines", "dealt"), [(7, [3, 2, 2]), (1, [1, 1, 1])])
def test_each_process_has_its_lines_and_places_and_no_limits(tmp_path: Path, lines: int, dealt: list[int]) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0", processes=3)
    crawl = CrawlConfig(lines=lines, pages=10, megabytes=1, minutes=1, depth=4)
    with Archive(tmp_path / "archive", software="x", roll_at=77) as archive, Catalog(tmp_path / "catalog") as catalog:
        starts = deal(CrawlPlan(config=crawl, software="x", private=(PrivatePlace("a"),), in_order=True), run, archive, catalog)
    configs = [start.plan.config for start in starts]
    assert [config.lines for config in configs] == dealt
    assert {(config.pages, config.megabytes, config.minutes, config.depth) for config in configs} == {(0, 0, 0, 4)}
    assert [start.first_line for start in starts] == [sum(dealt[:worker]) for worker in range(3)]
    assert {(start.limited, start.roll_at, start.catalog, start.plan.in_order) for start in starts} == {(True, 77, "", False)}
    assert [start.plan.frontier for start in starts] == [str(run.frontier_of(worker)) for worker in range(3)]
