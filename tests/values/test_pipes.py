"""Messages over pipes, and errors that travel in them."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.errors import ProjectError, StoreFull
from trasmallo.values.pipes import HEAD, Trouble, encode, read_message


@given(st.lists(st.text(max_size=40), max_size=5))
def test_messages_are_read_one_by_one_until_the_end(texts: list[str]) -> None:
    pipe = io.BytesIO(b"".join(encode(Trouble("StoreFull", text, "")) for text in texts))
    read = list(iter(lambda: read_message(pipe), None))
    assert [msgspec.msgpack.decode(body, type=Trouble).problem for body in read] == texts


@pytest.mark.parametrize("left", [0, 1, HEAD.size - 1])
def test_a_pipe_that_ends_in_a_head_is_at_its_end(left: int) -> None:
    assert read_message(io.BytesIO(encode(Trouble("a", "b", "c"))[:left])) is None


def test_an_error_is_raised_as_what_it_was() -> None:
    with pytest.raises(StoreFull, match="the disk is full: free some space"):
        Trouble.of(StoreFull("the disk is full", "free some space")).throw()


def test_an_error_of_an_unknown_name_is_the_projects() -> None:
    with pytest.raises(ProjectError, match="it broke: mend it"):
        Trouble("Surprise", "it broke", "mend it").throw()
