"""Line groups: lines of concordances that somebody put together under a name, kept beside the results and not in them.

Each group is a file of JSON Lines in the folder `line-groups` of a project, which other programs can read. A line is known by
its document, its place in that document's text, and the letters around it, so that it is found again when the collection is
studied anew or the page has changed; see `results.concordance.marked_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import NotFound, StoreDamaged, UsageError, disk_errors
from trasmallo.values.folder_lock import locked
from trasmallo.values.nearest import nearest

FOLDER = "line-groups"
MOST = 200_000
"""Lines of a group at most. Judgement: more than anybody reads; 100 MB."""

_ENDING = ".jsonl"
_NAME = re.compile(r"[^\W_][\w .-]{0,59}")


class MarkedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a group: `start` and `end` are the hit's place in the text of its document, of which `digest` tells the state.

    `left` and `right` are letters of the text around the hit, `query` is what found it, `when` a time as ISO 8601 writes it.
    """

    url: str
    document: str
    start: int
    end: int
    hit: str
    left: str
    right: str
    digest: str
    title: str = ""
    query: str = ""
    when: str = ""

    @property
    def place(self) -> tuple[str, int, int]:
        """By what it is one line."""
        return self.document, self.start, self.end


def group_names(project: Path) -> list[str]:
    """The groups of a project in alphabetical order."""
    folder = project / FOLDER
    return sorted(path.name.removesuffix(_ENDING) for path in folder.glob(f"*{_ENDING}")) if folder.is_dir() else []


def groups_stamp(project: Path) -> tuple[tuple[str, int, int], ...]:
    """Changes when a group does."""
    folder = project / FOLDER
    found = [(path.name, path.stat()) for path in sorted(folder.glob(f"*{_ENDING}"))] if folder.is_dir() else []
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in found)


def read_group(project: Path, name: str) -> list[MarkedLine]:
    """The lines of a group in the order in which they came; raises NotFound that names the nearest, or StoreDamaged."""
    path = _path(project, name)
    try:
        return msgspec.json.Decoder(decodable(MarkedLine)).decode_lines(path.read_bytes())
    except FileNotFoundError:
        known = group_names(project)
        near = nearest(name, known) if known else ""
        repair = "did you mean {near!r}? `trasmallo groups DIR` lists them" if near else "make one with: trasmallo kwic --into"
        raise NotFound("there is no line group {name!r}", repair, name=name[:80], near=near) from None
    except UNDECODABLE as error:
        mend = "mend that line of the file, or remove the file and the group with it"
        raise StoreDamaged("{path} is damaged ({error})", mend, path=path, error=error) from None


def put_into(project: Path, name: str, lines: Iterable[MarkedLine]) -> int:
    """Add lines to a group, which is made where there is none; how many of them were not in it."""
    with _changing(project) as folder:
        known = {one.place: one for one in read_group(project, name)} if _path(project, name).exists() else {}
        before = len(known)
        for one in lines:
            known.setdefault(one.place, one)
        if len(known) > MOST:
            repair = "take a sample, or another group"
            raise UsageError("{name!r} would have more than {most:,} lines", repair, name=name, most=MOST)
        _write(folder, name, known.values())
    return len(known) - before


def take_out_of(project: Path, name: str, places: Iterable[tuple[str, int, int]]) -> int:
    """Take lines out of a group by their places; how many were in it. The group stays, even if nothing is left in it."""
    gone = set(places)
    with _changing(project) as folder:
        known = read_group(project, name)
        kept = [one for one in known if one.place not in gone]
        _write(folder, name, kept)
    return len(known) - len(kept)


def rename_group(project: Path, name: str, new: str) -> None:
    """Give a group another name; raises UsageError where that is taken."""
    with _changing(project):
        read_group(project, name)
        if _path(project, new).exists():
            raise UsageError("there is a line group {new!r} already", "choose another name, or remove that one", new=new)
        _path(project, name).rename(_path(project, new))


def remove_group(project: Path, name: str) -> int:
    """Forget a group, and tell how many lines it had; the documents stay."""
    with _changing(project):
        number = len(read_group(project, name))
        _path(project, name).unlink()
    return number


def checked_group(name: str) -> str:
    """The name of a group; raises UsageError for what cannot be one."""
    if not _NAME.fullmatch(name) or name != name.strip():
        raise UsageError(
            "{name!r} is no name for a line group",
            "begin with a letter or digit; blanks, -, _ and . may follow",
            name=name[:80],
        )
    return name


def _path(project: Path, name: str) -> Path:
    return project / FOLDER / (checked_group(name) + _ENDING)


@contextmanager
def _changing(project: Path) -> Iterator[Path]:
    """The folder of the groups, for one program at a time: two windows that mark the same lines mark them once."""
    folder = project / FOLDER
    with disk_errors(folder):
        folder.mkdir(exist_ok=True, mode=0o700)
        with locked(folder):
            yield folder


def _write(folder: Path, name: str, lines: Iterable[MarkedLine]) -> None:
    write_whole(_path(folder.parent, name), msgspec.json.Encoder().encode_lines(lines))
