"""Kinds of entities that a user defines, by lists, patterns and trained models: one file, to be edited by hand and shared.

`entities.toml` in the project's folder has a table for each list, each pattern and each model:

[[list]]
kind = "DRUG"
file = "drugs.txt"              # beside this file; a name a line, behind a tab its value
inflected = true                # also in plural and by lemmas; `case` and `accents` make both count

[[list]]
kind = "PER"
file = "titles.txt"
titles = true                   # the name behind one of these is a PER: "la ministra de Hacienda, Ana Pérez"

[[pattern]]
kind = "ADDRESS"
pattern = '[ent="STREET"]+ "," [ent="CITY"]+'     # a corpus query; `before` and `after` are queries for what stands beside it
verifies = ["CITY"]             # names from lists of these kinds that ask for it (`verified = true`) count inside such a hit

[[model]]
file = "names.model"            # what `entities train` or the app's training wrote; it stands before the model that ships
kinds = ["DRUG"]                # only these of its kinds; all without it

Kinds are capital letters, digits and _. Of each entry at most what `LIMITS` of queries allow is looked at.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomlkit
import xxhash
from tomlkit.exceptions import TOMLKitError

from trasmallo.study.entities.compiled_lists import ListOptions
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.query_errors import QueryError
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ConfigError, UsageError, disk_errors
from trasmallo.values.folder_lock import locked

FILE_NAME = "entities.toml"
MOST_ENTRIES = 500
"""Lists and patterns of a file at most: each is asked of each document. Judgement."""
_KIND = re.compile(r"[A-Z][A-Z0-9_]{0,31}")
_HEAD = "# Kinds of entities of your own, by lists and patterns; see the guide on entities.\n"
_LARGEST = 4 << 20
"""Bytes of the file. Judgement: long lists are files of their own."""


class OwnList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Names of a kind in a file, a line each.

    `verified`: they count only where a pattern verifies them. `titles`: not they but the names behind them are of the kind.
    """

    kind: str
    file: str
    case: bool = False
    accents: bool = False
    inflected: bool = False
    verified: bool = False
    titles: bool = False

    @property
    def options(self) -> ListOptions:
        """How its names are met."""
        return ListOptions(case=self.case, accents=self.accents, inflected=self.inflected)


