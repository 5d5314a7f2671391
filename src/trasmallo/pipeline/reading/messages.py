"""What the session and its reading workers say to each other; see `values.pipes`."""

from __future__ import annotations

import msgspec

from trasmallo.config import CleanConfig, StudyConfig
from trasmallo.pipeline.analysis.items import StoredText
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Fetch
from trasmallo.values.pipes import Trouble

OUT_OF_MEMORY = 77
"""Exit code of a worker whose batch did not fit."""

CONVERTER_KILLED = 78
"""Exit code of a worker whose converter was killed again and again at a page."""


class Setup(msgspec.Struct, frozen=True, tag=True):
    """How a worker is to read, said once."""

    archive: str
    parts: str
    language: str
    agent: str
    clean: CleanConfig
    study: StudyConfig


class Batch(msgspec.Struct, frozen=True, tag=True):
    """Pages to read into the part of this name."""

    name: str
    pages: tuple[Fetch, ...]


class TextBatch(msgspec.Struct, frozen=True, tag=True):
    """Documents to study again into the part of this name.

    Their texts travel, unlike pages: a finished run has them in one compressed file, which no process can share in.
    """

    name: str
    pages: tuple[StoredText, ...]


class Began(msgspec.Struct, frozen=True, tag=True):
    """The worker turns to this page of its batch, and after the last one to the end; its time starts now.

    It is `studying` the page's text when it has read it, or when there is only a text; the time goes on then.
    """

    index: int
    studying: bool = False


class PageSummary(msgspec.Struct, frozen=True):
    """What became of a page. `drop` is "" when it is a document."""

    url: str
    title: str
    words: int
    drop: str
    cause: str


class PartDone(msgspec.Struct, frozen=True, tag=True):
    """The part is in place. A `worn` worker holds so much memory that the next batch is for another."""

    summaries: tuple[PageSummary, ...]
    worn: bool = False


Said = Began | PartDone | Trouble
Asked = Setup | Batch | TextBatch
_said = msgspec.msgpack.Decoder(decodable(Said))
_asked = msgspec.msgpack.Decoder(decodable(Asked))


def decode_said(body: bytes) -> Said:
    """What a worker said."""
    said: Said = _said.decode(body)
    return said


def decode_asked(body: bytes) -> Asked:
    """What a worker is asked to do."""
    asked: Asked = _asked.decode(body)
    return asked
