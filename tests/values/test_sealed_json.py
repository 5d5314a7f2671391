from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.sealed_json import decode_sealed, encode_sealed


class Note(msgspec.Struct):
    name: str
    counts: dict[str, int] = {}


@given(st.text(), st.dictionaries(st.text(), st.integers(-(2**53), 2**53)))
def test_what_is_written_is_read(name: str, counts: dict[str, int]) -> None:
    content = encode_sealed(Note(name, counts))
    assert decode_sealed(content, Note) == Note(name, counts)
    assert decode_sealed(msgspec.json.format(content), Note) == Note(name, counts), "as people lay it out"


@given(st.data())
def test_no_flipped_byte_passes(data: st.DataObject) -> None:
    content = bytearray(encode_sealed(Note("marea", {"olas": 3})))
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(msgspec.DecodeError):
        assert decode_sealed(bytes(content), Note) == Note("marea", {"olas": 3})


def test_a_file_of_before_is_read() -> None:
    assert decode_sealed(b'{"name":"marea"}', Note) == Note("marea")
    with pytest.raises(msgspec.DecodeError):
        decode_sealed(b"\xff", Note)
