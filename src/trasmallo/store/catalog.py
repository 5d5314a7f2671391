"""The catalog: every asking for every URL, found by URL and time, by payload or by run (after BigTable's rows and families).

Fetches are kept in order of arrival, and three indexes lead to them:

    rows      number             → the fetch, packed (`rows`)
    urls      URL, newest first  → number: any version of a URL with one seek
    digests   digest, number     → nothing: the first fetch that brought a payload
    runs      run, number        → hashes of URLs and outcomes of the fetches put together (`runs`)
    names     kind, number       → a name that many rows share (archive file, media type, run)
    family:*  URL, column, time  → a value: anchors, topic, rank, and what later versions add

One fetch and its index entries are written together or not at all. About 75 bytes of disk a row beside the URL's own bytes;
memory is bounded in `tables`. One process writes, any number read beside it (`read_only`), and a reader sees what was
written until it opened or last called `refresh`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any

from xxhash import xxh3_64_digest

from trasmallo.store import catalog_rows, run_entries
from trasmallo.store.families import TABLE_PREFIX, Family
from trasmallo.store.key_value_tables import KeyValueTables
from trasmallo.store.outcome_tally import OutcomeTally, may_be_asked_again
from trasmallo.store.rights import RightsWriter
from trasmallo.store.run_entries import NUMBER_BYTES
from trasmallo.values.errors import REBUILD, StoreDamaged, StoreTooNew
from trasmallo.values.model import Fetch, Locator, Origin, Outcome

FORMAT = 1  # version of the layout on disk
_OBTAINED = tuple(code for outcome, code in catalog_rows.OUTCOME_CODES.items() if outcome.obtained)
_TABLES = ("meta", "rows", "urls", "digests", "runs", "names")
_TIME_BYTES = 8  # a time in a key: microseconds as 64 bits
_RUN, _FILE, _MEDIA = range(1, 4)
_ROWS_AT_ONCE = 256  # judgement: what one look-up of RocksDB fetches together
_ROWS_LOOKED_AT = 100_000  # judgement: rows behind which no archive file of this run can end
# Servers invent media types; beyond these a row carries its own.
_MOST_MEDIA = 1000
_LONGEST_MEDIA = 60  # judgement: the registered media types are shorter


class _Names:
    """Numbers from 1 for the names of one kind that many rows share, kept in a table."""

    def __init__(self, tables: KeyValueTables, kind: int) -> None:
        self._tables = tables
        self._kind = bytes((kind,))
        self._texts: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._fresh: list[int] = []
        self.load()

    def __len__(self) -> int:
        return len(self._texts)

    def load(self) -> None:
        """Read all names that the table has."""
        for key, value in self._tables.scan("names", self._kind):
            self._learn(int.from_bytes(key[1:], "big"), value.decode("utf-8", "surrogatepass"))

    def _learn(self, number: int, text: str) -> None:
        self._texts[number] = text
        self._numbers[text] = number

    def text(self, number: int) -> str:
        """The name with a number that a row has."""
        if number not in self._texts:
            self.load()
        try:
            return self._texts[number]
        except KeyError:
            raise StoreDamaged(
                "the catalog {folder} lacks a name that a row needs", REBUILD, folder=self._tables.folder
            ) from None

    def all(self) -> list[tuple[int, str]]:
        """All names with their numbers."""
        self.load()
        return list(self._texts.items())

    def find(self, text: str) -> int:
        """The number of a name, 0 when no row has it."""
        if text not in self._numbers:
            self.load()
        return self._numbers.get(text, 0)

    def intern(self, text: str) -> int:
        """The number of a name, a new one if needed: then it is fresh until it is written."""
        number = self._numbers.get(text)
        if number is None:
            number = len(self._texts) + 1
            self._learn(number, text)
            self._fresh.append(number)
        return number

    def intern_media(self, text: str) -> int:
        """The number of a media type, 0 for none and for one that its row carries itself."""
        if text in self._numbers or (text and len(text) <= _LONGEST_MEDIA and len(self) < _MOST_MEDIA):
            return self.intern(text)
        return 0

    def fresh(self) -> Iterator[tuple[bytes, bytes]]:
        """Keys and values of the names to be written."""
        for number in self._fresh:
            yield self._kind + number.to_bytes(4, "big"), self._texts[number].encode("utf-8", "surrogatepass")

    def keep(self) -> None:
        """The fresh names are written."""
        self._fresh.clear()

    def forget(self) -> None:
        """Take back the fresh names: they could not be written."""
        while self._fresh:
            del self._numbers[self._texts.pop(self._fresh.pop())]


class Catalog:
    """Rows by URL in a folder: `with Catalog(folder) as catalog`. One thread at a time."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self._tables = KeyValueTables(folder, _TABLES, read_only=read_only)
        self._rights = RightsWriter(folder)
        try:
            self._check_format()
            self._runs, self._files, self._media = (_Names(self._tables, kind) for kind in (_RUN, _FILE, _MEDIA))
            self._count = self._read_count()
            self._followed: dict[str, OutcomeTally] = {}
        except BaseException:
            self._tables.close()
            raise

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder, so that another program can write to it."""
        self._tables.close()

    def _check_format(self) -> None:
        stamp = self._tables.get("meta", b"format")
        if stamp is None and not self._tables.read_only:
            batch = self._tables.batch()
            batch.put(b"format", b"%d" % FORMAT, self._tables.handle("meta"))
            self._tables.write(batch)
        elif stamp is not None and int(stamp) > FORMAT:
            problem = "the catalog {folder} has format {format}, this trasmallo knows {known}"
            repair = "use the later version of trasmallo that wrote it"
            raise StoreTooNew(problem, repair, folder=self._tables.folder, format=int(stamp), known=FORMAT)

    def _read_count(self) -> int:
        return int.from_bytes(self._tables.last_key("rows"), "big")

    def refresh(self) -> None:
        """See what the writing process has written since; needed by readers only."""
        self._tables.refresh()
        self._count = self._read_count()

    def sync(self) -> None:
        """Make everything put so far safe from a power cut; kill -9 cannot take it anyway."""
        self._tables.sync()

    def compact(self) -> None:
        """Bring the files to their smallest form; RocksDB does most of it by itself while writing."""
        self._tables.compact()

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self._tables.folder

    @property
    def count(self) -> int:
        """How many fetches were put."""
        return self._count

    def put(self, fetch: Fetch, run: str) -> None:
        """Write a fetch that a run made; one of the same URL and time is replaced."""
        self.put_many((fetch,), run)

    def put_many(self, fetches: Iterable[Fetch], run: str) -> None:
        """Write all these fetches or none; they wait in memory (about 300 B each) until they are written."""
        fetches = tuple(fetches)
        self._rights.note(fetches)
        batch = self._tables.batch()
        names = (self._runs, self._files, self._media)
        try:
            count = self._fill(batch.put, fetches, run_entries.run_key(self._runs.intern(run)))
            for key, value in chain.from_iterable(kind.fresh() for kind in names):
                batch.put(key, value, self._tables.handle("names"))
            self._tables.write(batch)
        except BaseException:
            for kind in names:
                kind.forget()
            raise
        for kind in names:
            kind.keep()
        self._count = count
        if (tally := self._followed.get(run)) is not None:
            for fetch in fetches:
                tally.add(catalog_rows.hash_key(fetch.url.encode()), fetch.outcome, fetch.received)

    def _fill(self, put: Callable[[bytes, bytes, Any], None], fetches: Iterable[Fetch], run: bytes) -> int:
        """Add the entries of each fetch to a batch; return the number of the last."""
        by_number, by_url, by_digest, by_run = map(self._tables.handle, ("rows", "urls", "digests", "runs"))
        intern_file, intern_media = self._files.intern, self._media.intern_media
        marks: list[bytes] = []
        count = self._count
        for fetch in fetches:
            count += 1
            number = count.to_bytes(NUMBER_BYTES, "big")
            url = catalog_rows.text_bytes(fetch.url)
            file = intern_file(fetch.locator.file) if fetch.locator else 0
            sha1 = catalog_rows.sha1_bytes(fetch.digest)
            row = catalog_rows.pack(fetch, url, sha1, intern_media(fetch.media), file)
            put(number, row, by_number)
            put(url + b"\0" + catalog_rows.time_key(fetch.at), number, by_url)
            marks += (catalog_rows.hash_key(url), row[1:2])
            if file and fetch.digest:
                put(catalog_rows.digest_key(fetch.digest, sha1) + number, b"", by_digest)
        if marks:
            put(run + (self._count + 1).to_bytes(NUMBER_BYTES, "big"), b"".join(marks), by_run)
        return count

    def _row(self, number: bytes) -> Fetch:
        return self._unpacked(self._row_bytes(number))

    def _row_bytes(self, number: bytes) -> bytes:
        row = self._tables.get("rows", number)
        if row is None:
            raise StoreDamaged(
                "the catalog {folder} lacks row {number}",
                REBUILD,
                folder=self._tables.folder,
                number=int.from_bytes(number, "big"),
            )
        return row

    def latest(self, url: str) -> Fetch | None:
        """The newest version of a URL, None when it was never asked for."""
        key = catalog_rows.text_key(url)
        entry = self._tables.first("urls", key, key)
        return self._row(entry[1]) if entry else None

    def at(self, url: str, when: float) -> Fetch | None:
        """The version of a URL that was the newest at a time, None before the first."""
        key = catalog_rows.text_key(url)
        entry = self._tables.first("urls", key + catalog_rows.time_key(when), key)
        return self._row(entry[1]) if entry else None

    def stored(self, url: str, when: float = math.inf) -> Fetch | None:
        """The newest version of a URL up to a time that is stored: its page, or what a feed says; None when there is none."""
        known = (fetch for fetch in self.versions(url) if fetch.at <= when)
        return next((fetch for fetch in known if fetch.outcome.readable and fetch.locator is not None), None)

    def versions(self, url: str) -> Iterator[Fetch]:
        """All versions of a URL, newest first."""
        for _, number in self._tables.scan("urls", catalog_rows.text_key(url)):
            yield self._row(number)

    def runs(self) -> list[str]:
        """The names of the runs that have rows."""
        return [name for _, name in self._runs.all()]

    def urls(self, prefix: str = "") -> Iterator[str]:
        """The URLs that begin with a prefix, each once, in the order of their bytes."""
        last = b""
        for key, _ in self._tables.scan("urls", prefix.encode()):
            url = key[: -_TIME_BYTES - 1]
            if url != last:
                last = url
                yield url.decode()

    def with_digest(self, digest: str) -> Fetch | None:
        """The first fetch put that stored this payload, None when nothing stored has it."""
        prefix = catalog_rows.digest_key(digest, catalog_rows.sha1_bytes(digest))
        # Most payloads are new, and one look costs less than a scan.
        if self._tables.first("digests", prefix, prefix) is None:
            return None
        for key, _ in self._tables.scan("digests", prefix):
            fetch = self._row(key[-NUMBER_BYTES:])
            if fetch.digest == digest:
                return fetch
        return None

    def last_place(self, owns: Callable[[str], bool]) -> Locator | None:
        """The last place in the archive files that `owns` knows which one of the newest rows has; None when there is none."""
        for end in range(self._count, max(0, self._count - _ROWS_LOOKED_AT), -_ROWS_AT_ONCE):
            numbers = range(max(1, end - _ROWS_AT_ONCE + 1), end + 1)
            fetches = (self._row(number.to_bytes(NUMBER_BYTES, "big")) for number in numbers)
            places = [fetch.locator for fetch in fetches if fetch.locator is not None and owns(fetch.locator.file)]
            if places:
                return max(places)
        return None

    def of_run(self, run: str, *outcomes: Outcome) -> Iterator[Fetch]:
        """The fetch that counts of each URL of a run, in order of arrival; if outcomes are named only those that ended so.

        It is the first that obtained the page, else the last (`run_entries`). Reads the run's rows only, once, one after the
        other; finding those that count takes 80 bytes of memory a fetch of the run.
        """
        numbers, codes, _ = self._counted_fetches(run)
        if outcomes:
            import numpy as np  # a crawl never asks so

            numbers = numbers[np.isin(codes, [catalog_rows.OUTCOME_CODES[outcome] for outcome in outcomes])]
        yield from self.rows(numbers.tolist())

    def all_of_run(self, run: str, of_media: Callable[[str], bool] | None = None) -> Iterator[Fetch]:
        """Every fetch of a run in order of arrival, of those too that others of the same URL followed.

        With `of_media` only those of media types for which it is true; the others are hardly looked at.
        """
        numbers = list(run_entries.all_numbers(self._entries(run)))
        if of_media is None:
            yield from self.rows(numbers)
            return
        wanted = {number for number, name in self._media.all() if of_media(name)} | {0}
        for row in self._packed(numbers):
            if catalog_rows.media_in(row) in wanted and of_media((fetch := self._unpacked(row)).media):
                yield fetch

    def of_runs(self, runs: Sequence[str], *others: Outcome) -> Iterator[Fetch]:
        """The newest version of each URL that these runs stored, in order of arrival; of one time, that of the later run.

        What is obtained again as it was is no version of its own: it stays as it came first, as in a run that carries it.
        A later fetch that ended as one of the `others` stands for a version. About 250 bytes of memory a URL.
        """
        newest: dict[int, tuple[float, int, bytes]] = {}
        wanted = {*_OBTAINED, *(catalog_rows.OUTCOME_CODES[outcome] for outcome in others)}
        for run in runs:
            numbers, codes, urls = self._counted_fetches(run)
            stored = [place for place, code in enumerate(codes.tolist()) if code in wanted]
            rows = self.rows(numbers[stored].tolist())
            for url, number, fetch in zip(urls[stored].tolist(), numbers[stored].tolist(), rows, strict=True):
                payload = xxh3_64_digest(fetch.digest.encode())
                before = newest.get(url)
                if before is None or ((fetch.at, number) > before[:2] and (payload != before[2] or not fetch.digest)):
                    newest[url] = (fetch.at, number, payload)
        yield from self.rows(sorted(number for _, number, _ in newest.values()))

    def rows(self, numbers: Sequence[int]) -> Iterator[Fetch]:
        """The fetches with these numbers, which count from 1 in order of arrival; raises StoreDamaged when there is none."""
        return map(self._unpacked, self._packed(numbers))

    def origins(self, numbers: Sequence[int]) -> Iterator[Origin]:
        """The origins of the fetches with these numbers, read in a third of the time of `rows`."""
        return map(catalog_rows.origin_in, self._packed(numbers))

    def _packed(self, numbers: Sequence[int]) -> Iterator[bytes]:
        """The rows with these numbers as they are stored."""
        for start in range(0, len(numbers), _ROWS_AT_ONCE):
            part = [number.to_bytes(NUMBER_BYTES, "big") for number in numbers[start : start + _ROWS_AT_ONCE]]
            for number, row in zip(part, self._tables.get_many("rows", part), strict=True):
                yield row or self._row_bytes(number)

    def _unpacked(self, row: bytes) -> Fetch:
        return catalog_rows.unpack(row, self._media.text, self._files.text)

    def every(self) -> Iterator[Fetch]:
        """Every row, in order of arrival."""
        for _, row in self._tables.scan("rows"):
            yield self._unpacked(row)

    def summaries(self, after: int = 0) -> Iterator[tuple[int, catalog_rows.RowSummary]]:
        """What every row behind a number says of changes, with its own number, in order of arrival."""
        for number, row in self._tables.scan("rows", start=(after + 1).to_bytes(NUMBER_BYTES, "big")):
            yield int.from_bytes(number, "big"), catalog_rows.summarise(row)

    def row_digest(self, number: int) -> bytes:
        """Eight bytes by which a row is known again; b"" when there is none with this number."""
        row = self._tables.get("rows", number.to_bytes(NUMBER_BYTES, "big"))
        return b"" if row is None else xxh3_64_digest(row)

    def verify(self) -> None:
        """Read all that the indexes hold; raises StoreDamaged where the checksum of a block differs."""
        for name in self._tables.names():
            for _ in self._tables.scan(name):
                pass

    def outcomes(self, run: str) -> dict[Outcome, int]:
        """How many URLs of a run ended how, by the fetch that counts; reads 9 bytes a fetch of the run."""
        counts = Counter(self._counted_fetches(run).codes.tolist())
        return {outcome: counts[code] for outcome, code in catalog_rows.OUTCOME_CODES.items() if counts[code]}

    def received(self, run: str) -> int:
        """Bytes of all answers of a run, of those too that were asked for again; reads every row of the run, 3 µs each."""
        return sum(fetch.received for fetch in self.all_of_run(run))

    def follow(self, run: str, received: int | None = None) -> OutcomeTally:
        """The outcomes of a run, which are kept up to date while rows are put; so are the bytes, counted from `received` on.

        Without that the bytes of all its rows are counted first.
        """
        counted = self._counted_fetches(run)
        by_code = {code: outcome for outcome, code in catalog_rows.OUTCOME_CODES.items()}
        ended = [by_code[code] for code in counted.codes.tolist()]
        marks = zip(counted.urls.tolist(), ended, strict=True)
        open_ends = {url.to_bytes(8, "little"): outcome for url, outcome in marks if may_be_asked_again(outcome)}
        had = self.received(run) if received is None else received
        tally = self._followed[run] = OutcomeTally(Counter(ended), had, open_ends)
        return tally

    def _counted_fetches(self, run: str) -> run_entries.CountedFetches:
        return run_entries.counted_fetches(self._entries(run), _OBTAINED)

    def _entries(self, run: str) -> Iterable[tuple[bytes, bytes]]:
        return self._tables.scan("runs", run_entries.run_key(self._runs.find(run)))

    def families(self) -> list[str]:
        """The names of the families, those that other versions made too."""
        return [name.removeprefix(TABLE_PREFIX) for name in self._tables.names() if name.startswith(TABLE_PREFIX)]

    def family(self, name: str) -> Family:
        """A family of columns, made by the first writer that names it; a reader finds it empty until then."""
        if not self._tables.read_only:
            self._tables.create(TABLE_PREFIX + name)
        return Family(self._tables, name)
