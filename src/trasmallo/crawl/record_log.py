"""Log of records in the frontier's folder, each written at once: what was noted before a kill is there after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from trasmallo.crawl.frontier.journal import frame, read_frames, stamp
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreDamaged, disk_errors

Record = TypeVar("Record", bound=msgspec.Struct)
_encode = msgspec.msgpack.Encoder().encode


class RecordLog(Generic[Record]):
    """Log of structs of one type; `records` counts those that were read or written."""

    def __init__(self, path: Path, kind: bytes, record: type[Record]) -> None:
        self.path = path
        self.records = 0
        self._kind = kind
        self._decode = msgspec.msgpack.Decoder(decodable(record)).decode

    def read(self) -> Iterator[Record]:
        """The records so far; what is damaged at the end is left out, as after a kill in the middle of a write."""
        if not self.path.exists():
            return
        try:
            for _, payload in read_frames(self.path, self._kind):
                self.records += 1
                yield self._decode(payload)
        except (StoreDamaged, *UNDECODABLE):
            return

    def append(self, record: Record) -> None:
        """Note one more."""
        self.records += 1
        with disk_errors(self.path), self.path.open("ab") as file:
            if not file.tell():
                file.write(stamp(self._kind))
            file.write(frame(_encode(record)))

    def rewrite(self, records: Iterable[Record]) -> None:
        """Keep these only."""
        payloads = [frame(_encode(record)) for record in records]
        self.records = len(payloads)
        write_whole(self.path, stamp(self._kind) + b"".join(payloads))
