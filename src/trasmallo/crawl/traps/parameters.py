"""What the parameters of an address say: the page, a part of a list, a date, or who is reading."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

import msgspec

Parameters = list[tuple[str, str]]
"""Names and values as they stand in the address, escapes and all."""

Meaning = Literal["session", "session if random", "page", "date", ""]

_PATH_PARAMETER = re.compile(r";([^/;=]+)=([^/;]*)")
# ASP.NET without cookies: /(S(lit3py55t21z5v55vlm25s55))/page.aspx
_PATH_SESSION = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9_-]{12,}\))+\)(?=/|$)")
_LONG_HEX = re.compile(r"(?=[^0-9]*[0-9])(?=[^a-fA-F]*[a-fA-F])[0-9a-fA-F]{16,}")
_LETTER_BESIDE_DIGIT = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_ONE_WORD = re.compile(r"[A-Za-z0-9_]{8,}")
_LIST = re.compile(r"[,|]|%2C|%7C")
_FEWEST_BESIDES = 4  # judgement: changes between letters and digits in a random text
_LONGEST_NAME = 64  # judgement: characters of a parameter's name that tell its meaning
_SHORTEST_TOKEN = 16  # judgement: characters of a session's key


class ParameterTable(msgspec.Struct, frozen=True):
    """Names by meaning, from `parameters.toml`."""

    always: frozenset[str]
    prefixes: tuple[str, ...]
    random: frozenset[str]
    page: frozenset[str]
    year: frozenset[str]
    month: frozenset[str]
    day: frozenset[str]
    date: frozenset[str]
    month_numbers: dict[str, int]


class Bare(NamedTuple):
    """An address without its session ids."""

    path: str
    parameters: Parameters
    had_session: bool


@cache
def table() -> ParameterTable:
    """The names, read once."""
    read = tomllib.loads((files(__package__) / "parameters.toml").read_text(encoding="utf-8"))
    session, calendar = read["session"], read["calendar"]
    return ParameterTable(
        always=frozenset(name for name in session["always"] if not name.endswith("*")),
        prefixes=tuple(name[:-1] for name in session["always"] if name.endswith("*")),
        random=frozenset(session["random"]),
        page=frozenset(read["listing"]["page"]),
        **{kind: frozenset(calendar[kind]) for kind in ("year", "month", "day", "date")},
        month_numbers={name: number for number, line in enumerate(calendar["names"], 1) for name in line.split()},
    )


def split(query: str) -> Parameters:
    """The parameters of a query in their order; an empty piece is none."""
    pieces = (piece.partition("=") for piece in query.split("&") if piece)
    return [(name, value) for name, _, value in pieces]


def last_word(name: str) -> str:
    """The word of a parameter's name that tells its kind: "date" of "tribe-bar-date"."""
    return re.split(r"[-_.\[\]:]+|%5B|%5D", name.lower().strip("[]"))[-1]


def is_random(text: str) -> bool:
    """Whether a machine drew this text: long hexadecimal, a UUID, or one word in which letters and digits keep changing."""
    if _LONG_HEX.fullmatch(text.replace("-", "")):
        return True
    return bool(_ONE_WORD.fullmatch(text)) and len(_LETTER_BESIDE_DIGIT.findall(text)) >= _FEWEST_BESIDES


def is_token(value: str) -> bool:
    """Whether a value is random and long enough to be a session's."""
    return len(value) >= _SHORTEST_TOKEN and is_random(value)


@lru_cache(maxsize=4_096)
def meaning(name: str) -> Meaning:
    """What a parameter of this name is known to say; "" for all others."""
    known, lower, word = table(), name.lower(), last_word(name)
    if lower in known.always or lower.startswith(known.prefixes):
        return "session"
    if lower in known.random:
        return "session if random"
    if word in known.page:
        return "page"
    return "date" if word in known.year | known.month | known.day | known.date else ""


def is_session(name: str, value: str, learned: Container[str] = ()) -> bool:
    """Whether a parameter names a session; `learned` are a host's own names for it."""
    kind = meaning(name[:_LONGEST_NAME])
    return kind == "session" or ((kind == "session if random" or name in learned) and is_token(value))


def without_sessions(path: str, query: str, learned: Container[str] = ()) -> Bare:
    """The same page for everybody: session ids taken out of the parameters and out of the path."""
    parameters = split(query)
    kept = [(name, value) for name, value in parameters if not is_session(name, value, learned)]
    bare_path = path
    if ";" in path:
        bare_path = _PATH_PARAMETER.sub(lambda found: "" if is_session(found[1], found[2], learned) else found[0], path)
    if "/(" in path:
        bare_path = _PATH_SESSION.sub("", bare_path)
    return Bare(bare_path, kept, len(kept) < len(parameters) or bare_path != path)


def choices(parameters: Iterable[tuple[str, str]]) -> Parameters:
    """What a reader chose: lists split into their items, dates as one choice, the place in a list left out."""
    chosen: Parameters = []
    dates: list[str] = []
    for name, value in parameters:
        kind = meaning(name[:_LONGEST_NAME])
        if kind == "date":
            dates.append(f"{name}={value}")
        elif kind != "page":
            chosen.extend((name, item) for item in _LIST.split(value))
    if dates:
        chosen.append(("date", "&".join(dates)))
    return chosen
