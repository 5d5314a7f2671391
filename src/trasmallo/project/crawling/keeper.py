"""Keeps what the crawl brings: the record into the archive, then the row into the catalog, then the page to the readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from trasmallo.crawl.answers import location_of, media_of
from trasmallo.model import Failure, Fetch, Outcome, Response, Target
from trasmallo.store.archive import Archive
from trasmallo.store.warc import payload_digest

_SMALLEST_REVISIT = 512
"""Bytes; a revisit record of its own costs about as much as a smaller payload."""

_MOST_MISSED = 2_000
_SETTLED = frozenset({Outcome.FETCHED, Outcome.REDIRECTED, Outcome.MISSING})
"""Outcomes that asking again would not change."""


class Rows(Protocol):
    """Where the rows go: the catalog, or in a process that crawls a share of the hosts what brings them there."""

    def put_many(self, fetches: Sequence[Fetch], run: str) -> None:
        """Keep rows, all or none."""

    def versions(self, url: str) -> Iterator[Fetch]:
        """Earlier rows of a URL, newest first."""

    def with_digest(self, digest: str) -> Fetch | None:
        """A row whose payload is stored, None when there is none or it is not known here."""

    def of_run(self, run: str) -> Iterator[Fetch]:
        """The rows of a run from before this sitting."""


class Keeper:
    """The only writer of its archive and rows during a run, which began at `began`.

    `obtained` is called with each page that can be read now.
    """

    def __init__(
        self, archive: Archive, catalog: Rows, run: str, obtained: Callable[[Fetch], None], began: float = 0.0
    ) -> None:
        self._began = began
        self._missed = 0
        self._archive = archive
        self._catalog = catalog
        self._run = run
        self._obtained = obtained
        self._rows: list[Fetch] | None = None
        self._fresh: dict[str, Fetch] = {}

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is kept inside is stored with few writes when it ends; until then nothing of it is safe."""
        rows = self._rows = []
        try:
            with self._archive.together():
                yield
        finally:
            self._rows = None
            self._fresh.clear()
        self._put(rows)

    def keep(self, target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
        """Store an answer or the lack of one; afterwards it survives the death of the program."""
        if isinstance(answer, Failure):
            fetch = Fetch(target.url, answer.at, outcome, cause=cause)
        else:
            fetch = self._stored(answer, outcome, cause)
        if self._rows is None:
            self._put((fetch,))
        else:
            self._rows.append(fetch)
            if fetch.locator is not None:
                self._fresh.setdefault(fetch.digest, fetch)
        return fetch

    def _put(self, rows: Sequence[Fetch]) -> None:
        self._catalog.put_many(rows, self._run)
        for fetch in rows:
            if fetch.outcome.obtained and fetch.locator is not None:
                self._obtained(fetch)

    def recall(self, url: str) -> tuple[Response, Fetch] | None:
        """What this run stored for a URL in a sitting that was killed before it could finish it.

        Those URLs are asked for first, so that after many in a row without a row nothing is looked up any more.
        """
        if self._missed > _MOST_MISSED:
            return None
        fetch = next((row for row in self._catalog.versions(url) if row.at >= self._began), None)
        if fetch is None or fetch.locator is None or fetch.outcome not in _SETTLED:
            self._missed += 1
            return None
        self._missed = 0
        record = self._archive.read(fetch.locator)
        content = record.content()
        if content is None:
            return None
        return Response(url, fetch.at, fetch.status, record.reason, record.headers, record.body, content), fetch

    def earlier(self) -> Iterator[Fetch]:
        """What this run has brought in earlier sittings."""
        return self._catalog.of_run(self._run)

    def keep_rules(self, answer: Response) -> None:
        """Store a robots.txt: evidence of what a site allowed, no page of the corpus."""
        self._archive.append(answer, run=self._run)

    def _stored(self, answer: Response, outcome: Outcome, cause: str) -> Fetch:
        if outcome is Outcome.UNCHANGED and (known := self._last_obtained(answer.url)):
            self._archive.append_revisit(answer, known, run=self._run)
            return Fetch(answer.url, answer.at, outcome, answer.status, known.media, known.digest, known.size, known.locator)
        digest = payload_digest(answer.body)
        known = self._with_digest(digest) if len(answer.body) >= _SMALLEST_REVISIT else None
        if known is not None and known.locator is not None:
            self._archive.append_revisit(answer, known, run=self._run)
            locator = known.locator
        else:
            locator, digest = self._archive.append(answer, run=self._run, digest=digest)
        location = location_of(answer) if outcome is Outcome.REDIRECTED else ""
        return Fetch(
            answer.url, answer.at, outcome, answer.status, media_of(answer), digest, len(answer.body), locator, location, cause
        )

    def _with_digest(self, digest: str) -> Fetch | None:
        return self._fresh.get(digest) or self._catalog.with_digest(digest)

    def _last_obtained(self, url: str) -> Fetch | None:
        return next((fetch for fetch in self._catalog.versions(url) if fetch.locator is not None), None)
