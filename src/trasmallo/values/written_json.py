r"""JSON of anything that the program tells.

Names of files need not be UTF-8; Python holds their bytes as lone surrogates, which JSON cannot say. They are written as Python
shows them on standard error (`caf\udce9.txt`), so that two of them stay two.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec


def encode_json(value: object, enc_hook: Callable[[object], object] | None = None) -> bytes:
    """A value as JSON; `enc_hook` makes something plain of what msgspec does not know."""
    try:
        return msgspec.json.encode(value, enc_hook=enc_hook)
    except UnicodeEncodeError:
        return msgspec.json.encode(_sayable(msgspec.to_builtins(value, enc_hook=enc_hook)))


def _sayable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_sayable(key): _sayable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sayable(each) for each in value]
    return value
