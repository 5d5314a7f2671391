"""Changing values of a project file, keeping everything else in it as a person wrote it.

As with `settings.change_texts`, a change is proved before it is written: tomllib reads the result, and it must be the old
values with the new ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from trasmallo import config
from trasmallo.errors import ConfigError, disk_errors
from trasmallo.project.settings import Token, alone, replace_file, statements


def write_values(path: Path, values: Mapping[str, Any]) -> config.Config:
    """Set keys ("crawl.lines", "name") in the file; the checked configuration then."""
    path = path.resolve()
    with alone(path.parent), disk_errors(path):
        raw = path.read_bytes().decode("utf-8")
        bom, text = raw[: raw.startswith("\ufeff")], raw.removeprefix("\ufeff")
        changed = change_values(text, values, str(path))
        settings = config.parse(changed, str(path))
        replace_file(path, bom + changed)
    return settings


def write_text(path: Path, text: str) -> config.Config:
    """Replace the whole file, if the text is a project; the checked configuration."""
    settings = config.parse(text, "the text")
    path = path.resolve()
    with alone(path.parent), disk_errors(path):
        replace_file(path, text)
    return settings


def change_values(text: str, values: Mapping[str, Any], source: str = config.FILE_NAME) -> str:
    """The text of a project file with other values for some keys; raises ConfigError where only a person can do it."""
    expected = _loaded(text, source)
    changed = text
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        table = expected.setdefault(section, {}) if section else expected
        plain = msgspec.to_builtins(value)
        if table.get(name) == plain and type(table.get(name)) is type(plain):
            continue
        table[name] = plain
        changed = _set(changed, section, name, config.toml(tuple(value) if isinstance(value, list) else value))
    if _loaded(changed, source) != expected:
        raise ConfigError(f"{source} is written in a way that only a person can change", "change it as text")
    return changed


def _loaded(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{source} is not valid TOML ({error})", "mend that line") from None


def _set(text: str, section: str, name: str, written: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    written = written.replace("\n", newline)
    value, place = _find(text, section, name)
    if value:
        return text[: value[0]] + written + text[value[1] :]
    line = f"{name} = {written}{newline}"
    if place < 0:
        gap = newline * (2 - text.endswith("\n")) if text else ""
        return f"{text}{gap}[{section}]{newline}{line}"
    head = text[:place]
    return head + newline * bool(head and not head.endswith("\n")) + line + text[place:]


def _find(text: str, section: str, name: str) -> tuple[tuple[int, int] | None, int]:
    """From where to where the key's value stands, None when nowhere; and where a new key of the table belongs, -1 nowhere."""
    table, place = "", -1 if section else 0
    for statement in statements(text):
        words = [token for token in statement if token.lastgroup in ("string", "bare", "sign")]
        if words and words[0][0] == "[":
            table = ".".join(token[0].strip("\"'") for token in words if token.lastgroup != "sign")
            place = statement[-1].end() if table == section else place
        elif len(words) > 2 and table == section and words[0][0].strip("\"'") == name and words[1][0] == "=":
            return _span(words[2:]), place
    return None, place


def _span(words: list[Token]) -> tuple[int, int]:
    return words[0].start(), words[-1].end()
