"""What a person decided about entities: one file for all runs of a project, to be edited by hand and shared.

`entities.tsv` in the project's folder has a line a decision, in their order, apart by tabs: what is done (merge, split, block,
kind), the kind, the entity, and by the first column: the name that it is one with, the spelling that is not it, nothing, or the
kind that it is; then when. A line that begins with `#` is a comment. Decisions are about names, so they hold for later runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.folder_lock import locked

FILE_NAME = "entities.tsv"
Act = Literal["merge", "split", "block", "kind"]
ACTS: tuple[str, ...] = get_args(Act)
_HEAD = "# act\tkind\tentity\tother\twhen\n"
_LARGEST = 64 << 20
"""Bytes of a file of decisions at most. Judgement."""
_LONGEST = 1_000
"""Characters of a name."""


class EntityDecision(msgspec.Struct, frozen=True):
    """A decision: `other` is the name that `entity` is one with (merge), a spelling that is not it (split), or a kind."""

    act: Act
    kind: str
    entity: str
    other: str = ""
    when: str = ""


class Renamed(NamedTuple):
    """What mentions of an entity are in the end: a name and kind; `blocked` where they are no entity."""

    entity: str
    kind: str
    name: str
    new_kind: str
    blocked: bool


class Split(NamedTuple):
    """A spelling that is not the entity which it was taken for."""

    entity: str
    kind: str
    written: str


def load(folder: Path) -> list[EntityDecision]:
    """The decisions of a project in their order; raises UsageError with the line and the repair."""
    path = folder / FILE_NAME
    return [one for _, one in _lines(path) if one is not None] if path.exists() else []


def stamp(folder: Path) -> tuple[int, ...]:
    """Changes when the file does; (0,) while there is none."""
    try:
        found = (folder / FILE_NAME).stat()
    except OSError:
        return (0,)
    return found.st_mtime_ns, found.st_size, found.st_ino


def decide(folder: Path, decisions: Iterable[EntityDecision]) -> list[EntityDecision]:
    """Add decisions; raises UsageError before anything is written when one of them cannot be."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    given = [msgspec.structs.replace(_checked(one), when=when) for one in decisions]
    path = folder / FILE_NAME
    with locked(folder), disk_errors(path):
        before = "".join(f"{line}\n" for line, _ in _lines(path)) if path.exists() else _HEAD
        write_whole(path, (before + "".join(map(_written, given))).encode())
    return given


def undo(folder: Path) -> EntityDecision | None:
    """Take the last decision back; it, or None when there is none."""
    path = folder / FILE_NAME
    with locked(folder), disk_errors(path):
        lines = list(_lines(path)) if path.exists() else []
        last = max((place for place, (_, one) in enumerate(lines) if one is not None), default=-1)
        if last < 0:
            return None
        kept = [line for place, (line, _) in enumerate(lines) if place != last]
        write_whole(path, "".join(f"{line}\n" for line in kept).encode())
    return lines[last][1]


def resolved(decisions: Sequence[EntityDecision]) -> tuple[list[Renamed], list[Split]]:
    """What becomes of each entity that was decided about: later decisions win, and chains of merges are followed."""
    names: dict[tuple[str, str], str] = {}
    kinds: dict[tuple[str, str], str] = {}
    blocked: set[tuple[str, str]] = set()
    splits: dict[Split, None] = {}
    for one in decisions:
        key = (one.entity, one.kind)
        if one.act == "merge":
            names[key] = one.other
            blocked.discard(key)
            names.pop((one.other, one.kind), None)  # the name that both have now is no longer another's
        elif one.act == "split":
            splits[Split(one.entity, one.kind, one.other)] = None
            names.pop((one.other, one.kind), None)
        elif one.act == "kind":
            kinds[key] = one.other
        else:
            blocked.add(key)
    decided = dict.fromkeys([*names, *kinds, *sorted(blocked)])
    return [_renamed(key, names, kinds, blocked) for key in decided], list(splits)


def _renamed(
    key: tuple[str, str], names: dict[tuple[str, str], str], kinds: dict[tuple[str, str], str], blocked: set[tuple[str, str]]
) -> Renamed:
    entity, kind = key
    seen, name = {entity}, entity
    while (name, kind) in names and names[name, kind] not in seen:
        name = names[name, kind]
        seen.add(name)
    stopped = not blocked.isdisjoint((one, kind) for one in seen)
    return Renamed(entity, kind, name, kinds.get(key) or kinds.get((name, kind)) or kind, stopped)


def _checked(one: EntityDecision) -> EntityDecision:
    if one.act not in ACTS:
        raise UsageError("{act!r} is no decision", "write one of {acts}", act=one.act[:60], acts=", ".join(ACTS))
    wanted = (one.kind, one.entity, *(() if one.act == "block" else (one.other,)))
    for text in wanted:
        if not text.strip() or not text.isprintable() or len(text) > _LONGEST:
            raise UsageError(
                "{text!r} is no name", "write letters without tabs, at most {longest:,}", text=text[:60], longest=_LONGEST
            )
    if one.act == "merge" and one.entity == one.other:
        raise UsageError("{entity!r} is one with itself", "name another one", entity=one.entity[:60])
    return one


def _lines(path: Path) -> Iterable[tuple[str, EntityDecision | None]]:
    """Every line with its decision, None for a comment or an empty one."""
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError("{path} is too large for decisions", "give a file of at most 64 MB", path=path)
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError("cannot read {path} ({reason})", "give a text file", path=path, reason=error.strerror) from None
    except UnicodeDecodeError:
        raise UsageError("{path} is not UTF-8 text", "save the file as UTF-8", path=path) from None
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        line = line.rstrip("\r")
        yield line, None if not line.strip() or line.startswith("#") else _parsed(line, path, number)


def _parsed(line: str, path: Path, number: int) -> EntityDecision:
    act, kind, entity, other, when = (*(field.strip() for field in line.split("\t")), *[""] * 5)[:5]
    try:
        return _checked(EntityDecision(act, kind, entity, other, when))  # type: ignore[arg-type]
    except UsageError as error:
        raise UsageError(
            "{path}, line {number}: {problem}", error.said.repair, path=path, number=number, problem=error.said.problem
        ) from None


def _written(one: EntityDecision) -> str:
    return "\t".join((one.act, one.kind, one.entity, one.other, one.when)) + "\n"
