"""Log of what a focus has seen, in the frontier's folder: after a kill the same pages are seen again, in the same order."""

from __future__ import annotations

from pathlib import Path

from trasmallo.crawl.focus.notes import PageNote
from trasmallo.crawl.record_log import RecordLog

NAME = "focus.log"


class FocusLog(RecordLog[PageNote]):
    """Log of one worker. A page is written before its links count as found."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / NAME, b"focus", PageNote)
