"""Mailboxes read for import."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.mailbox import begins, messages
from trasmallo.store.stream import ByteStream
from trasmallo.values.model import Failure

FIRST = b"Message-ID: <a@b.es>\nDate: Mon, 16 Nov 2026 08:00:00 +0100\nSubject: Uno\n\nHola.\n>From aqui.\nFrom 2020 no\n"
SECOND = b"Subject: Dos\n\nAdios.\n"
MAILBOX = b"From a@b.es Mon Nov 16 08:00:00 2026\n" + FIRST + b"\nFrom c@d.es Mon Nov 16 09:00:00 2026\n" + SECOND


def read(data: bytes, limit: int = 1 << 20) -> list[Any]:
    return list(messages(ByteStream(io.BytesIO(data)), limit))


def test_each_message_is_a_page() -> None:
    assert begins(MAILBOX)
    assert not begins(b"From here on\nit is 2020")
    first, second = read(MAILBOX)
    assert first.url == "http://mail.invalid/a@b.es"
    assert first.at == 1_794_812_400.0
    assert first.header("content-type") == "message/rfc822"
    assert first.body == FIRST.replace(b">From", b"From")
    assert second.body == SECOND.removesuffix(b"\n")
    assert second.url.startswith("http://mail.invalid/")
    assert second.at == 0.0
    assert read(MAILBOX)[1].url == second.url, "stable"


def test_a_message_that_is_too_large() -> None:
    found = read(MAILBOX.replace(b"Hola.", b"Hola. " * 100), 300)
    assert [isinstance(one, Failure) for one in found] == [True, False]


@given(st.binary(max_size=300))
def test_no_bytes_bring_it_down(tail: bytes) -> None:
    assert read(b"From a 2026\nDate: " + tail)
