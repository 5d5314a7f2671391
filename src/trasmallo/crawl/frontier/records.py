"""What a frontier writes into its journal."""

from __future__ import annotations

import msgspec

from trasmallo.crawl.frontier.backlog import Entry
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Outcome


class Added(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """Targets that were queued."""

    entries: list[Entry]


class Finished(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """A lease that ended: `seqs` are done, with `outcomes` but for those that come again as `retries`.

    `undone` are outcomes of earlier leases that count no more, because their targets are among the `retries`.
    """

    host: int
    due: float
    seqs: list[int] = []
    outcomes: list[Outcome] = []
    last: Outcome | None = None
    retries: list[Entry] = []
    discovered: list[Entry] = []
    undone: list[Outcome] = []


class Discarded(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """Targets that ended as out of scope, with the numbers of their hosts."""

    seqs: list[int]
    hosts: list[int]


class Follows(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """How long the journal before this one is."""

    size: int


class Moved(msgspec.Struct, frozen=True, array_like=True, tag=4):
    """Targets that stand elsewhere in their queues now: `entries` instead of `seqs`, in the same order."""

    seqs: list[int]
    entries: list[Entry]


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(decodable(Added | Finished | Discarded | Follows | Moved)).decode
