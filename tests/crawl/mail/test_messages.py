from __future__ import annotations

import mailbox
from email.message import EmailMessage
from pathlib import Path

import pytest

from trasmallo.crawl.mail.messages import find_messages, is_mbox, message_in, name_of

_FROM = b"From ana@example.org Mon Jan  1 10:00:00 2024\n"


def letters(content: bytes) -> list[bytes]:
    return [message_in(content, place) for place in find_messages(content)]


def test_messages_and_their_octets() -> None:
    content = _FROM + b"Subject: a\n\nuno\n\n" + _FROM + b"Subject: b\n\ndos\n"
    assert is_mbox(content)
    assert letters(content) == [b"Subject: a\n\nuno\n", b"Subject: b\n\ndos"]


def test_quoted_from_lines_lose_their_mark_and_others_begin_nothing() -> None:
    body = b"Subject: a\n\n>From here\n>>From there\nFrom nowhere in 2024 without a blank line before\n"
    assert letters(_FROM + body) == [body.replace(b">From", b"From").replace(b">From", b">From").removesuffix(b"\n")]


def test_what_says_its_length_may_hold_anything() -> None:
    inner = b"x\n\n" + _FROM + b"y\n"
    content = _FROM + b"Subject: a\nContent-Length: %d\n\n" % len(inner) + inner + b"\n" + _FROM + b"Subject: b\n\ndos\n"
    assert len(letters(content)) == 2
    lying = content.replace(b"Content-Length: ", b"Content-Length: 9")
    assert len(letters(lying)) == 3


def test_crlf() -> None:
    content = (_FROM + b"Subject: a\n\nuno\n\n" + _FROM + b"Subject: b\n\ndos\n").replace(b"\n", b"\r\n")
    assert len(letters(content)) == 2


def test_a_box_of_the_standard_library(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "box")
    for number in range(20):
        message = EmailMessage()
        message["Message-ID"] = f"<{number}@x>"
        message.set_content(f"From here on\n\nFrom there {number} 2024\nñandú")
        box.add(message)
    box.close()
    found = letters((tmp_path / "box").read_bytes())
    assert [name_of(letter) for letter in found] == [f"{number}@x" for number in range(20)]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"Message-ID: <a@b>\n\n", "a@b"),
        (b"MESSAGE-ID:\n <a@b>\n\n", "a@b"),
        (b"Subject: x\nMessage-Id: a@b\n\n", "a@b"),
    ],
)
def test_names(head: bytes, name: str) -> None:
    assert name_of(head) == name


@pytest.mark.parametrize("head", [b"Subject: x\n\n", b"Message-ID: <a b>\n\n", b"Message-ID: <" + b"a" * 600 + b">\n\n", b""])
def test_without_a_usable_name_a_digest_is_one(head: bytes) -> None:
    assert len(name_of(head)) == 40
    assert name_of(head) != name_of(head + b"x")


def test_what_is_no_box() -> None:
    assert not is_mbox(b"From me to you\n")
    assert letters(b"") == letters(b"nothing of the kind") == []
