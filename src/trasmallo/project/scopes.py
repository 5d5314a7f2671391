"""Scopes as people type them: the name of a saved subcorpus, or conditions such as `language=es site=.org since=2025`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import msgspec

from trasmallo.results.database.document_dates import span
from trasmallo.results.database.planner import conditions_of
from trasmallo.results.registry import all_tables
from trasmallo.store.subcorpora import Scope, find_scope
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import UsageError
from trasmallo.values.language_tags import is_code, primary
from trasmallo.values.urls import canonical, host

_NAME = re.compile(r"[^\W_][\w.-]{0,79}")
_CONDITION = re.compile(r"(as-of|\w+)(!=|>=|<=|=|>|<|~)(.*)", re.DOTALL)
_MANY = {"language": "languages", "site": "sites", "start": "starts"}
_ONCE = {"since": "since", "until": "until", "as-of": "as_of"}
_AS_OF = "as-of="
_HOW = "name a saved one, or write conditions such as: language=es site=example.org since=2025-01"


def read_scope(text: str, project: Path) -> Scope:
    """The scope that a text tells; raises UsageError for what is none, NotFound for a name that nobody has saved."""
    words = _words(text)
    if words and _NAME.fullmatch(words[0]):
        return _named(words, text, project)
    many: dict[str, list[str]] = {name: [] for name in _MANY.values()}
    where: list[str] = []
    days: dict[str, str] = {}
    for word in words:
        found = _CONDITION.fullmatch(word)
        if found is None:
            raise UsageError("{text!r} is no scope", _HOW, text=text[:200])
        name, sign, value = found.groups()
        if sign == "=" and not value and name in _MANY | _ONCE:
            raise UsageError("{name}= has no value", "write one right behind it, such as language=es", name=name)
        if sign == "=" and name in _MANY:
            many[_MANY[name]] += value.split(",")
        elif sign == "=" and name in _ONCE:
            days[_ONCE[name]] = value
        else:
            where.append(word)
    return checked_scope(msgspec.convert({**many, **days, "where": where}, decodable(Scope)))


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise UsageError("{text!r} is no scope", _HOW, text=text[:200]) from None


def _named(words: list[str], text: str, project: Path) -> Scope:
    """A saved scope, perhaps as of another run or date."""
    found = find_scope(project, words[0])
    for word in words[1:]:
        if not word.startswith(_AS_OF) or word == _AS_OF:
            raise UsageError(
                "{text!r} is no scope", "behind a saved one nothing but as-of=DATE can be written", text=text[:200]
            )
        found = msgspec.structs.replace(found, as_of=word.removeprefix(_AS_OF))
    return found


def split_as_of(text: str) -> tuple[str, str]:
    """A scope as it is typed without the run or date that answers, and this, "" for the collection as it is."""
    try:
        words = shlex.split(text)
    except ValueError:
        return text, ""
    others = [word for word in words if not word.startswith(_AS_OF)]
    if len(others) == len(words):
        return text, ""
    return shlex.join(others), [word for word in words if word.startswith(_AS_OF)][-1].removeprefix(_AS_OF)


def joined_as_of(text: str, as_of: str) -> str:
    """A scope as it is typed, as of a run or date unless that is ""."""
    return " ".join(filter(None, (split_as_of(text)[0], shlex.quote(_AS_OF + as_of) if as_of else "")))


def checked_scope(scope: Scope) -> Scope:
    """A scope whose parts can be asked for, written as the collection has them; raises UsageError."""
    for day in (scope.since, scope.until):
        if day:
            span(day)
    for language in scope.languages:
        if not is_code(primary(language)):
            raise UsageError("no language has the code {code!r}", "write one such as es or en", code=language)
    conditions_of(scope.where, tuple(all_tables()["pages"].types))
    sites = tuple(_site(site) for site in scope.sites)
    return msgspec.structs.replace(scope, sites=sites, starts=tuple(map(canonical, scope.starts)))


def _site(written: str) -> str:
    name = written.strip().lower()
    return host(canonical(name)) if "://" in name else name.rstrip("/")


def scope_text(scope: Scope) -> str:
    """A scope as it is typed."""
    words = [f"{name}={value}" for name, field in _MANY.items() for value in getattr(scope, field)]
    words += [f"{name}={getattr(scope, field)}" for name, field in _ONCE.items() if getattr(scope, field)]
    return shlex.join([*words, *scope.where])


def checked_name(name: str) -> str:
    """The name of a subcorpus; raises UsageError for what cannot be one."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            "{name!r} is no name for a subcorpus", "begin with a letter or digit; -, _ and . may follow", name=name[:80]
        )
    return name
