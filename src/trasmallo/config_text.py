"""The project file as people and editors read it: written with comments, as a schema, and each key with its meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
from msgspec import Meta

from trasmallo import plugins
from trasmallo.config import METHODS, Config, Section, sections
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.setting_texts import setting_texts

_HEADING = "A trasmallo project. Command-line options of the same names win over this file."


def write(config: Config, path: Path) -> None:
    """Write the commented project file; an existing one is replaced only when the new one is whole."""
    write_whole(path, render(config).encode())


def render(config: Config) -> str:
    """The configuration as commented TOML, with every key; comments are in the project's language where that is known."""
    texts = setting_texts(config.language.partition("-")[0])
    lines = [f"# {texts.get('', _HEADING)}", "", *_rendered_keys(config, texts)]
    for name, section in sections(config):
        about = texts.get(f"[{name}]", _first_line(type(section)))
        lines += ["", f"[{name}]  # {about}", *_rendered_keys(section, texts, f"{name}.")]
    return "\n".join(lines) + "\n"


def schema() -> dict[str, object]:
    """The JSON schema of the project file, for editors."""
    found = msgspec.json.schema(Config)
    found["$defs"]["CleanConfig"]["properties"]["method"]["enum"] = list(plugins.names(METHODS))
    return found


def describe_keys() -> Iterator[tuple[str, str, object, str]]:
    """Every key as (section, name, default, meaning); section is "" for the top."""
    for section, struct in [("", Config()), *sections(Config())]:
        for name, meaning in _meanings(type(struct)):
            yield section, name, getattr(struct, name), meaning


def _meanings(struct: type[Section]) -> Iterator[tuple[str, str]]:
    """Keys of a table that are no tables themselves, with their descriptions."""
    for name, hint in get_type_hints(struct, include_extras=True).items():
        metas = [meta for meta in get_args(hint)[1:] if isinstance(meta, Meta) and meta.description]
        if metas:
            yield name, str(metas[-1].description)


def _rendered_keys(section: Section, texts: Mapping[str, str], place: str = "") -> Iterator[str]:
    for name, meaning in _meanings(type(section)):
        yield f"# {texts.get(place + name, meaning)}"
        yield f"{name} = {toml(getattr(section, name))}"


def toml(value: object) -> str:
    """A value as TOML writes it; a list has a line for each item."""
    if isinstance(value, tuple):
        return "[" + "".join(f"\n    {toml(item)}," for item in value) + ("\n]" if value else "]")
    # A JSON string, number or truth value is also a TOML one, but TOML wants DEL escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _first_line(struct: type) -> str:
    return (struct.__doc__ or "").splitlines()[0]
