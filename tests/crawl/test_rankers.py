from __future__ import annotations

from pathlib import Path

from trasmallo.config import CrawlConfig
from trasmallo.crawl.focus import FocusSetup, Topic
from trasmallo.crawl.focus_ranker import FocusPlan, FocusRanker
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.rankers import open_ranker, ranker_left


def test_a_topic_decides_and_is_found_again_in_the_folder(tmp_path: Path) -> None:
    assert isinstance(open_ranker(tmp_path, CrawlConfig()), Importance)
    plan = FocusPlan(setup=FocusSetup(topics=(Topic(name="topic", words=("vela",)),)))
    ranker = open_ranker(tmp_path, CrawlConfig(), plan)
    assert isinstance(ranker, FocusRanker)
    assert isinstance(ranker_left(tmp_path, CrawlConfig()), Importance), "nothing was saved yet"
    ranker.save()
    assert isinstance(ranker_left(tmp_path, CrawlConfig()), FocusRanker)
    assert isinstance(open_ranker(tmp_path, CrawlConfig()), Importance), "a crawl without a topic follows all links"
