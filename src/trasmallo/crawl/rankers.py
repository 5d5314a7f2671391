"""Which ranker a crawl has: that of its topic, or importance alone."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.discover import Decode
from trasmallo.crawl.focus_ranker import NAME, FocusPlan, FocusRanker
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.ranking import Ranker


def open_ranker(folder: Path, config: CrawlConfig, focus: FocusPlan | None = None, decode: Decode | None = None) -> Ranker:
    """The ranker of a crawl that begins or goes on, in its frontier's folder."""
    return FocusRanker(folder, focus, decode) if focus is not None else Importance(folder, config)


def ranker_left(folder: Path, config: CrawlConfig) -> Ranker:
    """The ranker that the last crawl left in a frontier's folder, for who looks at its queue."""
    return open_ranker(folder, config, _left(folder / NAME))


def _left(path: Path) -> FocusPlan | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=FocusPlan)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
