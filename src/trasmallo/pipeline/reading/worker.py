"""A worker process: reads pages from the archive and writes parts, under a cap of memory.

Started as `python -m trasmallo.pipeline.reading.worker`; asked over standard input, answers over standard output. It ends when
its input ends, and is killed when the session is gone. The session watches the time of each page and may kill it at any moment.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections import defaultdict
from pathlib import Path
from typing import BinaryIO

import msgspec

from trasmallo.clean.sandbox import Sandbox, SandboxLimits
from trasmallo.pipeline.analysis.document import Rows, dropped_row, read_page, study_text
from trasmallo.pipeline.analysis.items import Item, StoredText
from trasmallo.pipeline.reading.messages import (
    CONVERTER_KILLED,
    OUT_OF_MEMORY,
    Asked,
    Batch,
    Began,
    PageSummary,
    PartDone,
    Said,
    Setup,
    TextBatch,
    decode_asked,
)
from trasmallo.results.originals import read_record
from trasmallo.results.registry import FromParts, made_by
from trasmallo.results.rows import PageRow
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.parts import write_part
from trasmallo.store.tokens import Builder, DocumentTokens
from trasmallo.store.warc import WarcRecord
from trasmallo.values.errors import REBUILD, DocumentError, StoreDamaged, TrasmalloError
from trasmallo.values.free_memory import calm_collector
from trasmallo.values.messages import Message
from trasmallo.values.model import Drop, Fetch
from trasmallo.values.pipes import Trouble, encode, read_message
from trasmallo.values.process_ends import end_with_parent

_LONGEST_CAUSE = 200  # judgement: characters that a table has room for
_CONVERTING = 0.8
"""Share of a page's time that its conversion may take, so that its end is told before the session loses patience."""
_WORN = 0.7
"""Share of the memory it may have that a worker holds between pages (lexicons, caches) when it is replaced."""


class _ConverterKilled(Exception):
    """A converter was killed at this page as often as it was started; somebody else may read it."""


class ReadingWorker:
    """Reads batches until there are no more."""

    def __init__(self, setup: Setup, answers: BinaryIO) -> None:
        self._setup = setup
        self._answers = answers
        self._archive = ArchiveReader(Path(setup.archive))
        self._sandbox = Sandbox(SandboxLimits(_CONVERTING * setup.clean.seconds, setup.clean.megabytes))

    def read_batch(self, batch: Batch | TextBatch) -> PartDone:
        """Read every page of a batch into one part, or study every text."""
        tables: dict[str, list[msgspec.Struct]] = defaultdict(list, {name: [] for name in made_by(FromParts)})
        summaries, tokens = [], Builder()
        items: tuple[Item, ...] = batch.pages
        for index, item in enumerate(items):
            self.say(Began(index, studying=isinstance(item, StoredText)))
            rows = self._fair_rows(item, index)
            summaries.append(_summary(rows))
            for found in rows.pop("tokens", ()):
                assert isinstance(found, DocumentTokens)
                tokens.add(found)
            for table, more in rows.items():
                tables[table] += more
        # When the session was killed meanwhile this fails: another one may be reading the same pages by now.
        write_part(Path(self._setup.parts), batch.name, tables, tokens, before=lambda: self.say(Began(len(items))))
        return PartDone(tuple(summaries), self._worn())

    def say(self, message: Said) -> None:
        """Answer the session."""
        self._answers.write(encode(message))
        self._answers.flush()

    def _fair_rows(self, item: Item, index: int) -> Rows:
        """The rows of a page or text; what earlier ones left behind must not be the reason why it is dropped."""
        rows = self._rows(item, index)
        if self._sandbox.killed:
            raise _ConverterKilled
        if _summary(rows).drop in (Drop.TOO_BIG, Drop.BROKEN) and self._worn():
            raise MemoryError
        return rows

    def _worn(self) -> bool:
        return _held_memory() > _WORN * self._setup.clean.megabytes * 1_000_000

    def _rows(self, item: Item, index: int) -> Rows:
        try:
            return self._read(item, index) if isinstance(item, Fetch) else self._study(item)
        except MemoryError:
            return {"pages": [dropped_row(item, Drop.TOO_BIG, f"more than {self._setup.clean.megabytes} MB")]}
        except StoreDamaged as damage:
            return {"pages": [dropped_row(item, Drop.DAMAGED, damage.problem)]}
        except DocumentError as error:
            return {"pages": [dropped_row(item, Drop.BROKEN, str(error.problem)[:_LONGEST_CAUSE])]}
        except Exception as error:  # whatever a hostile page brings a library to, the others are read
            return {"pages": [dropped_row(item, Drop.BROKEN, f"{type(error).__name__}: {error}"[:_LONGEST_CAUSE])]}

    def _read(self, fetch: Fetch, index: int) -> Rows:
        setup, record = self._setup, self._record(fetch)
        return read_page(
            fetch,
            record,
            clean=setup.clean,
            study=setup.study,
            language=setup.language,
            agent=setup.agent,
            sandbox=self._sandbox,
            was_read=lambda: self.say(Began(index, studying=True)),
        )

    def _study(self, stored: StoredText) -> Rows:
        return study_text(stored.page, stored.text, self._setup.study, self._setup.language)

    def _record(self, fetch: Fetch) -> WarcRecord:
        """A page's record; a power cut can take the end of the archive, and others be written in its place."""
        assert fetch.locator is not None, "only stored pages are read"
        record = read_record(self._archive, fetch)
        if record.digest != fetch.digest:
            file = self._archive.folder / fetch.locator.file
            place = Message("byte {offset} of {file}", offset=fetch.locator.offset, file=file)
            raise StoreDamaged("{place} holds another page", REBUILD, place=place)
        return record


def main() -> None:
    """Serve one session."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the session, which decides what becomes of us
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints while it is imported must not speak to the session
    asked = sys.stdin.buffer
    worker: ReadingWorker | None = None
    while (message := _next(asked)) is not None:
        try:
            if isinstance(message, Setup):
                _cap_memory(message.clean.megabytes)
                worker = ReadingWorker(message, answers)
                _fall_silent()
            elif worker is not None:
                worker.say(worker.read_batch(message))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except _ConverterKilled:
            os._exit(CONVERTER_KILLED)
        except TrasmalloError as error:
            answers.write(encode(Trouble.of(error)))
            answers.flush()


def _fall_silent() -> None:
    """What libraries say about hostile files is for nobody, and a full pipe would stop us."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _next(asked: BinaryIO) -> Asked | None:
    body = read_message(asked)
    return None if body is None else decode_asked(body)


def _cap_memory(megabytes: int) -> None:
    """Cap what can be allocated; mapped files and libraries do not count."""
    most = megabytes * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _held_memory() -> int:
    """Bytes that count against the cap."""
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    return pages * resource.getpagesize()


def _summary(rows: Rows) -> PageSummary:
    page = rows["pages"][0]
    assert isinstance(page, PageRow)
    return PageSummary(page.url, page.title, page.words, page.drop, page.cause)


if __name__ == "__main__":
    calm_collector()
    main()
