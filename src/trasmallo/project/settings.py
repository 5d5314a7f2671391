"""Changes of a project file in place: its comments, its order and its layout stay as a person wrote them.

tomlkit changes the text, and the change is proved before it is written: tomllib reads the result, and it must be the old
values with the new ones.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import tomlkit
import xxhash
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable, Array, Null, Whitespace

from trasmallo import config, config_text
from trasmallo.values.atomic_files import drafted
from trasmallo.values.errors import ConfigError, ProjectChanged, disk_errors
from trasmallo.values.folder_lock import locked

_BOM = "\ufeff"


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


def write_text(path: Path, text: str, seen: str = "") -> config.Config:
    """Replace the whole file, if the text is a project; the checked configuration. `seen` is as in `write_values`."""
    settings = config.parse(text, config.FILE_NAME)
    path = path.resolve()
    with locked(path.parent), disk_errors(path):
        _check_seen(read_text(path), seen)
        _replace(path, text)
    return settings


def write_values(path: Path, values: Mapping[str, object], seen: str = "") -> config.Config:
    """Set keys ("crawl.lines", "name") in the file; the checked configuration then.

    With `seen`, the digest of the text that somebody looked at, another text is not changed: ProjectChanged.
    """
    path = path.resolve()
    with locked(path.parent), disk_errors(path):
        bom, text = _read(path)
        _check_seen(text, seen)
        changed = change_values(text, values, str(path))
        settings = config.parse(changed, str(path))
        _replace(path, bom + changed)
    return settings


def change_texts(path: Path, key: str, add: Sequence[str] = (), remove: Sequence[str] = ()) -> tuple[str, ...]:
    """Add and remove texts of a key of [crawl] in the file; its texts afterwards. Texts must have been checked."""
    path = path.resolve()
    with locked(path.parent), disk_errors(path):
        bom, text = _read(path)
        changed = text
        old: tuple[str, ...] = getattr(config.parse(text, str(path)).crawl, key)
        new = [item for item in dict.fromkeys(add) if item not in old]
        wanted = [item for item in old if item not in remove] + new
        with suppress(TOMLKitError):
            changed = _with_items(changed, key, new, remove)
        if _loaded(changed) != _with(tomllib.loads(text), "crawl", key, wanted):
            problem = "`{key}` is written in {path} in a way that only a person can change"
            how = "write there, in [crawl]: {key} = {wanted}"
            raise ConfigError(problem, how, key=key, path=path, wanted=msgspec.json.encode(wanted).decode())
        _replace(path, bom + changed)
    return tuple(wanted)


def change_values(text: str, values: Mapping[str, object], source: str = config.FILE_NAME) -> str:
    """The text of a project file with other values for some keys; raises ConfigError where only a person can do it."""
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("{source} is not valid TOML ({error})", "mend that line", source=source, error=error) from None
    changed = text
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        table = expected.get(section, {}) if section else expected
        plain = msgspec.to_builtins(value)
        if table.get(name) == plain and type(table.get(name)) is type(plain):
            continue
        expected = _with(expected, section, name, plain)
        with suppress(TOMLKitError):
            changed = _with_value(changed, section, name, tuple(value) if isinstance(value, list) else value)
    if _loaded(changed) != expected:
        raise ConfigError("{source} is written in a way that only a person can change", "change it as text", source=source)
    return changed


def _with_items(text: str, key: str, add: Sequence[str], remove: Sequence[str]) -> str:
    """The text with some items of an array of [crawl] more and some fewer; an item takes its comment along."""
    document = tomlkit.parse(text)
    table = document.get("crawl")
    array = table.get(key) if isinstance(table, AbstractTable) else None
    if not isinstance(array, Array) or (not array and array.as_string().strip("[] \t\r\n") == ""):
        return _with_value(text, "crawl", key, tuple(add))
    for item in [item for item in array.unwrap() if item in remove]:
        array.remove(item)
    for item in add:
        _end_with_comma(array)
        array.append(tomlkit.value(config_text.toml(item)))
    return document.as_string()


def _end_with_comma(array: Array) -> None:
    """Tomlkit (0.15) forgets the comma after a last item that a comment follows."""
    items = [group for group in array._value if group.value is not None and not isinstance(group.value, Null)]
    if items and items[-1].comma is None and any(group.comment for group in array._value):
        items[-1].comma = Whitespace(",")


def _with_value(text: str, section: str, name: str, value: object) -> str:
    """The text with a key set; a new one becomes the first of its table, where no comment speaks of what follows."""
    newline = "\r\n" if "\r\n" in text else "\n"
    written = config_text.toml(value).replace("\n", newline)
    document = tomlkit.parse(text)
    table = document.get(section) if section else document
    if isinstance(table, AbstractTable | TOMLDocument) and name in table:
        table[name] = tomlkit.value(written)
        return document.as_string()
    line = f"{name} = {written}{newline}"
    ended = text if text.endswith("\n") or not text else text + newline
    if not isinstance(table, AbstractTable | TOMLDocument):
        return ended + newline * bool(ended) + f"[{section}]{newline}{line}"
    document = tomlkit.parse(ended)
    place = document.item(section) if section else document
    if isinstance(place, AbstractTable | TOMLDocument):
        body = place.value.body if isinstance(place, AbstractTable) else place.body
        body.insert(0, tomlkit.parse(line).body[0])
    return document.as_string()


def _with(values: dict[str, object], section: str, name: str, value: object) -> dict[str, object]:
    """Plain values of a project file with another one for a key."""
    if not section:
        return values | {name: value}
    table = values.get(section, {})
    return values | {section: (table if isinstance(table, dict) else {}) | {name: value}}


def _loaded(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _read(path: Path) -> tuple[str, str]:
    """The byte-order mark of a file, if it has one, and its text."""
    raw = path.read_bytes().decode("utf-8")
    return raw[: raw.startswith(_BOM)], raw.removeprefix(_BOM)


def _check_seen(text: str, seen: str) -> None:
    if seen and digest(text) != seen:
        raise ProjectChanged("somebody else changed the file meanwhile", "look at it, then save again to have yours")


def _replace(path: Path, text: str) -> None:
    """Write the file whole or not at all; it keeps its rights."""
    with drafted(path) as draft:
        draft.write_bytes(text.encode())
        shutil.copymode(path, draft)
