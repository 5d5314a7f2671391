"""The texts of the project file changed in place, so that its comments stay, and a running crawl that follows such changes.

The file is read as statements, one a line unless brackets are open; the array of a key is changed item by item. A change that
would alter anything else is refused: tomllib reads the result, and it must be the old values with the one key's new ones.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from trasmallo import config
from trasmallo.values.errors import ConfigError, disk_errors

_TOKEN = re.compile(
    r"""(?P<string>"{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<comment>\#[^\n]*)|(?P<line>\n)|(?P<sign>[][{},=])|(?P<bare>[^]\s"'#[{},=]+)|(?P<space>[^\S\n]+)""",
    re.VERBOSE | re.DOTALL,
)
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n]*?)?(?=\r?\n)")

Token = re.Match[str]


def change_texts(path: Path, key: str, add: Sequence[str] = (), remove: Sequence[str] = ()) -> tuple[str, ...]:
    """Add and remove texts of a key of [crawl] in the file; its texts afterwards. Texts must have been checked."""
    path = path.resolve()
    with alone(path.parent), disk_errors(path):
        raw = path.read_bytes().decode("utf-8")
        bom, text = raw[: raw.startswith("\ufeff")], raw.removeprefix("\ufeff")
        old: list[str] = getattr(config.parse(text, str(path)).crawl, key)
        wanted = [item for item in old if item not in remove] + [item for item in dict.fromkeys(add) if item not in old]
        changed = _without(text, key, remove)
        for item in wanted[len(old) - len(set(old) & set(remove)) :]:
            changed = _with(changed, key, item)
        _check(text, changed, key, wanted, path)
        replace_file(path, bom + changed)
    return tuple(wanted)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Two commands at once change the file one after the other; the folder is locked, since the file itself is replaced."""
    with disk_errors(folder):
        held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def replace_file(path: Path, text: str) -> None:
    """Write a file whole or not at all; it keeps its rights."""
    draft = path.with_name(path.name + ".new")
    draft.write_bytes(text.encode())
    shutil.copymode(path, draft)
    draft.replace(path)


def _check(before: str, after: str, key: str, wanted: list[str], path: Path) -> None:
    expected = tomllib.loads(before)
    expected.setdefault("crawl", {})[key] = wanted
    if loaded(after) != expected:
        raise ConfigError(
            "`{key}` is written in {path} in a way that only a person can change",
            "write there, in [crawl]: {key} = {wanted}",
            key=key,
            path=path,
            wanted=msgspec.json.encode(wanted).decode(),
        )


def loaded(text: str) -> Any:
    """The values of a text; None when it is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def statements(text: str) -> Iterator[list[Token]]:
    """The file in statements: tokens up to the end of a line that no bracket holds open."""
    statement: list[Token] = []
    depth = 0
    for token in _TOKEN.finditer(text):
        statement.append(token)
        depth += (token[0] in "[{") - (token[0] in "]}") if token.lastgroup == "sign" else 0
        if token.lastgroup == "line" and depth == 0:
            yield statement
            statement = []
    yield statement


def _find(text: str, key: str) -> tuple[list[Token], int]:
    """The tokens of the key's array, empty when it is not written; and where [crawl] begins, -1 when nowhere."""
    table, place = "", -1
    for statement in statements(text):
        words = [token for token in statement if token.lastgroup in ("string", "bare", "sign")]
        if words and words[0][0] == "[":
            table = "".join(token[0].strip("\"'") for token in words if token.lastgroup != "sign")
            place = statement[-1].end() if table == "crawl" else place
        elif words and table == "crawl" and words[0][0].strip("\"'") == key and words[1][0] == "=":
            opening = next(number for number, token in enumerate(statement) if token[0] == "[")
            return statement[opening:], place
    return [], place


def _without(text: str, key: str, remove: Sequence[str]) -> str:
    """The file without some items; an item alone on its line takes the line and its comment along."""
    array, _ = _find(text, key)
    for number in range(len(array) - 1, 0, -1):
        token = array[number]
        if token.lastgroup != "string" or tomllib.loads("item = " + token[0])["item"] not in remove:
            continue
        start, end = token.start(), token.end()
        comma = next((later for later in array[number + 1 :] if later.lastgroup not in ("space", "line", "comment")), token)
        end = comma.end() if comma[0] == "," else end
        line = text.rfind("\n", 0, start) + 1
        rest = _REST_OF_LINE.match(text, end)
        if rest and not text[line:start].strip():
            start, end = line, text.index("\n", rest.end()) + 1
        else:
            end += text[end : end + 1] == " "
        text = text[:start] + text[end:]
    return text


def _with(text: str, key: str, item: str) -> str:
    """The file with one more item after the others, in lines when the array is written in lines."""
    newline = "\r\n" if "\r\n" in text else "\n"
    written = msgspec.json.encode(item).decode().replace("\x7f", "\\u007f")
    array, place = _find(text, key)
    if not array:
        block = f"{key} = [{newline}    {written},{newline}]{newline}"
        if place < 0:
            gap = newline * (2 - text.endswith("\n")) if text else ""
            return f"{text}{gap}[crawl]{newline}{block}"
        head = text[:place]
        return head + newline * (not head.endswith("\n")) + block + text[place:]
    items = [token for token in array if token.lastgroup == "string" or token[0] == ","]
    if not items:
        at = array[0].end()
        return text[:at] + f"{newline}    {written},{newline}" + text[at:].lstrip(" \t\r\n")
    last = items[-1]
    if last[0] != ",":
        text = text[: last.end()] + "," + text[last.end() :]
    at = last.end() + (last[0] != ",")
    rest = _REST_OF_LINE.match(text, at)
    if rest:
        return text[: rest.end()] + f"{newline}    {written}," + text[rest.end() :]
    return text[:at] + f" {written}" + text[at:]
