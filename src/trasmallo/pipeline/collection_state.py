"""The state of a collection as a run leaves it: what it takes over from the runs before, what is gone, what must be read again.

1. A run that begins carries the results of the last one that was completed (`carry`), if they were made under its settings;
   otherwise the stored pages of all runs before are read again when its own are (`stored_pages`).
2. A page that the run obtains as it is known is not read again (`KnownPages`).
3. When all is read, pages that were not found in two runs are gone (`write_gone`), and copies whose originals changed need
   tokens of their own (`copies_without_tokens`).
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from filecmp import cmp
from itertools import chain
from pathlib import Path

import msgspec
import numpy as np
import xxhash

from trasmallo.pipeline.archive_rows import entries_of
from trasmallo.pipeline.site_selection import pages_left_out, pages_put_back
from trasmallo.results import registry
from trasmallo.results.database.tables import Tables
from trasmallo.results.links.addresses import leads_elsewhere
from trasmallo.results.rows import GoneRow
from trasmallo.results.search.indexing import FINISHED
from trasmallo.store import digests, run_folders
from trasmallo.store.carried import COPIES, ENTRIES, GONE, adopt_all, carry_over, named_documents, outdated_documents
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, documents_done, finished_parts
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.local_addresses import is_local
from trasmallo.values.model import Fetch, Outcome

_LASTING = frozenset({301, 308})
"""Statuses of redirects that say that a page has moved for good."""

_RUNS_WITHOUT = 2
"""Runs that must not find a page before it is gone. Judgement: one may have met a site that was being repaired."""


def carry(run: Run) -> bool:
    """Let a run that has not begun to read carry the results of its base; False when these cannot be used as they are."""
    if run.carried.exists():
        return True
    base = None if finished_parts(run.parts) else _base_of(run)
    if base is None or (base.manifest.clean, base.manifest.study) != (run.manifest.clean, run.manifest.study):
        return False
    try:
        carry_over(base, run, registry.all_tables(), FINISHED)
    except (StoreDamaged, OSError):  # a damaged base is repaired on its own; some file systems have no links
        return False
    return True


def _base_of(run: Run) -> Run | None:
    """The run whose results this one adds to, if they are all there."""
    found = (each for each in run_folders.find(run.project / "runs") if each.name == run.manifest.base)
    return next((each for each in found if each.finished and each.manifest.sealed), None)


def stored_pages(run: Run, catalog: Catalog, *, whole: bool = False) -> Iterator[Fetch]:
    """The pages of a run that are stored and what feeds say in the place of others, or of the `whole` collection up to it."""
    if whole and run.manifest.base:
        names = run_folders.lineage(run)
        return catalog.of_runs([*names, *map(entries_of, names)], Outcome.ENTRY)
    return chain(catalog.of_run(run.catalogued), stored_entries(run, catalog))


def stored_entries(run: Run, catalog: Catalog) -> Iterator[Fetch]:
    """What feeds said in a run in the place of pages: such a text counts only as long as its page is not obtained."""
    return catalog.of_run(entries_of(run.catalogued))


def has_newer(fetch: Fetch, catalog: Catalog) -> bool:
    """Whether a later version of a page is stored than one that a run brought: imported pages may be old."""
    return any(known.at > fetch.at and known.outcome.obtained for known in catalog.versions(fetch.url))


class KnownPages:
    """The pages of what a run carries, by their payload; 24 bytes of memory each."""

    def __init__(self, run: Run) -> None:
        documents, payloads, times = array("Q"), array("Q"), array("d")
        for document, digest, at in _carried_pages(run):
            documents.append(int(document, 16))
            payloads.append(_payload(digest))
            times.append(at)
        order = np.argsort(np.frombuffer(documents, np.uint64))
        # Arrays of Python: one number is looked up in a tenth of the time that numpy takes for it.
        self._documents = array("Q", np.frombuffer(documents, np.uint64)[order].tobytes())
        self._payloads = array("Q", np.frombuffer(payloads, np.uint64)[order].tobytes())
        self._times = array("d", np.frombuffer(times, float)[order].tobytes())

    def __call__(self, fetch: Fetch) -> bool:
        """Whether the results before have a page as it was obtained, or a later version of it."""
        document = int(document_id(fetch.url), 16)
        place = bisect_left(self._documents, document)
        if place == len(self._documents) or self._documents[place] != document:
            return False
        return self._payloads[place] == _payload(fetch.digest) or fetch.at < self._times[place]


def _carried_pages(run: Run) -> Iterator[tuple[str, str, float]]:
    if run.carried.exists():
        with Tables(run) as tables:
            yield from tables.stream('SELECT document, digest, coalesce("at", 0) FROM all_pages')


def _payload(digest: str) -> int:
    return xxhash.xxh3_64_intdigest(digest.encode())


def write_gone(run: Run, catalog: Catalog, after: float = 0.0) -> None:
    """Write down the pages of the collection that are no longer there, and have not been for `after` seconds."""
    begins, until = times_of_runs(run)
    carried = {row.url for row in _gone_rows(run.carried / GONE)} if run.carried.exists() else set()
    asked = carried.union(fetch.url for fetch in _candidates(run, catalog))
    known = ((url, [row for row in catalog.versions(url) if row.at < until]) for url in sorted(asked))
    found = {url: row for url, versions in known if (row := _gone(url, versions, begins, after))}
    found |= {row.url: row for row in pages_left_out(run, catalog, until)}
    write_whole(run.folder / GONE, msgspec.json.Encoder().encode_lines([found[url] for url in sorted(found)]))


def put_back(run: Run, catalog: Catalog) -> list[Fetch]:
    """The pages of sites that were taken out and are not any more: what is carried has nothing of them."""
    return pages_put_back(_gone_rows(run.carried / GONE), _gone_rows(run.folder / GONE), run, catalog)


def taken_in(run: Run, catalog: Catalog) -> list[Fetch]:
    """The pages of the runs that a run takes in which what is carried lacks, or has only an older version of."""
    if not run.manifest.takes:
        return []
    is_known, done = KnownPages(run), set(documents_done(run.parts))
    found = (fetch for name in run.manifest.takes for fetch in catalog.of_run(name) if fetch.outcome.obtained)
    return [fetch for fetch in found if document_id(fetch.url) not in done and not is_known(fetch)]


def _gone_rows(path: Path) -> list[GoneRow]:
    decoder = msgspec.json.Decoder(decodable(GoneRow))
    return [decoder.decode(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def _candidates(run: Run, catalog: Catalog) -> Iterator[Fetch]:
    """Rows of addresses that may be gone: those that this run did not find, or any of its lineage where nothing is carried."""
    names = [run.catalogued] if run.carried.exists() else run_folders.lineage(run)
    for name in names:
        yield from (fetch for fetch in catalog.of_run(name, Outcome.MISSING, Outcome.REDIRECTED) if _is_absence(fetch))


def times_of_runs(run: Run) -> tuple[list[float], float]:
    """When each run of the project began, and when the one after this did."""
    begins = sorted(each.manifest.began for each in run_folders.find(run.project / "runs"))
    later = begins[bisect_right(begins, run.manifest.began) :]
    return begins, later[0] if later else math.inf


def _gone(url: str, versions: Sequence[Fetch], begins: Sequence[float], after: float) -> GoneRow | None:
    """The row of a page that two runs in a row did not find since it was last obtained; versions come newest first.

    Between the first and the last answer that says so lie `after` seconds at least: runs may follow each other within minutes,
    and a site that is being repaired answers so for hours.
    """
    streak: list[Fetch] = []
    for fetch in versions:
        if fetch.outcome.obtained:
            runs = {bisect_right(begins, absent.at) for absent in streak}
            lasts = len(runs) >= _RUNS_WITHOUT and streak[0].at - streak[-1].at >= after
            lasts |= bool(streak) and is_local(url)  # a file that is not there is gone: no server is being repaired
            return GoneRow(document_id(url), url, fetch.at, streak[-1].at) if lasts else None
        if _is_absence(fetch):
            streak.append(fetch)
    return None


def _is_absence(fetch: Fetch) -> bool:
    """Whether an answer says of this very address that nothing is there, or that it has moved for good."""
    return fetch.outcome is Outcome.MISSING or (fetch.outcome is Outcome.REDIRECTED and fetch.status in _LASTING)


def adopt_unchanged(run: Run, catalog: Catalog) -> bool:
    """Let a run in which nothing changed have the results before as they are; False when something did."""
    base = _base_of(run)
    if base is None or not run.carried.exists() or finished_parts(run.parts) or base.addresses.exists():
        return False
    carried, now = digests.sealed_files(run.carried), digests.sealed_files(base.folder)
    same = all(now.get(name) == digest for name, digest in carried.items())
    if not same or _gone_rows(run.carried / GONE) != _gone_rows(run.folder / GONE) or leads_elsewhere(run, catalog):
        return False
    if not _same_entries(base, run):
        return False
    adopt_all(base, run, FINISHED)
    run.manifest.sealed, run.manifest.indexed = True, base.manifest.indexed
    return True


def _same_entries(base: Run, run: Run) -> bool:
    """Whether feeds tell nothing that they did not tell before; runs of earlier versions know of none."""
    before, now = base.folder / ENTRIES, run.folder / ENTRIES
    return cmp(before, now, shallow=False) if before.exists() else not now.stat().st_size


def copies_without_tokens(run: Run, catalog: Catalog) -> list[Fetch]:
    """Documents that were copies in the results before and are none now: what is carried has no tokens of them."""
    were, are = set(named_documents(run.carried / COPIES)), set(named_documents(run.folder / COPIES))
    left = were - are - outdated_documents(run)
    if not left:
        return []
    with Tables(run) as tables:
        rows = tables.select('SELECT document, url, "at" FROM all_pages')
    found = (catalog.at(url, at) for document, url, at in rows if document in left)
    return [fetch for fetch in found if fetch is not None]
