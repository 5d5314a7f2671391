"""Topics of a project, in a file of its folder, and what a crawl is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.focus.topic import FocusSetup, Topic
from trasmallo.crawl.focus_ranker import FocusPlan
from trasmallo.crawl.marks import FILE_NAME as MARKS
from trasmallo.study.languages import stopwords
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import ConfigError

FILE_NAME = "topics.json"
_ALWAYS = ("es", "en")  # pages of any language have menus and titles in these


def read_topics(folder: Path) -> list[Topic]:
    """The topics of a project; none when nobody said any. Raises ConfigError for a file that is damaged."""
    path = folder / FILE_NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=decodable(list[Topic]))
    except FileNotFoundError:
        return []
    except UNDECODABLE as error:
        raise ConfigError(
            "{path} cannot be read ({error})", "remove it, and say the topic again", path=path, error=error
        ) from None


def write_topics(folder: Path, topics: Sequence[Topic]) -> None:
    """Keep these topics and no others."""
    write_whole(folder / FILE_NAME, msgspec.json.format(msgspec.json.encode(topics), indent=1))


def stop_words(language: str) -> frozenset[str]:
    """Words that say nothing of a topic, in a language and in those that stand on all pages."""
    return frozenset[str]().union(*(stopwords(code) for code in {language, *_ALWAYS}))


def plan_focus(folder: Path, config: Config) -> FocusPlan | None:
    """What a crawl is to keep to; None without a topic."""
    topics = read_topics(folder)
    if not topics:
        return None
    setup = FocusSetup(topics=tuple(topics), stop=stop_words(config.language))
    crawl = config.crawl
    return FocusPlan(setup=setup, marks=str(folder / MARKS), harvest=crawl.harvest, topicality=crawl.topicality)
