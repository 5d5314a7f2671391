"""Messages between the coordinator and the workers of a crawl: length-prefixed msgpack over pipes, no pickles.

A worker collects what it has to say and sends it as one `Report`; the coordinator answers with small messages. Links to hosts
of another worker travel as msgpack inside the messages (`pack`, `unpack`); the coordinator hands them on without looking.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trasmallo.crawl.local_crawl import CrawlCounts, CrawlPlan
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.events import AnyEvent
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Fetch, Reached, Target
from trasmallo.values.pipes import Trouble
from trasmallo.values.run_status import HostStatus, LineStatus

Packed = tuple[str, int, int, str, int, bool, str, Reached]
"""A target on its way: URL, depth, priority, via, hops, whether a public page leads there, seed, and how it was reached."""


class Start(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """What a process is to crawl, sent once. `limited` when pages must be allowed before they are asked for."""

    plan: CrawlPlan
    run: str
    worker: int
    workers: int
    archive: str
    catalog: str
    roll_at: int
    limited: bool = False
    first_line: int = 0
    shows_lines: bool = True


class Links(msgspec.Struct, frozen=True, tag=True):
    """Targets of yours that others found; name the message in `Report.safe` when they are in your frontier's journal."""

    number: int
    targets: msgspec.Raw


class Settled(msgspec.Struct, frozen=True, tag=True):
    """All that the report of this number brought is safe."""

    number: int


class Allow(msgspec.Struct, frozen=True, tag=True):
    """So many more pages may be asked for."""

    pages: int


class NewScope(msgspec.Struct, frozen=True, tag=True):
    """From now on other exclusions and inclusions."""

    exclude: tuple[str, ...]
    include: tuple[str, ...]


class Pause(msgspec.Struct, frozen=True, tag=True):
    """Begin with no other host, or go on."""

    paused: bool


class Learned(msgspec.Struct, frozen=True, tag=True):
    """What another worker has learned, as its ranker tells it."""

    told: tuple[bytes, ...]


class SearchRequest(msgspec.Struct, frozen=True, tag=True):
    """Look through your queue, and answer with `SearchReply` of the same number."""

    number: int
    question: QueueQuestion


class End(msgspec.Struct, frozen=True, tag=True):
    """The crawl is over; `at_once` gives up what is being downloaded."""

    at_once: bool


class Dismiss(msgspec.Struct, frozen=True, tag=True):
    """All workers are over and nothing is on the way to you."""


class WorkerState(msgspec.Struct, frozen=True, kw_only=True):
    """Where a worker stands. `taken` counts the messages it has taken since its start.

    `idle` when its frontier holds nothing to ask for; `busy` lines are at work; `over` when it ended and only takes messages.
    `wants` more pages to be allowed, `returned` so many that it cannot use. `hosts` and `lines` come once a second, None means
    as before. `offline` says that all it has to ask waits for a network, `ended` that it asks for no more, and why.
    """

    counts: CrawlCounts = CrawlCounts()
    taken: int = 0
    idle: bool = False
    busy: int = 0
    wants: bool = False
    returned: int = 0
    hosts: list[HostStatus] | None = None
    over: bool = False
    lines: list[LineStatus] | None = None
    offline: str = ""
    ended: str = ""


class Report(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """What a worker brought since the last one: rows, links by worker, events, messages that are safe, what others may learn.

    `number` is 0 when nobody waits for this report to be settled.
    """

    number: int
    state: WorkerState
    rows: tuple[Fetch, ...] = ()
    links: dict[int, msgspec.Raw] = {}
    events: tuple[AnyEvent, ...] = ()
    safe: tuple[int, ...] = ()
    learned: tuple[bytes, ...] = ()


class Ended(msgspec.Struct, frozen=True, tag=True):
    """The worker has ended and let go of its files."""


class SearchReply(msgspec.Struct, frozen=True, tag=True):
    """What a `SearchRequest` found."""

    number: int
    answer: QueueAnswer


Message = Start | Links | Settled | Allow | NewScope | Pause | Learned | SearchRequest | End | Dismiss
Reply = Report | SearchReply | Ended | Trouble

_messages = msgspec.msgpack.Decoder(decodable(Message))
_answers = msgspec.msgpack.Decoder(decodable(Reply))
_packed = msgspec.msgpack.Decoder(decodable(list[Packed]))
_encoder = msgspec.msgpack.Encoder()


def decode_message(body: bytes) -> Message:
    """What the coordinator sent."""
    message: Message = _messages.decode(body)
    return message


def decode_reply(body: bytes) -> Reply:
    """What a crawling process sent."""
    answer: Reply = _answers.decode(body)
    return answer


def pack(targets: Sequence[Packed]) -> msgspec.Raw:
    """Targets as they travel."""
    return msgspec.Raw(_encoder.encode(targets))


def unpack(links: msgspec.Raw) -> list[Target]:
    """Targets that have arrived."""
    return [Target(*packed) for packed in _packed.decode(links)]
