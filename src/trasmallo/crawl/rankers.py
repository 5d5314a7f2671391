"""Which ranker a crawl has: that of its topic, or importance alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.discover import Decode
from trasmallo.crawl.focus_ranker import NAME, FocusPlan, FocusRanker
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.ranking import Ranker
from trasmallo.values.decodable import UNDECODABLE, decodable


def open_ranker(
    folder: Path,
    config: CrawlConfig,
    focus: FocusPlan | None = None,
    decode: Decode | None = None,
    *,
    unfinished: frozenset[str] | None = None,
    owns: Callable[[str], bool] = lambda _url: True,
) -> Ranker:
    """The ranker of a crawl that begins or goes on, in its frontier's folder.

    A crawl in order that goes on says which pages come once more (`unfinished`): what they taught is not known yet, and
    importance is learned anew from all others (`relearning`). `owns` says which addresses may wait here.
    """
    if focus is not None:
        return FocusRanker(folder, focus, decode, unfinished=unfinished, owns=owns)
    return Importance(folder, config, empty=unfinished is not None)


def ranker_left(folder: Path, config: CrawlConfig) -> Ranker:
    """The ranker that the last crawl left in a frontier's folder, for who looks at its queue."""
    return open_ranker(folder, config, _left(folder / NAME))


def _left(path: Path) -> FocusPlan | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=decodable(FocusPlan))
    except (FileNotFoundError, *UNDECODABLE):
        return None
