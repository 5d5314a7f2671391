"""What a crawl asks of whoever stores pages for it; the pipeline's keeper answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from trasmallo.values.model import Failure, Fetch, Locator, Outcome, Response, Target


class RobotsStorage(Protocol):
    """Where answers to requests for robots.txt are kept as evidence."""

    def keep_rules(self, answer: Response) -> Locator:
        """Store such an answer; where it is."""

    def reread(self, place: Locator) -> Response | None:
        """The answer at a place; None when it unpacks to more than anybody would read."""


class PageStorage(RobotsStorage, Protocol):
    """Where pages are kept before their targets are finished."""

    def keep(self, target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
        """Store an answer or the lack of one; afterwards it survives the death of the program."""

    def together(self) -> AbstractContextManager[None]:
        """What is kept inside is stored with few writes when it ends; until then nothing of it is safe."""

    def recall(self, url: str) -> tuple[Response, Fetch] | None:
        """What was stored for a URL by a session that was killed before it could finish it."""

    def expect(self, rows: Mapping[str, int]) -> None:
        """Which rows hold the newest stored versions of URLs that will be asked for."""

    def prepare(self, urls: Sequence[str]) -> None:
        """Have the newest stored versions at hand of URLs that are asked for next."""

    def last_obtained(self, url: str) -> Fetch | None:
        """The newest version of a URL that is stored, of whichever run; None when there is none."""

    def knows(self, url: str) -> bool:
        """Whether any run has obtained a URL."""

    def earlier(self) -> Iterator[Fetch]:
        """What this run has brought in earlier sessions."""
