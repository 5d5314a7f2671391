"""Chain of the journals since the last checkpoint: the last takes records, each says how long the one before it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trasmallo.crawl.frontier.checkpoint import forget_closed, read_closed, write_closed
from trasmallo.crawl.frontier.journal import Journal
from trasmallo.crawl.frontier.records import Added, Discarded, Finished, Follows, Moved, decode, encode

Record = Added | Finished | Discarded | Moved
"""What a journal tells of the queue itself."""


class _Gap(Exception):
    """A journal lost its end in a power cut, so that the next one does not go on from it."""


class JournalChain:
    """The journals of a frontier's folder, the oldest first; `clock` times their writes."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._clock = clock
        self._journals: list[Journal] = []

    @property
    def newest(self) -> Journal:
        """The one that takes records."""
        return self._journals[-1]

    @property
    def names(self) -> list[str]:
        """The names of their files."""
        return [journal.path.name for journal in self._journals]

    def append(self, record: Record) -> bool:
        """Add a record; whether that had what was collected written."""
        return self.newest.append(encode(record))

    def sync(self) -> None:
        """Ask the disk to keep all of them."""
        for journal in self._journals:
            journal.sync()

    def close(self) -> None:
        """Sync and let go of them, and note how long they are."""
        for journal in self._journals:
            journal.close()
        write_closed(self._folder, [journal.path for journal in self._journals])

    def begin_next(self, path: Path) -> None:
        """Have another journal take records from now on."""
        try:
            journal = Journal(path, self._clock)
            journal.append(encode(Follows(self.newest.size)))
            journal.write()
        except BaseException:
            # It would come between the one before and the one that is begun instead.
            path.unlink(missing_ok=True)
            raise
        self._journals.append(journal)

    def forget_older(self) -> None:
        """Let all but the newest go: a checkpoint has what they say."""
        for journal in self._journals[:-1]:
            journal.abandon()
        del self._journals[:-1]

    def recover(self, first: str, apply: Callable[[Record], None]) -> int:
        """Open the journals from the one of this name on, and hand over their records; the highest number of one there is."""
        closed = read_closed(self._folder)
        found = {path.name for path in self._folder.glob("journal-*")} | closed.keys()
        names = [first, *sorted(name for name in found if name > first)]

        def replay(data: bytes) -> None:
            record = decode(data)
            if not isinstance(record, Follows):
                apply(record)
            elif self._journals and self.newest.size != record.size:
                raise _Gap

        for name in names:
            try:
                self._journals.append(Journal.recover(self._folder / name, replay, self._clock, size=closed.get(name, -1)))
            except _Gap:
                break
        forget_closed(self._folder)
        return max(int(name.rpartition("-")[2]) for name in names)
