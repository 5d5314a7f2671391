"""What errors say in other languages than English: `words/errors.<language>.json` maps the code of each sentence to its text.

A text has the same names in it as its code, in any order; an argument that is a sentence is translated too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from trasmallo.values.messages import Message, Plain, fill


@cache
def error_texts(language: str) -> Mapping[str, str]:
    """What errors say in a language, by code; nothing is said otherwise in English."""
    path = Path(__file__).with_name("words") / f"errors.{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {}


def translate(message: Message, texts: Mapping[str, str]) -> str:
    """A message by its code and arguments; as it is when the code is not known or its arguments are not what they should be."""
    text = texts.get(message.code)
    if text is None:
        return str(message)
    try:
        return fill(text, {name: _value(value, texts) for name, value in message.arguments.items()})
    except ValueError:  # another process may have said anything
        return str(message)


def _value(value: Plain, texts: Mapping[str, str]) -> Plain:
    return translate(value, texts) if isinstance(value, Message) else value