class OwnPattern(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A corpus query whose hits are of a kind, where hits of `before` and `after` stand right beside them.

    A kind of "" makes no entity: it only verifies names of the kinds in `verifies`. `score` is how sure its hits are.
    """

    kind: str = ""
    pattern: str
    before: str = ""
    after: str = ""
    verifies: tuple[str, ...] = ()
    score: float = 1.0


class OwnModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A model that `entities train` wrote; only its names of `kinds` count, () is all of them."""

    file: str
    kinds: tuple[str, ...] = ()


OwnEntry = OwnList | OwnPattern | OwnModel


class OwnKinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file defines."""

    lists: tuple[OwnList, ...] = msgspec.field(default=(), name="list")
    patterns: tuple[OwnPattern, ...] = msgspec.field(default=(), name="pattern")
    models: tuple[OwnModel, ...] = msgspec.field(default=(), name="model")

    def __len__(self) -> int:
        return len(self.lists) + len(self.patterns) + len(self.models)

    @property
    def kinds(self) -> list[str]:
        """All kinds, in alphabetical order."""
        said = (kind for one in self.models for kind in one.kinds)
        return sorted({*(one.kind for one in self.lists), *(one.kind for one in self.patterns if one.kind), *said})


class KindRule(msgspec.Struct, frozen=True):
    """An entry of the file as doors show it: its number, kind, what it is (list, pattern or model), its text and options."""

    number: int
    kind: str
    by: str
    what: str
    options: str


def load(path: Path) -> OwnKinds:
    """The checked content of a file, nothing where there is none; raises ConfigError with the entry and the repair."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ConfigError("{path} is too large", "put long lists into files of their own", path=path)
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return OwnKinds()
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError("cannot read {path} ({error})", "mend that line", path=path, error=error) from None
    return _checked(values, path)


def _checked(values: Mapping[str, object], path: Path) -> OwnKinds:
    try:
        found = msgspec.convert(values, decodable(OwnKinds))
    except msgspec.ValidationError as error:
        raise ConfigError("{path}: {error}", "see `trasmallo kinds --help`", path=path, error=error) from None
    if len(found) > MOST_ENTRIES:
        raise ConfigError(
            "{path} has {count:,} entries", "keep at most {most:,}", path=path, count=len(found), most=MOST_ENTRIES
        )
    entries: list[OwnEntry] = [*found.lists, *found.patterns, *found.models]
    for number, one in enumerate(entries, 1):
        try:
            _check(one, path.parent)
        except UsageError as error:
            raise ConfigError(
                "{path}, entry {number}: {problem}", error.said.repair, path=path, number=number, problem=error.said.problem
            ) from None
    return found


def _check(one: OwnEntry, folder: Path) -> None:
    if isinstance(one, OwnList):
        check_list(one, folder)
    elif isinstance(one, OwnPattern):
        check_pattern(one)
    else:
        check_model(one, folder)


def check_list(one: OwnList, folder: Path) -> None:
    """Raise UsageError for a kind that is none, and for a file that is not there."""
    check_kind(one.kind)
    if not is_there(folder / one.file):
        raise UsageError("there is no list {file}", "put it beside the project file", file=one.file[:200])


def check_model(one: OwnModel, folder: Path) -> None:
    """Raise UsageError for a kind that is none, and for a file that is not there."""
    for kind in one.kinds:
        check_kind(kind)
    if not is_there(folder / one.file):
        raise UsageError(
            "there is no model {file}", "write it with: trasmallo annotations DIR --train FILE", file=one.file[:200]
        )


def is_there(path: Path) -> bool:
    """Whether there is such a file; there is none where its name cannot be one: too long, or with a zero byte."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def check_pattern(one: OwnPattern) -> None:
    """Raise UsageError for a kind that is none, or a query that cannot be understood."""
    if not one.kind and not one.verifies:
        raise UsageError("a pattern without a kind finds nothing", "name a kind, or kinds that it verifies")
    for kind in (*((one.kind,) if one.kind else ()), *one.verifies):
        check_kind(kind)
    if not 0 <= one.score <= 1:
        raise UsageError("{score} is no score", "give one from 0 to 1", score=one.score)
    for query in filter(None, (one.pattern, one.before, one.after)):
        if parse(query).restrictions:
            raise QueryError("within and containing are not for patterns", "leave them out")


def check_kind(kind: str) -> None:
    """Raise UsageError for what is no name of a kind."""
    if not _KIND.fullmatch(kind):
        raise UsageError("{kind!r} is no kind", "write capital letters, digits and _, at most 32, as DRUG", kind=kind[:40])


def rules(found: OwnKinds) -> list[KindRule]:
    """The entries as doors show them: lists, patterns, models."""
    told = [KindRule(number, one.kind, "list", one.file, _options(one)) for number, one in enumerate(found.lists, 1)]
    for number, one in enumerate(found.patterns, len(told) + 1):
        beside = [f"{name} {text}" for name, text in (("before", one.before), ("after", one.after)) if text]
        also = [f"verifies {', '.join(one.verifies)}"] if one.verifies else []
        told.append(KindRule(number, one.kind, "pattern", one.pattern, "; ".join([*beside, *also])))
    for number, model in enumerate(found.models, len(told) + 1):
        told.append(KindRule(number, " ".join(model.kinds), "model", model.file, ""))
    return told


def _options(one: OwnList) -> str:
    return ", ".join(name for name in ("case", "accents", "inflected", "verified", "titles") if getattr(one, name))


def add(path: Path, entry: OwnEntry) -> OwnKinds:
    """Add an entry to a file, which is begun where there is none; comments and other entries stay. Raises UsageError."""
    _check(entry, path.parent)
    name = {OwnList: "list", OwnPattern: "pattern", OwnModel: "model"}[type(entry)]

    def change(document: tomlkit.TOMLDocument) -> None:
        if name not in document:
            document[name] = tomlkit.aot()
        table = tomlkit.table()
        for key, value in msgspec.to_builtins(entry).items():
            table[key] = list(value) if isinstance(value, tuple) else value
        document[name].append(table)

    return _changed(path, change)


def remove(path: Path, numbers: Sequence[int]) -> OwnKinds:
    """Take entries out by their numbers; raises UsageError where there is none of a number."""
    there = load(path)
    for number in numbers:
        if not 1 <= number <= len(there):
            raise UsageError("there is no entry {number}", "see them with: trasmallo kinds DIR", number=number)

    def change(document: tomlkit.TOMLDocument) -> None:
        for number in sorted(set(numbers), reverse=True):
            name, place = _placed(there, number)
            entries: Any = document[name]
            del entries[place]
        for name in [name for name in ("list", "pattern", "model") if name in document and not document[name]]:
            del document[name]

    return _changed(path, change)


def _placed(there: OwnKinds, number: int) -> tuple[str, int]:
    """The table that has an entry, and its place there."""
    place = number - 1
    for name, entries in (("list", there.lists), ("pattern", there.patterns)):
        if place < len(entries):
            return name, place
        place -= len(entries)
    return "model", place


def _changed(path: Path, change: Any) -> OwnKinds:
    with locked(path.parent), disk_errors(path):
        load(path)  # what is broken is told before it is changed
        try:
            document = tomlkit.parse(path.read_text(encoding="utf-8-sig") if path.exists() else _HEAD)
            change(document)
            text = tomlkit.dumps(document)
        except TOMLKitError as error:
            raise ConfigError("cannot change {path} ({error})", "edit it by hand", path=path, error=error) from None
        found = _checked(tomllib.loads(text), path)
        write_whole(path, text.encode())
    return found


def digest(path: Path) -> str:
    """Changes when the file does, or a list or model that it names; "" without any."""
    if not is_there(path):
        return ""
    made = xxhash.xxh3_64(path.read_bytes())
    try:
        found = load(path)
        for file in (*(one.file for one in found.lists), *(one.file for one in found.models)):
            made.update((path.parent / file).read_bytes())
    except (UsageError, ConfigError, OSError):
        pass  # a broken file is told by who uses it
    return made.hexdigest()
