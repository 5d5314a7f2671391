from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.config import Config, CrawlConfig
from trasmallo.crawl.focus import Topic
from trasmallo.pipeline.topics import FILE_NAME, plan_focus, read_topics, stop_words, write_topics
from trasmallo.values.errors import ConfigError


def test_topics_are_kept_and_planned(tmp_path: Path) -> None:
    config = Config(name="p", language="es", crawl=CrawlConfig(harvest=0.2, topicality=0.4))
    assert read_topics(tmp_path) == []
    assert plan_focus(tmp_path, config) is None
    topic = Topic(name="velas", words=("vela", "latina"))
    write_topics(tmp_path, [topic])
    assert read_topics(tmp_path) == [topic]
    plan = plan_focus(tmp_path, config)
    assert plan is not None
    assert (plan.setup.topics, plan.harvest, plan.topicality) == ((topic,), 0.2, 0.4)
    assert {"de", "the"} <= plan.setup.stop == stop_words("es")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(plan), type=type(plan)) == plan, "workers are sent it"


def test_a_damaged_file_says_how_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"[{]")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_topics(tmp_path)
