"""Raw pages as WARC 1.1: one file where OUT ends in .warc.gz, else a folder of files that are closed at a gigabyte.

Every file begins with a warcinfo record that says where it comes from. A payload that several answers share is stored once in
the project and written whole here with each of them, so that the files stand for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trasmallo.events import Warned
from trasmallo.results.database.deferred import is_lazy
from trasmallo.results.database.planner import Question
from trasmallo.results.exports.header import PAGES, ExportRequest, Header, counted
from trasmallo.results.exports.source import ExportSource
from trasmallo.results.originals import is_original, original_record
from trasmallo.store.archive import PART_ROLE, SOURCE_ROLE, Archive, ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.warc import CONVERSION, NOT_MODIFIED, Pairs, WarcRecord, date_of, first, payload_digest
from trasmallo.values.access import Access
from trasmallo.values.atomic_files import drafted, remove
from trasmallo.values.errors import DocumentError, StoreDamaged, UsageError
from trasmallo.values.model import Fetch, Locator, Response

_SUFFIX = ".warc.gz"
_ROLL_AT = 1_000_000_000  # bytes; the WARC standard recommends files of a gigabyte
_UNLIMITED = 1 << 62  # more bytes than any disk has


def write_warc(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """The latest run's answers with their requests; returns the number of answers. What is damaged is told and left out.

    Without conditions everything that the run stored, robots.txt files and redirects too, which takes reading the archive;
    with conditions the pages that fulfil them, and of a subcorpus its own: the archive has those of others, too.
    """
    wanted.only_conditions("WARC")
    header = Header.of(source, wanted)
    with (
        Catalog(source.store / "catalog", read_only=True) as catalog,
        ArchiveReader(source.store / "archive") as reader,
        _opened(path, header) as out,
    ):
        copier = _Copier(reader, catalog, out, source)
        return copier.copy_pages(wanted.where) if wanted.where or is_lazy(source.run) else copier.copy_run()


@contextmanager
def _opened(path: Path, header: Header) -> Iterator[Archive]:
    """An archive that becomes a file or a folder when all is written."""
    if path.is_dir() and any(path.iterdir()):
        raise UsageError("{path} is not empty", "choose another place, or empty that folder first", path=path)
    alone = path.name.endswith(_SUFFIX)
    with drafted(path) as draft:
        folder = draft.with_name(draft.name + ".files") if alone else draft
        remove(folder)
        try:
            roll_at = _UNLIMITED if alone else _ROLL_AT
            with Archive(folder, software=header.software, roll_at=roll_at, about=_about(header)) as out:
                yield out
            if alone:
                _only_file(folder).replace(draft)
        finally:
            if alone:
                remove(folder)


def _only_file(folder: Path) -> Path:
    files = sorted(folder.glob("*" + _SUFFIX))
    if not files:
        raise UsageError("there is no such page", "see which there are with: trasmallo list DIR pages")
    return files[0]


def _about(header: Header) -> Pairs:
    """The header in the names that the WARC standard has for it."""
    query = header.query or "everything that the run stored"
    return (("isPartOf", f"{header.corpus}, run {header.run}"), ("description", f"exported on {header.date}: {query}"))


class _Copier:
    """Copies records of a project into another archive."""

    def __init__(self, reader: ArchiveReader, catalog: Catalog, out: Archive, source: ExportSource) -> None:
        self._reader = reader
        self._catalog = catalog
        self._out = out
        self._source = source

    def copy_run(self) -> int:
        """Everything that the latest run stored."""
        run = self._source.run.name
        found = self._reader.records(on_damage=self._warn)
        ours = ((locator, record) for locator, record in found if first(record.fields, "Trasmallo-Run") == run)
        copied = sum(self._copied(locator, record) for locator, record in ours)
        originals = (fetch for fetch in self._catalog.all_of_run(run) if is_original(fetch.locator))
        return copied + sum(self._copy_original(fetch) for fetch in originals)

    def copy_pages(self, where: tuple[str, ...]) -> int:
        """The pages of the latest run that fulfil some conditions, in the order of their addresses."""
        with self._source.tables() as tables:
            pages = tables.ask(PAGES, Question(where=where, columns=("url", "at")))
            total = tables.number(PAGES, where)
            return sum(self._copy_page(url, at or 0.0) for url, at in counted(pages, total, self._source.emit))

    def _copy_page(self, url: str, at: float) -> bool:
        fetch = self._catalog.at(url, at)
        if fetch is None or fetch.locator is None:
            self._warn(
                StoreDamaged("{url} is not in the archive any more", "crawl it again with: trasmallo run --new", url=url)
            )
            return False
        if is_original(fetch.locator):
            return self._copy_original(fetch)
        try:
            self._copy_answer(fetch, fetch.locator)
        except StoreDamaged as damage:
            self._warn(damage)
            return False
        return True

    def _copy_original(self, fetch: Fetch) -> bool:
        """What stays where it is, as it is now; one that has changed since is told and left out."""
        try:
            record = original_record(fetch)
        except DocumentError as damage:
            self._warn(damage)
            return False
        self._write_whole(fetch.url, fetch.at, record, record, fetch.access, digest=payload_digest(record.body))
        return True

    def _copy_answer(self, fetch: Fetch, locator: Locator) -> None:
        """The answer of a fetch; one whose payload lies with another answer is written anew."""
        record = self._reader.read(locator)
        if (record.url, date_of(record.at)) != (fetch.url, date_of(fetch.at)):
            self._write_whole(fetch.url, fetch.at, record, record, fetch.access)
            return
        self._out.copy(self._reader, locator)
        following = self._reader.following(locator)
        if following and following[1].field("WARC-Concurrent-To") == record.id:
            self._out.copy(self._reader, following[0])

    def _copied(self, locator: Locator, record: WarcRecord) -> bool:
        """Take a record over where the payload that it refers to can be read; whether it is an answer."""
        try:
            return self._copy_record(locator, record)
        except StoreDamaged as damage:
            self._warn(damage)
            return False

    def _copy_record(self, locator: Locator, record: WarcRecord) -> bool:
        """Take a record over; whether it is an answer."""
        known = self._catalog.with_digest(record.digest) if record.kind == "revisit" else None
        if known is None or known.locator is None or record.field("WARC-Profile") == NOT_MODIFIED:
            if known is not None and known.locator is not None:
                self._out.copy(self._reader, known.locator)
            self._out.copy(self._reader, locator)
        else:
            self._write_whole(record.url, record.at, record, self._reader.read(known.locator), record.access)
        return record.kind in ("response", "revisit", CONVERSION) and record.role not in (SOURCE_ROLE, PART_ROLE)

    def _write_whole(
        self, url: str, at: float, head: WarcRecord, payload: WarcRecord, access: Access | None, digest: str = ""
    ) -> None:
        """An answer of the head of one record and the body of another, with its own rights."""
        address, run = head.field("WARC-IP-Address"), head.field("Trasmallo-Run")
        whole = Response(
            url=url,
            at=at,
            status=head.status,
            reason=head.reason,
            headers=head.headers,
            body=payload.body,
            content=b"",
            address=address,
            access=access,
        )
        self._out.append(whole, run=run, digest=digest or payload.digest)

    def _warn(self, damage: StoreDamaged | DocumentError) -> None:
        self._source.emit(Warned(message=str(damage)))
