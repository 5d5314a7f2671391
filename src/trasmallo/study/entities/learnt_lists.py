"""Names of a kind in the lists of a project: those that are there, and those that a person accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from trasmallo.study.entities.compiled_lists import read_names
from trasmallo.study.entities.own_kinds import OwnKinds, check_kind
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.folder_lock import locked

MOST_SEEDS = 100_000
"""Names of a list that are seeds. Judgement: more of them do not stand in one corpus."""
_LONGEST = 200  # judgement: characters of a name


def listed_names(found: OwnKinds, folder: Path, kind: str) -> Iterator[str]:
    """The names in the lists of a kind; those of lists of titles are none of it."""
    for one in found.lists:
        if one.kind == kind and not one.titles:
            yield from islice(read_names(folder / one.file), MOST_SEEDS)


def add_names(folder: Path, kind: str, names: Sequence[str]) -> str:
    """Add names to `learnt-KIND.txt`, which is begun where there is none; the file's name. Raises UsageError for no name."""
    check_kind(kind)
    for name in names:
        if not name.strip() or not name.isprintable() or len(name) > _LONGEST or name.startswith("#"):
            raise UsageError("{name!r} is no name", "write letters, at most {longest}", name=name[:60], longest=_LONGEST)
    if not names:
        raise UsageError("no name was chosen", "give at least one")
    path = folder / f"learnt-{kind.lower().replace('_', '-')}.txt"
    with locked(folder), disk_errors(path):
        text = path.read_text("utf-8-sig") if path.exists() else ""
        there = set(read_names(path)) if text.strip() else set()
        text = text if not text or text.endswith("\n") else text + "\n"
        new = [name.strip() for name in dict.fromkeys(names) if name.strip() not in there]
        write_whole(path, (text + "".join(f"{name}\n" for name in new)).encode())
    return path.name
