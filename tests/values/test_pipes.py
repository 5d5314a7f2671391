"""Messages over pipes."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.errors import NotFound, ProjectError, StoreFull, TrasmalloError
from trasmallo.values.messages import Message
from trasmallo.values.pipes import HEAD, Sentence, Trouble, encode, read_message

FULL = StoreFull("cannot write {path}: {why}", "free {n:,} bytes", path="/a", why=Message("the disk is full"), n=2_000)


def sent(error: TrasmalloError) -> TrasmalloError:
    body = read_message(io.BytesIO(encode(Trouble.of(error))))
    assert body is not None
    with pytest.raises(TrasmalloError) as raised:
        msgspec.msgpack.decode(body, type=Trouble).throw()
    return raised.value


def test_an_error_travels_with_codes_and_arguments() -> None:
    back = sent(FULL)
    assert type(back) is StoreFull
    assert str(back) == str(FULL) == "cannot write /a: the disk is full: free 2,000 bytes"
    assert [(message.code, message.arguments) for message in back.said] == [
        ("cannot write {path}: {why}", {"path": "/a", "why": "the disk is full"}),
        ("free {n:,} bytes", {"n": 2_000}),
    ]
    why = back.said.problem.arguments["why"]
    assert isinstance(why, Message)
    assert why.code == "the disk is full"


def test_an_error_that_we_do_not_know_is_the_project_s() -> None:
    said = Sentence("a", "a", {})
    with pytest.raises(ProjectError, match="a: a"):
        Trouble("Whatever", said, said).throw()


def test_what_is_sent_is_not_filled_in_again() -> None:
    with pytest.raises(NotFound) as raised:
        Trouble("NotFound", Sentence("a {n}", "{n:>999999999}", {"n": 1}), Sentence("b", "b", {})).throw()
    assert str(raised.value) == "a {n}: b"


def test_the_end_of_a_pipe() -> None:
    assert read_message(io.BytesIO(b"")) is None
    assert read_message(io.BytesIO(HEAD.pack(2) + b"ab")) == b"ab"


@given(st.lists(st.text(max_size=40), max_size=5))
def test_messages_are_read_one_by_one_until_the_end(texts: list[str]) -> None:
    pipe = io.BytesIO(b"".join(encode(Sentence(text, "a", {})) for text in texts))
    read = list(iter(lambda: read_message(pipe), None))
    assert [msgspec.msgpack.decode(body, type=Sentence).text for body in read] == texts


@pytest.mark.parametrize("left", [0, 1, HEAD.size - 1])
def test_a_pipe_that_ends_in_a_head_is_at_its_end(left: int) -> None:
    assert read_message(io.BytesIO(encode(Trouble.of(FULL))[:left])) is None
