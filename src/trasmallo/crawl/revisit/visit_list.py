"""The visits of a run as a file: what is to be asked for again, a JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import REBUILD, StoreDamaged
from trasmallo.values.model import NO_ORIGIN, Origin, Target


class ListedVisit(msgspec.Struct, frozen=True, omit_defaults=True):
    """An address to visit and where it comes from; `age` is the expected age of its copy in days.

    `row` is the number in the catalog of the newest version that is stored, 0 for none.
    """

    url: str
    origin: Origin = NO_ORIGIN
    age: float = 0.0
    row: int = 0

    @property
    def target(self) -> Target:
        """What the frontier takes."""
        origin = self.origin
        return Target(self.url, origin.depth or 0, via=origin.via, seed=origin.seed, reached=origin.reached)


def write_visits(path: Path, visits: Iterable[ListedVisit]) -> None:
    """Write the visits of a run, all or none."""
    write_whole(path, msgspec.json.Encoder().encode_lines(list(visits)))


def listed_visits(path: Path) -> list[ListedVisit]:
    """The visits of a run, the most urgent first."""
    decoder = msgspec.json.Decoder(decodable(ListedVisit))
    try:
        return [decoder.decode(line) for line in path.read_bytes().splitlines()]
    except (FileNotFoundError, *UNDECODABLE) as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None
