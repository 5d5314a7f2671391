"""Deaths of reading processes, remembered with the run: how often one died at a page that it read alone.

A page is not to blame for who dies beside it, or for what is killed from outside. So one at which a process died is read again,
alone, in a process that has read nothing before; after `MOST_DEATHS` it is left to the next session, which reads it once more.
Until a session reads it well, it counts as dropped with the cause of its last death. The file holds one JSON object: deaths by
document; what is damaged there costs another try and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.store.parts import document_id
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE

MOST_DEATHS = 3  # judgement: one is an accident, two may be

_DOCUMENT_DIGITS = 16  # hexadecimal, see `document_id`


class Deaths:
    """The deaths of a run, kept in the file `path`; None keeps them as long as the object lives."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._counts = _read(path) if path else {}

    @property
    def documents(self) -> list[str]:
        """Documents at which processes died and that nobody has read well since."""
        return sorted(self._counts)

    def at(self, url: str) -> int:
        """How often a process died at a page that it read alone."""
        return self._counts.get(document_id(url), 0)

    def add(self, url: str) -> int:
        """One more; how many there are now."""
        count = self._counts[document_id(url)] = self.at(url) + 1
        self._write()
        return count

    def forget(self, url: str) -> None:
        """The page was read, or dropped for a reason of its own."""
        if self._counts.pop(document_id(url), 0):
            self._write()

    def _write(self) -> None:
        if self._path is not None:
            write_whole(self._path, msgspec.json.encode(self._counts))


def _read(path: Path) -> dict[str, int]:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    except (OSError, *UNDECODABLE):
        return {}
    return {document: count for document, count in found.items() if _is_document(document)}


def _is_document(text: str) -> bool:
    return len(text) == _DOCUMENT_DIGITS and set(text) <= set("0123456789abcdef")
