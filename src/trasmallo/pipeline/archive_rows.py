"""Rows of the catalog as the archive tells them: of answers, of failures, and of the runs themselves.

The archive alone says all that the catalog does. Answers are records of their own; who asked, and what they were asked for as,
is in their heads. Addresses that brought no answer, what a run says of itself, and files and messages that stay where they are,
are metadata records about the names `OUTCOMES`, `RUNS` and `ORIGINALS`, which programs that read WARC files pass over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from trasmallo.crawl.outcomes import location_of, media_of, outcome_of, validators_of
from trasmallo.store.archive import Archive
from trasmallo.store.run_folders import Manifest
from trasmallo.store.warc import CONVERSION, WarcRecord, parse_lines
from trasmallo.values.access import Access
from trasmallo.values.decodable import decodable
from trasmallo.values.model import NO_ORIGIN, Fetch, Locator, Origin, Outcome, Response

OUTCOMES, RUNS, ORIGINALS = "urn:trasmallo:outcomes", "urn:trasmallo:runs", "urn:trasmallo:originals"
RULES_ROLE, PAGE_ROLE = "rules", "page"
RULES = "/robots.txt"
_NAMES = frozenset(outcome.value for outcome in Outcome)

_MEASURED = 1_000_000
"""Parts of a second that a WARC file tells."""


class KnownRows(Protocol):
    """Rows that were made before."""

    def versions(self, url: str) -> Iterator[Fetch]:
        """Rows of a URL, newest first."""

    def with_digest(self, digest: str) -> Fetch | None:
        """A row whose payload is stored, None when there is none or it is not known here."""


class _Failed(msgspec.Struct, array_like=True):
    at: float
    outcome: Outcome
    url: str
    cause: str
    origin: Origin = NO_ORIGIN
    access: Access | None = None
    status: int = 0
    size: int = 0


def entries_of(run: str) -> str:
    """The name under which the catalog and the archive keep what feeds of a run say in the place of pages.

    Nobody asked for these addresses, so that they count neither for the run's limits nor for how its addresses ended.
    """
    return f"{run} entries"


def archived_time(at: float) -> float:
    """A time as the archive keeps it, so that a row is the same whoever makes it."""
    return round(at * _MEASURED) / _MEASURED


def append_failures(archive: Archive, run: str, failures: Sequence[Fetch]) -> None:
    """Write down that addresses brought no answer, or one that is not kept."""
    if failures:
        rows = (msgspec.json.encode(_failed(fetch)).decode() for fetch in failures)
        archive.append_metadata(OUTCOMES, (("run", run), *(("failed", row) for row in rows)), at=failures[-1].at)


def append_originals(archive: Archive, run: str, rows: Sequence[Fetch]) -> None:
    """Write down rows of files and messages that stay where they are."""
    if rows:
        told = (("row", msgspec.json.encode(row).decode()) for row in rows)
        archive.append_metadata(ORIGINALS, (("run", run), *told), at=rows[-1].at)


def originals_in(record: WarcRecord) -> tuple[str, list[Fetch]]:
    """The run and the rows in a record about `ORIGINALS`."""
    pairs = parse_lines(record.body.decode("utf-8", "replace"))
    rows = [msgspec.json.decode(value, type=decodable(Fetch)) for name, value in pairs if name == "row"]
    return next((value for name, value in pairs if name == "run"), ""), rows


def append_run(archive: Archive, manifest: Manifest, at: float) -> None:
    """Write down what a run says of itself."""
    archive.append_metadata(RUNS, (("run", msgspec.json.encode(manifest).decode()),), at=at)


def role_of(url: str) -> str:
    """What a page must say that it was asked for as; the rules of hosts have such addresses, too."""
    return PAGE_ROLE if url.endswith(RULES) else ""


def is_page(record: WarcRecord) -> bool:
    """Whether a record is the answer to a page of a run; those of the first version do not say what they were asked for as."""
    if record.kind == CONVERSION:
        return bool(record.run)
    if record.kind not in ("response", "revisit") or not record.run:
        return False
    return record.role == PAGE_ROLE or not (record.role or record.url.endswith(RULES))


def failures_in(record: WarcRecord) -> tuple[str, list[Fetch]]:
    """The run and the rows in a record about `OUTCOMES`."""
    pairs = parse_lines(record.body.decode("utf-8", "replace"))
    failed = (msgspec.json.decode(value, type=decodable(_Failed)) for name, value in pairs if name == "failed")
    return next((value for name, value in pairs if name == "run"), ""), [_row_of_failure(row) for row in failed]


def _failed(fetch: Fetch) -> _Failed:
    return _Failed(
        at=fetch.at,
        outcome=fetch.outcome,
        url=fetch.url,
        cause=fetch.cause,
        origin=fetch.origin,
        access=fetch.access,
        status=fetch.status,
        size=fetch.size,
    )


def _row_of_failure(row: _Failed) -> Fetch:
    return Fetch(
        url=row.url,
        at=row.at,
        outcome=row.outcome,
        status=row.status,
        size=row.size,
        cause=row.cause,
        origin=row.origin,
        access=row.access,
    )


def runs_in(record: WarcRecord) -> Iterator[Manifest]:
    """What runs say of themselves in a record about `RUNS`."""
    for name, value in parse_lines(record.body.decode("utf-8", "replace")):
        if name == "run":
            yield msgspec.json.decode(value, type=decodable(Manifest))


def judged_as(answer: Response, outcome: Outcome, cause: str) -> str:
    """What the record of an answer must say that it was found to be: "" where its status tells the same."""
    return "" if (outcome, cause) == outcome_of(answer) else f"{outcome.value}: {cause}"


def _outcome_in(record: WarcRecord, answer: Response) -> tuple[Outcome, str]:
    """What an answer was found to be when it came; a judgement that only a later version knows is left to the status."""
    name, _, cause = record.judged.partition(": ")
    return (Outcome(name), cause) if name in _NAMES else outcome_of(answer)


def row_of_answer(
    answer: Response, outcome: Outcome, cause: str, *, locator: Locator, digest: str, size: int, origin: Origin
) -> Fetch:
    """The row of an answer that is stored."""
    location = location_of(answer) if outcome is Outcome.REDIRECTED else ""
    etag, modified = validators_of(answer) if outcome.obtained else ("", "")
    return Fetch(
        url=answer.url,
        at=archived_time(answer.at),
        outcome=outcome,
        status=answer.status,
        media=media_of(answer),
        digest=digest,
        size=size,
        locator=locator,
        location=location,
        cause=cause,
        origin=origin,
        etag=etag,
        modified=modified,
        access=answer.access,
    )


def unchanged_row(answer: Response, known: Fetch, origin: Origin) -> Fetch:
    """The row of an answer that says that the page is as it was."""
    etag, modified = validators_of(answer)
    return msgspec.structs.replace(
        known,
        url=answer.url,
        at=archived_time(answer.at),
        outcome=Outcome.UNCHANGED,
        status=answer.status,
        location="",
        cause="",
        origin=origin,
        etag=etag or known.etag,
        modified=modified or known.modified,
        access=answer.access or known.access,
    )


def answer_of(record: WarcRecord, body: bytes = b"", content: bytes = b"") -> Response:
    """The answer in a record."""
    return Response(
        url=record.url,
        at=record.at,
        status=record.status,
        reason=record.reason,
        headers=record.headers,
        body=body,
        content=content,
        address=record.field("WARC-IP-Address"),
        access=record.access,
    )


def revisit_row(answer: Response, same: Fetch, origin: Origin, judged: tuple[Outcome, str] | None = None) -> Fetch:
    """The row of an answer whose payload is that of an earlier one, `same`; what its own head does not say that one says.

    `judged` is what the answer was found to be, None when its status tells.
    """
    if not answer.status:
        return msgspec.structs.replace(same, url=answer.url, at=archived_time(answer.at), origin=origin, access=answer.access)
    outcome, cause = judged or outcome_of(answer)
    if outcome is Outcome.UNCHANGED:
        return unchanged_row(answer, same, origin)
    assert same.locator is not None, "only what is stored is referred to"
    row = row_of_answer(answer, outcome, cause, locator=same.locator, digest=same.digest, size=same.size, origin=origin)
    return row if row.media else msgspec.structs.replace(row, media=same.media)


def row_of_record(record: WarcRecord, place: Locator, known: KnownRows) -> Fetch | None:
    """The row that an answer in the archive had, None for a revisit of nothing that is there."""
    answer = answer_of(record)
    judged = _outcome_in(record, answer)
    if record.kind in ("response", CONVERSION):
        outcome, cause = judged
        size = len(record.body)
        return row_of_answer(answer, outcome, cause, locator=place, digest=record.digest, size=size, origin=record.origin)
    same = _original(record, known)
    return revisit_row(answer, same, record.origin, judged) if same else None


def _original(record: WarcRecord, known: KnownRows) -> Fetch | None:
    """The row of the answer that a revisit refers to."""
    told = record.original
    versions = (fetch for fetch in known.versions(told.url) if fetch.at <= told.at) if told else ()
    stored = next((fetch for fetch in versions if fetch.locator is not None), None)
    return stored or (known.with_digest(record.digest) if record.digest else None)
