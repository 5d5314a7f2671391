"""The seam between work on a corpus and where it is done.

What is handed over are structs that name files; what is done is in place when its file or folder is renamed, so what died is
done again. `trasmallo.pipeline.reading.pool` and `trasmallo.pipeline.table_pool` decide what is done next and what
a death means; an executor only finds a place for it.
"""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

import msgspec

from trasmallo.pipeline.reading.messages import Setup
from trasmallo.pipeline.reading.process import BatchReader
from trasmallo.pipeline.table_process import MakerPlace, TaskMaker


class FindCopies(msgspec.Struct, frozen=True, tag=True):
    """Find the copies among all documents of a run, at least so similar."""

    run: str
    least: float


class MergeTokens(msgspec.Struct, frozen=True, tag=True):
    """Merge the tokens of all parts of a run into one file."""

    run: str


CorpusStep = FindCopies | MergeTokens
"""What is done once for a whole run, before its tables are made."""


class Executor(Protocol):
    """Finds places for work on a corpus. Closing it lets all of them go."""

    @property
    def shared(self) -> bool:
        """Whether the places are those of a cluster, which should have all of the work."""

    def size(self) -> int:
        """How many are at work at the same time at most, as of now: machines may come and go."""

    async def start_reader(self, setup: Setup) -> BatchReader:
        """Who reads batches of pages, or studies texts."""

    async def start_maker(self, place: MakerPlace) -> TaskMaker:
        """Who makes tables and the index."""

    def run(self, step: CorpusStep) -> None:
        """Do a step of a whole run."""

    def close(self) -> None:
        """Let go whatever was started."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...
