"""Marks of the user, a line each in a file of the project: the only thing here that cannot be made again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from trasmallo.crawl.focus.topic import Mark, standing
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreDamaged, disk_errors

FILE_NAME = "marks.jsonl"
MOST_MARKS = 100_000
"""Marks that are read, the last ones. Judgement: more than a person makes."""

_MOST_TOLD = 1_000  # judgement: marks that workers of other machines are told
_REPAIR = "remove the damaged line; the others count"


class MarksFile:
    """The file as a crawl follows it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None

    def has_changed(self) -> bool:
        """Whether a mark came since the last reading."""
        return self._state() != self._seen

    def read(self) -> dict[str, bool]:
        """The marks that count; a crawl goes on without a line that is damaged, of which the commands tell."""
        self._seen = self._state()
        return standing(list(read_marks(self._path, skips_damage=True)))

    def _state(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_size, found.st_mtime_ns


def read_marks(path: Path, *, skips_damage: bool = False) -> Iterator[Mark]:
    """All marks, the oldest first; a last line without an end is still being written. Raises StoreDamaged unless it skips."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return
    for number, line in enumerate(lines[-MOST_MARKS:], 1 + max(0, len(lines) - MOST_MARKS)):
        try:
            yield msgspec.json.decode(line, type=decodable(Mark))
        except UNDECODABLE as error:
            if skips_damage:
                continue
            raise StoreDamaged(
                "{path} is damaged in line {number} ({error})", _REPAIR, path=path, number=number, error=error
            ) from None


def add_mark(path: Path, url: str, *, on_topic: bool | None) -> Mark:
    """Note a mark; None takes back what was said of a page."""
    mark = Mark(url=url, on_topic=on_topic, at=time.time())
    with disk_errors(path), path.open("ab") as file:
        file.write(msgspec.json.encode(mark) + b"\n")
    return mark


def last_marks(marks: dict[str, bool]) -> dict[str, bool]:
    """The last marks, as many as workers of other machines are told: a window has no room for more."""
    return dict(list(marks.items())[-_MOST_TOLD:])
