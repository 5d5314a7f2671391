"""Keys of the project file as they are typed in one line: `segment_words=3`, `segments_of=words,lemmas`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import cast

from trasmallo.config import StudyConfig
from trasmallo.project.options import StudyOptions
from trasmallo.values.errors import UsageError


def parse_keys(texts: Iterable[str]) -> StudyOptions:
    """Keys of [study] with their values, unchecked; a value is TOML, or a text as it stands, or several with commas.

    Raises UsageError for what has no key.
    """
    found: dict[str, object] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign):
            raise UsageError("{text!r} sets nothing", "write it as key=value, such as segment_words=3", text=text[:60])
        several = isinstance(getattr(StudyConfig(), name, None), tuple) and not value.startswith("[")
        found[name] = [one.strip() for one in value.split(",")] if several else _value(value)
    return cast("StudyOptions", found)


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
