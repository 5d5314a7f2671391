"""Cache of the robots.txt files that a run was given: a line a host leads to its record, so a resumed crawl need not ask."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec

from trasmallo.crawl.storage import RobotsStorage
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.model import Locator, Response

_MOST_HOSTS = 20_000
"""Hosts remembered from before, the last ones; about 300 bytes each. `rules` keeps as many."""


class RobotsCache:
    """Cache of the answers that `robots_rules` sees, in the archive and a file of its own; a context manager."""

    def __init__(self, path: Path, storage: RobotsStorage, *, most: int = _MOST_HOSTS) -> None:
        self._path = path
        self._storage = storage
        self._places = _read(path, most)
        self._encode = msgspec.json.Encoder().encode
        with disk_errors(path):
            self._file: BinaryIO = path.open("ab", buffering=0)
            if self._file.tell():
                self._file.write(b"\n")  # ends what a kill may have torn

    def __enter__(self) -> RobotsCache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def keep(self, host: str, answer: Response) -> None:
        """Store an answer on the way to the rules of a host; the last one is what will be recalled."""
        place = self._storage.keep_rules(answer)
        with disk_errors(self._path):
            self._file.write(self._encode((host, place)) + b"\n")

    def recall(self, host: str) -> Response | None:
        """The last answer of an earlier session, once; None without one."""
        place = self._places.pop(host, None)
        if place is not None:
            with suppress(StoreError):  # then the host is asked
                return self._storage.reread(place)
        return None


def _read(path: Path, most: int) -> OrderedDict[str, Locator]:
    """The place of each host's last answer; torn lines are passed over."""
    places: OrderedDict[str, Locator] = OrderedDict()
    if not path.exists():
        return places
    decode = msgspec.json.Decoder(decodable(tuple[str, Locator])).decode
    with disk_errors(path), path.open("rb") as file:
        for line in file:
            with suppress(*UNDECODABLE):
                host, place = decode(line)
                places[host] = place
                places.move_to_end(host)
                if len(places) > most:
                    places.popitem(last=False)
    return places
