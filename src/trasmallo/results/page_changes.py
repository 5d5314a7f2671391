"""Rows of the table of changes: each version of a page that differs from the one before it, with how much.

Both texts are read from the archive when somebody asks for the first time (some 10 ms a version); what was found out is kept in
the cache, since a version never changes. Where main texts are the same, as the catalog knows, nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from trasmallo.clean.read import extract
from trasmallo.results.change_scores import ChangeScore, score_change
from trasmallo.results.database.connection import Connection
from trasmallo.results.database.row_tables import table_of
from trasmallo.results.document import read_stored
from trasmallo.results.tables.changes import ChangeRow
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id
from trasmallo.store.run_cache import make_cache
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import DocumentError, StoreDamaged
from trasmallo.values.software import __version__
from trasmallo.values.urls import host

_FAMILY, _DIGEST = "texts", "digest"
"""Where the catalog has the digests of main texts."""
_KEPT = "changes.msgpack"
"""The file of known scores in the cache of the project's first run."""
_TABLE = "changes_now"


class VersionPair(NamedTuple):
    """Two versions of a page that follow each other, by when they were obtained and by their numbers."""

    url: str
    before_at: float
    at: float
    before: int
    after: int


class _KnownScores(msgspec.Struct):
    """What is kept of earlier questions: scores by address and times, None where there is no text."""

    software: str = __version__
    scores: dict[str, ChangeScore | None] = {}


def make(connection: Connection, run: Run) -> str:
    """The SQL of `changes`, which are read now."""
    return table_of(connection, _TABLE, ChangeRow, change_rows(run))


def change_rows(run: Run) -> list[ChangeRow]:
    """The changes that were found until the next run of a project began.

    Pages without a main text have none, nor have files whose earlier text was not copied (`copy = true` in [store]).
    """
    store = run.project / "store"
    if not (store / "catalog").exists():
        return []
    with Catalog(store / "catalog", read_only=True) as catalog, closing(ArchiveReader(store / "archive")) as archive:
        pairs = list(version_pairs(catalog, _end_of(run)))
        texts = catalog.family(_FAMILY)
        same = {pair for pair in pairs if _is_same(*(texts.get(pair.url, _DIGEST, at) for at in (pair.before_at, pair.at)))}
        scores = _scores(run, [pair for pair in pairs if pair not in same], _TextReader(catalog, archive))
    found = ((pair, None if pair in same else scores[_key(pair)]) for pair in pairs)
    return [_row(pair, score) for pair, score in found if score is not None or pair in same]


def _is_same(before: bytes | None, after: bytes | None) -> bool:
    return before is not None and before == after


def version_pairs(catalog: Catalog, until: float) -> Iterator[VersionPair]:
    """Versions of pages whose bytes differ from those of the version before, in order of arrival."""
    last: dict[str, tuple[bytes, float, int]] = {}
    for _, fetch in catalog.summaries():
        if not fetch.outcome.obtained or not fetch.digest or fetch.at >= until:
            continue
        before = last.get(fetch.url)
        if before is None or before[0] != fetch.digest:
            number = before[2] + 1 if before else 1
            if before:
                yield VersionPair(fetch.url, before[1], fetch.at, before[2], number)
            last[fetch.url] = fetch.digest, fetch.at, number


class _TextReader:
    """Reads main texts of stored versions; the last ones are remembered, since a version is compared with two others."""

    def __init__(self, catalog: Catalog, archive: ArchiveReader) -> None:
        self._catalog, self._archive = catalog, archive
        self.text = lru_cache(maxsize=256)(self._text)

    def _text(self, url: str, at: float) -> str | None:
        """The main text of a page at a time, "" where it has none, as feeds and sitemaps.

        None where it cannot be read: of a file that is not copied only what it is now can.
        """
        fetch = self._catalog.stored(url, at)
        if fetch is None:
            return ""
        try:
            source = read_stored(self._archive, fetch)
        except (DocumentError, StoreDamaged):
            return None
        return extract(source.content, source.url, media=source.media, charset=source.charset).text


def _scores(run: Run, pairs: list[VersionPair], reader: _TextReader) -> dict[str, ChangeScore | None]:
    """How the texts of versions differ, by their keys; what is found out for the first time is kept."""
    place = make_cache(run_folders.find(run.project / "runs")[0]) / _KEPT
    known = _read_known(place)
    new = [pair for pair in pairs if _key(pair) not in known.scores]
    for pair in sorted(new):
        before, after = reader.text(pair.url, pair.before_at), reader.text(pair.url, pair.at)
        read = before is not None and after is not None and (before or after)
        known.scores[_key(pair)] = score_change(before or "", after or "") if read else None
    if new:
        with suppress(OSError):
            write_whole(place, msgspec.msgpack.encode(known))
    return known.scores


def _read_known(place: Path) -> _KnownScores:
    try:
        known = msgspec.msgpack.decode(place.read_bytes(), type=decodable(_KnownScores))
    except (OSError, *UNDECODABLE):
        return _KnownScores()
    return known if known.software == __version__ else _KnownScores()


def _key(pair: VersionPair) -> str:
    return f"{pair.before_at} {pair.at} {pair.url}"


def _end_of(run: Run) -> float:
    begins = (each.manifest.began for each in run_folders.find(run.project / "runs"))
    return min((began for began in begins if began > run.manifest.began), default=float("inf"))


def _row(pair: VersionPair, score: ChangeScore | None) -> ChangeRow:
    told = score or ChangeScore(0.0, 0, 0)
    kind = "frame" if score is None else "text" if told.added or told.removed else "noise" if told.noise else "order"
    return ChangeRow(
        url=pair.url,
        host=host(pair.url),
        at=pair.at,
        kind=kind,
        score=told.score,
        added=told.added,
        removed=told.removed,
        noise=", ".join(told.noise),
        excerpt=told.excerpt,
        before=pair.before,
        after=pair.after,
        document=document_id(pair.url),
    )
