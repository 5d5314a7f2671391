"""What the hall and the processes that crawl say to each other: length-prefixed msgpack over pipes, no pickles.

A crawling process collects what it has to say and sends it as one `Report`; the hall answers with small letters. Links to hosts
of another share travel as msgpack inside the letters (`pack`, `unpack`), which the hall hands on without looking into them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trasmallo.crawl.local_crawl import Plan, Standing
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.events import AnyEvent
from trasmallo.values.model import Fetch, Target
from trasmallo.values.pipes import Trouble
from trasmallo.values.run_status import HostStatus, LineStatus

Packed = tuple[str, int, int, str, int]
"""A target on its way: URL, depth, priority, via, hops."""


class Start(msgspec.Struct, frozen=True, tag=True):
    """What a process is to crawl, said once. `limited` when pages must be allowed before they are asked for."""

    plan: Plan
    run: str
    share: int
    shares: int
    archive: str
    catalog: str
    roll_at: int
    limited: bool = False
    first_line: int = 0
    shows_lines: bool = True


class Links(msgspec.Struct, frozen=True, tag=True):
    """Targets of yours that others found; name the letter in `Report.safe` when they are in your frontier's journal."""

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


class Search(msgspec.Struct, frozen=True, tag=True):
    """Look through your queue, and answer with `Found` of the same number."""

    number: int
    wanted: QueueQuestion


class End(msgspec.Struct, frozen=True, tag=True):
    """The crawl is over; `at_once` gives up what is being downloaded."""

    at_once: bool


class Leave(msgspec.Struct, frozen=True, tag=True):
    """All shares are over and nothing is on the way to you."""


class State(msgspec.Struct, frozen=True):
    """Where a share stands. `heard` counts the letters it has taken since its start.

    `idle` when its frontier holds nothing to ask for; `busy` lines are at work; `over` when it ended and only takes letters.
    `wants` more pages to be allowed, `returned` so many that it cannot use. `hosts` and `lines` come once a second, None means
    as before.
    """

    standing: Standing = Standing()
    heard: int = 0
    idle: bool = False
    busy: int = 0
    wants: bool = False
    returned: int = 0
    hosts: list[HostStatus] | None = None
    over: bool = False
    lines: list[LineStatus] | None = None


class Report(msgspec.Struct, frozen=True, tag=True):
    """What a share brought since the last one: rows, links by share, events, letters that are safe.

    `number` is 0 when nobody waits for this report to be settled.
    """

    number: int
    state: State
    rows: tuple[Fetch, ...] = ()
    links: dict[int, msgspec.Raw] = {}
    events: tuple[AnyEvent, ...] = ()
    safe: tuple[int, ...] = ()


class Ended(msgspec.Struct, frozen=True, tag=True):
    """The share has ended and let go of its files."""


class Found(msgspec.Struct, frozen=True, tag=True):
    """What a `Search` found."""

    number: int
    seen: QueueAnswer


Letter = Start | Links | Settled | Allow | NewScope | Pause | Search | End | Leave
Answer = Report | Found | Ended | Trouble

_letters = msgspec.msgpack.Decoder(Letter)
_answers = msgspec.msgpack.Decoder(Answer)
_packed = msgspec.msgpack.Decoder(list[Packed])
_encoder = msgspec.msgpack.Encoder()


def decode_letter(body: bytes) -> Letter:
    """What the hall said."""
    letter: Letter = _letters.decode(body)
    return letter


def decode_answer(body: bytes) -> Answer:
    """What a crawling process said."""
    answer: Answer = _answers.decode(body)
    return answer


def pack(targets: Sequence[Packed]) -> msgspec.Raw:
    """Targets as they travel."""
    return msgspec.Raw(_encoder.encode(targets))


def unpack(links: msgspec.Raw) -> list[Target]:
    """Targets that have arrived."""
    return [Target(*packed) for packed in _packed.decode(links)]
