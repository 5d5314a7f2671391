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
import xxhash

from trasmallo import config
from trasmallo.project.settings import Token, alone, loaded, replace_file, statements
from trasmallo.values.errors import ConfigError, ProjectChanged, disk_errors


def digest(text: str) -> str:
    """Changes when the text of a project file does."""
    return xxhash.xxh3_64_hexdigest(text.encode())


def read_text(path: Path) -> str:
    """The text of a project file, whatever it says; raises ConfigError when it is no text."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            "cannot read {path} ({error})", "save it as UTF-8 in a file you may read", path=path, error=error
        ) from None


def write_values(path: Path, values: Mapping[str, Any], seen: str = "") -> config.Config:
    """Set keys ("crawl.lines", "name") in the file; the checked configuration then.

    With `seen`, the digest of the text that somebody looked at, another text is not changed: ProjectChanged.
    """
    path = path.resolve()
    with alone(path.parent), disk_errors(path):
        raw = path.read_bytes().decode("utf-8")
        _check_seen(raw.removeprefix("\ufeff"), seen)
        bom, text = raw[: raw.startswith("\ufeff")], raw.removeprefix("\ufeff")
        changed = change_values(text, values, str(path))
        settings = config.parse(changed, str(path))
        replace_file(path, bom + changed)
    return settings


def write_text(path: Path, text: str, seen: str = "") -> config.Config:
    """Replace the whole file, if the text is a project; the checked configuration. `seen` is as in `write_values`."""
    settings = config.parse(text, config.FILE_NAME)
    path = path.resolve()
    with alone(path.parent), disk_errors(path):
        _check_seen(read_text(path), seen)
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
    if loaded(changed) != expected:
        raise ConfigError("{source} is written in a way that only a person can change", "change it as text", source=source)
    return changed


def _check_seen(text: str, seen: str) -> None:
    if seen and digest(text) != seen:
        raise ProjectChanged("somebody else changed the file meanwhile", "look at it, then save again to have yours")


def _loaded(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("{source} is not valid TOML ({error})", "mend that line", source=source, error=error) from None


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
