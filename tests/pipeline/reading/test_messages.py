"""What session and workers say to each other."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.config import CleanConfig, StudyConfig
from trasmallo.pipeline.reading.messages import (
    Asked,
    Batch,
    Began,
    PageSummary,
    PartDone,
    Said,
    Setup,
    StoredText,
    TextBatch,
    decode_asked,
    decode_said,
)
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.values.errors import StoreFull
from trasmallo.values.model import Fetch, Locator, Outcome
from trasmallo.values.pipes import HEAD, Trouble, encode

PAGE = Fetch("http://a.es/", 1.5, Outcome.FETCHED, 200, "text/html", "sha1:X", 7, Locator("a.warc.gz", 1, 2))


ROW = PageRow("0a", "http://a.es/", "a.es", 1.5, "t", "es", "utf-8", "text/html", 7, "sha1:X")
TEXT = StoredText(ROW, TextRow("0a", "red", "00", "es"))


@pytest.mark.parametrize(
    "message",
    [Setup("a", "p", "es", "bot", CleanConfig(), StudyConfig()), Batch("1", (PAGE,)), TextBatch("1", (TEXT,))],
)
def test_questions_come_back(message: Asked) -> None:
    data = encode(message)
    assert HEAD.unpack(data[: HEAD.size]) == (len(data) - HEAD.size,)
    assert decode_asked(data[HEAD.size :]) == message


@pytest.mark.parametrize(
    "message", [Began(3), PartDone((PageSummary("u", "t", 1, "", ""),)), Trouble.of(StoreFull("a {n}", "b", n=1))]
)
def test_answers_come_back(message: Said) -> None:
    assert decode_said(encode(message)[HEAD.size :]) == message


@pytest.mark.parametrize("said", [b"", b"\x80", b"\xc0", encode(Batch("1", ()))[HEAD.size :], b"\x81\xa4type\xa5Other"])
def test_a_worker_cannot_say_anything_else(said: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_said(said)
