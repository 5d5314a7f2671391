"""JSON of names that are no text."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.values.written_json import encode_json


class Named(msgspec.Struct):
    path: str
    number: int = 1


def test_plain_values_are_written_as_ever() -> None:
    assert encode_json(Named("café.txt")) == '{"path":"café.txt","number":1}'.encode()
    assert encode_json({"x": 1 + 2j}, enc_hook=str) == b'{"x":"(1+2j)"}'
    with pytest.raises(TypeError):
        encode_json(1 + 2j)


def test_names_that_are_no_text_are_told_apart() -> None:
    named = [Named("caf\udce9.txt"), {"caf\udce1": ("\udcff", None, 2.5, True)}]
    assert msgspec.json.decode(encode_json(named)) == [
        {"path": r"caf\udce9.txt", "number": 1},
        {r"caf\udce1": [r"\udcff", None, 2.5, True]},
    ]
