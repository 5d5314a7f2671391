"""Sentences that remember their code and arguments."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.messages import Message, fill, places


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (Message("the run has no words"), "the run has no words"),
        (Message("there is no run {name!r}", name="x'"), 'there is no run "x\'"'),
        (Message("{path} has {n:,} bytes", path=Path("/a"), n=12_000), "/a has 12,000 bytes"),
        (Message("{text!a} is no text", text="ñ"), "'\\xf1' is no text"),
        (Message("{{least},{most}} is no range, write {0,3}", least=3, most=1), "{3,1} is no range, write {0,3}"),
        (Message("cannot write: {why}", why=Message("{n} bytes are left", n=3)), "cannot write: 3 bytes are left"),
    ],
)
def test_values_stand_where_they_are_named(message: Message, text: str) -> None:
    assert message == text


def test_a_message_keeps_what_it_uses() -> None:
    message = Message("there is no run {name!r}", name="x", other=1)
    assert (message.code, message.arguments) == ("there is no run {name!r}", {"name": "x"})
    assert Message(message, name="y") is message


def test_values_are_not_read_as_codes() -> None:
    assert Message("there is no {name}", name="{other}", other=1) == "there is no {other}"


def test_other_values_are_kept_as_texts() -> None:
    assert Message("no {path}", path=Path("/a")).arguments == {"path": "/a"}


@given(st.text(), st.text(), st.integers())
def test_a_message_travels_whole(name: str, value: str, number: int) -> None:
    inner = Message("{n} of them", n=number)
    message = Message("{name} is {value}: {inner}", name=name, value=value, inner=inner)
    back = pickle.loads(pickle.dumps(message))
    assert (back, back.code, back.arguments) == (message, message.code, message.arguments)
    assert back.arguments["inner"].code == inner.code


def test_a_name_without_a_value_stands_for_itself() -> None:
    assert fill("{a} and {b}", {"a": 1}) == "1 and {b}"
    assert places("{a} and {b!r}, {c:,}, {0,3}") == ("a", "b", "c")
