"""Keeps what the crawl brings: the record into the archive, then the row into the catalog, then the page to the readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Protocol

import msgspec

from trasmallo.pipeline.archive_rows import (
    RULES_ROLE,
    KnownRows,
    answer_of,
    append_failures,
    append_originals,
    archived_time,
    is_page,
    judged_as,
    revisit_row,
    role_of,
    row_of_answer,
    row_of_record,
    unchanged_row,
)
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.warc import WarcRecord, payload_digest
from trasmallo.values.errors import StoreError
from trasmallo.values.model import Failure, Fetch, Locator, Origin, Outcome, RenderedPage, Response, Target

_SMALLEST_REVISIT = 512
"""Bytes; a revisit record of its own costs about as much as a smaller payload."""

_MOST_MISSED = 10_000
"""Lookups in vain; with 300 hosts in turn a row was still found after 3,600 of them. They take 20 µs each."""

_SETTLED = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.REDIRECTED, Outcome.MISSING, Outcome.SOFT_404, Outcome.EMPTY})
"""Outcomes that asking again would not change."""

_MOST_ORPHANS = 20_000
"""Records looked at for lost rows; a kill leaves some hundred, with their requests beside them."""


class RowStorage(KnownRows, Protocol):
    """Where the rows go: the catalog, or in a process that crawls a share of the hosts what brings them there."""

    def put_many(self, fetches: Sequence[Fetch], run: str) -> None:
        """Keep rows, all or none."""

    def of_run(self, run: str) -> Iterator[Fetch]:
        """The rows of a run from before this session."""

    def rows(self, numbers: Sequence[int]) -> Iterator[Fetch]:
        """The rows with these numbers from before this session; raises StoreError when one is not known here."""


class Keeper:
    """The only writer of its archive and rows during a run, which began at `began`.

    `obtained` is called with each page that can be read now.
    """

    def __init__(
        self, archive: Archive, catalog: RowStorage, run: str, obtained: Callable[[Fetch], None], began: float = 0.0
    ) -> None:
        self._began = began
        self._adopted: dict[str, Fetch] = {}
        self._missed = 0
        self._archive = archive
        self._catalog = catalog
        self._run = run
        self._obtained = obtained
        self._rows: list[Fetch] | None = None
        self._failures: list[Fetch] = []
        self._fresh: dict[str, Fetch] = {}
        self._expected: Mapping[str, int] = {}
        self._asked_for: dict[str, Fetch] = {}

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is kept inside is stored with few writes when it ends; until then nothing of it is safe."""
        rows = self._rows = []
        try:
            with self._archive.together():
                yield
                self._write_failures()
        finally:
            self._rows = None
            self._failures.clear()
            self._fresh.clear()
        self._put(rows)

    def keep(self, target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
        """Store an answer or the lack of one; afterwards it survives the death of the program."""
        if isinstance(answer, Failure) or outcome is Outcome.OFF_TOPIC:
            fetch = _not_stored(target, answer, outcome, cause)
            self._failures.append(fetch)
        else:
            fetch = self._stored(answer, outcome, cause, target.origin)
        self._asked_for.pop(target.url, None)
        if self._rows is None:
            self._write_failures()
            self._put((fetch,))
        else:
            self._rows.append(fetch)
            if fetch.locator is not None:
                self._fresh.setdefault(fetch.digest, fetch)
        return fetch

    def keep_originals(self, rows: Sequence[Fetch]) -> None:
        """Keep rows of files and messages that stay where they are; afterwards they survive the death of the program."""
        kept = [msgspec.structs.replace(row, at=archived_time(row.at)) for row in rows]
        append_originals(self._archive, self._run, kept)
        self._put(kept)

    def keep_revisit(self, answer: Response, original: Fetch, origin: Origin) -> None:
        """Store that an answer brought the payload of an earlier one."""
        self._archive.append_revisit(answer, original, run=self._run, origin=origin)
        self._catalog.put_many((revisit_row(answer, original, origin),), self._run)

    def _write_failures(self) -> None:
        append_failures(self._archive, self._run, self._failures)
        self._failures.clear()

    def _put(self, rows: Sequence[Fetch]) -> None:
        self._catalog.put_many(rows, self._run)
        for fetch in rows:
            if fetch.outcome.readable and fetch.locator is not None:
                self._obtained(fetch)

    def recall(self, url: str) -> tuple[Response, Fetch] | None:
        """What this run stored for a URL in a session that was killed before it could finish it.

        Those URLs are asked for first, so that after many in a row without a row nothing is looked up any more.
        """
        fetch = self._adopted.pop(url, None) or self._find(url)
        if fetch is None or fetch.locator is None or fetch.outcome not in _SETTLED:
            self._missed += 1
            return None
        self._missed = 0
        answer = self.reread(fetch.locator)
        return (msgspec.structs.replace(answer, url=url, at=fetch.at, status=fetch.status), fetch) if answer else None

    def reread(self, place: Locator) -> Response | None:
        """The answer that a record holds; None when it unpacks to more than anybody would read."""
        record = self._archive.read(place)
        content = record.content()
        if content is None:
            return None
        return answer_of(record, record.body, content)

    def expect(self, rows: Mapping[str, int]) -> None:
        """Say which rows hold the newest stored versions of URLs that will be asked for, so that none is looked for."""
        self._expected = rows

    def prepare(self, urls: Sequence[str]) -> None:
        """Have the newest stored versions at hand of URLs that are asked for next."""
        numbers = sorted(number for url in urls if (number := self._expected.get(url, 0)))
        with suppress(StoreError):  # a catalog that was made again may have fewer rows; then each is looked for
            self._asked_for.update({known.url: known for known in self._catalog.rows(numbers)})

    def last_obtained(self, url: str) -> Fetch | None:
        """The newest version of a URL that is stored, of whichever run; None when there is none.

        What came since, such as an error or a challenge, is not what an answer means that says "as before". It is remembered
        until what became of the URL is kept.
        """
        known = self._asked_for.get(url) or self._newest_stored(url)
        if known is not None:
            self._asked_for[url] = known
        return known

    def _newest_stored(self, url: str) -> Fetch | None:
        return next((fetch for fetch in self._catalog.versions(url) if fetch.outcome.obtained and fetch.locator), None)

    def knows(self, url: str) -> bool:
        """Whether any run has obtained a URL."""
        return self._newest_stored(url) is not None

    def earlier(self) -> Iterator[Fetch]:
        """What this run has brought in earlier sessions, with the rows that were adopted from the archive."""
        adopted = dict(self._adopted)
        for fetch in self._catalog.of_run(self._run):
            adopted.pop(fetch.url, None)
            yield fetch
        yield from adopted.values()

    def adopt(self, orphans: Iterable[tuple[Locator, WarcRecord]]) -> None:
        """Give records of this run the rows that a kill took, before any other is put."""
        for place, record in orphans:
            if record.at >= self._began and is_page(record) and (fetch := self._orphan_row(place, record)):
                self._adopted[fetch.url] = fetch
                self._put((fetch,))

    def keep_rules(self, answer: Response) -> Locator:
        """Store a robots.txt: evidence of what a site allowed, no page of the corpus."""
        return self._archive.append(answer, run=self._run, role=RULES_ROLE)[0]

    def _orphan_row(self, place: Locator, record: WarcRecord) -> Fetch | None:
        """The row that a record had, None when its URL must be asked for."""
        fetch = row_of_record(record, place, self._catalog)
        return fetch if fetch and fetch.outcome in _SETTLED else None

    def _find(self, url: str) -> Fetch | None:
        if self._missed > _MOST_MISSED:
            return None
        return next((row for row in self._catalog.versions(url) if row.at >= self._began), None)

    def _stored(self, answer: Response, outcome: Outcome, cause: str, origin: Origin) -> Fetch:
        if outcome is Outcome.UNCHANGED and (known := self.last_obtained(answer.url)):
            judged = judged_as(answer, outcome, cause)
            self._archive.append_revisit(answer, known, run=self._run, origin=origin, judged=judged)
            return unchanged_row(answer, known, origin)
        if isinstance(answer, RenderedPage):
            return self._stored_rendered(answer, outcome, cause, origin)
        digest, judged = payload_digest(answer.body), judged_as(answer, outcome, cause)
        known = self._with_digest(digest) if len(answer.body) >= _SMALLEST_REVISIT else None
        if known is not None and known.locator is not None:
            self._archive.append_revisit(answer, known, run=self._run, origin=origin, judged=judged)
            locator = known.locator
        else:
            role = role_of(answer.url)
            locator, digest = self._archive.append(
                answer, run=self._run, digest=digest, role=role, origin=origin, judged=judged
            )
        size = len(answer.body)
        return row_of_answer(answer, outcome, cause, locator=locator, digest=digest, size=size, origin=origin)

    def _stored_rendered(self, page: RenderedPage, outcome: Outcome, cause: str, origin: Origin) -> Fetch:
        """Keep a rendered page; it has no validators, since those of the answer say nothing of what its scripts bring."""
        judged = judged_as(page, outcome, cause)
        locator, digest = self._archive.append_rendered(page, run=self._run, origin=origin, judged=judged)
        return row_of_answer(page, outcome, cause, locator=locator, digest=digest, size=len(page.body), origin=origin)

    def _with_digest(self, digest: str) -> Fetch | None:
        return self._fresh.get(digest) or self._catalog.with_digest(digest)


def _not_stored(target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
    """The row of an address without an answer, or of one whose answer is not wanted: that it came counts all the same."""
    status, size = (0, 0) if isinstance(answer, Failure) else (answer.status, len(answer.body))
    return Fetch(
        url=target.url,
        at=archived_time(answer.at),
        outcome=outcome,
        status=status,
        size=size,
        cause=cause,
        origin=target.origin,
        access=answer.access,
    )


def find_orphans(archive: Archive, catalog: Catalog) -> Iterator[tuple[Locator, WarcRecord]]:
    """Records behind the last one with a row: their rows were on their way when the program was killed.

    Rows that say "as before" have the place of the page that they mean, so that after a revisit all its records would lie
    behind; what an archive had when it was closed in order is not looked at again.
    """
    with suppress(StoreError):  # whatever is not found costs one more download
        places = [place for place in (catalog.last_place(archive.owns), archive.closed_at) if place]
        yield from islice(archive.behind(max(places, default=None)), _MOST_ORPHANS)
