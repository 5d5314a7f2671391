"""Pages from other people's files become pages of the project."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.crawl.answers import outcome_of
from trasmallo.errors import DocumentError, StoreDamaged, UrlError
from trasmallo.events import Emit, Failed, Fetched, Warned
from trasmallo.model import Failure, Fetch, Response, Target
from trasmallo.project.keeper import Keeper
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.foreign import Revisit, read_foreign
from trasmallo.urls import canonical


def take_in(path: Path, archive: Archive, catalog: Catalog, run: str, emit: Emit) -> None:
    """Store every page of a file under a run; a damaged file is read up to the damage, which is told."""
    if not path.is_file():
        raise DocumentError(f"there is no file {path}", "check its name")
    keeper = Keeper(archive, catalog, run, lambda fetch: emit(_fetched(fetch)))
    try:
        for found in read_foreign(path):
            _take(found, keeper, catalog, run, emit)
    except StoreDamaged as damage:
        emit(Warned(message=str(damage)))


def _take(found: Response | Failure | Revisit, keeper: Keeper, catalog: Catalog, run: str, emit: Emit) -> None:
    answer = found.response if isinstance(found, Revisit) else found
    try:
        url = canonical(answer.url)
    except UrlError as error:
        emit(Failed(url=answer.url, outcome="not imported", cause=error.problem))
        return
    if isinstance(found, Revisit):
        _point_back(found, url, catalog, run)
        return
    outcome, cause = outcome_of(answer)
    keeper.keep(Target(url), msgspec.structs.replace(answer, url=url), outcome, cause)


def _point_back(revisit: Revisit, url: str, catalog: Catalog, run: str) -> None:
    """A revisit stands for a payload stored before; without that there is nothing to keep."""
    original = revisit.original and catalog.at(revisit.original.url, revisit.original.at)
    if original:
        catalog.put(msgspec.structs.replace(original, url=url, at=revisit.response.at), run)


def _fetched(fetch: Fetch) -> Fetched:
    return Fetched(url=fetch.url, status=fetch.status, size=fetch.size, media=fetch.media, digest=fetch.digest)
