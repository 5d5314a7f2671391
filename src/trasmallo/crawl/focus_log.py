"""Log of what a focus has seen, in the frontier's folder: after a kill the same pages are seen again, in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from trasmallo.crawl.focus.notes import PageNote
from trasmallo.crawl.frontier.journal import frame, read_frames, stamp
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreDamaged, disk_errors

NAME = "focus.log"
_KIND = b"focus"
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(PageNote).decode


class FocusLog:
    """Log of one worker. A page is written at once, before its links count as found."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.pages = 0

    def read(self) -> Iterator[PageNote]:
        """The pages so far; what is damaged at the end is left out, as after a kill in the middle of a write."""
        if not self.path.exists():
            return
        try:
            for _, payload in read_frames(self.path, _KIND):
                self.pages += 1
                yield _decode(payload)
        except (StoreDamaged, msgspec.DecodeError):
            return

    def append(self, page: PageNote) -> None:
        """Note one more page."""
        self.pages += 1
        with disk_errors(self.path), self.path.open("ab") as file:
            if not file.tell():
                file.write(stamp(_KIND))
            file.write(frame(_encode(page)))

    def rewrite(self, pages: Iterable[PageNote]) -> None:
        """Keep these pages only: what is out of the window teaches no more."""
        payloads = [frame(_encode(page)) for page in pages]
        self.pages = len(payloads)
        write_whole(self.path, stamp(_KIND) + b"".join(payloads))
