"""Pages from other people's files become pages of the project: collections (`store.foreign`), and folders (`folders`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from trasmallo.crawl.judgement import judge
from trasmallo.events import Emit, Failed, Fetched, Warned
from trasmallo.pipeline.folders import read_collection, read_folder
from trasmallo.pipeline.keeper import Keeper
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.foreign import Revisit
from trasmallo.values.errors import DocumentError, StoreDamaged, UrlError, UsageError
from trasmallo.values.model import Failure, Fetch, Origin, Reached, Response, Target
from trasmallo.values.urls import canonical

Found = Response | Failure | Revisit


def open_foreign(path: Path) -> Iterator[Found]:
    """The pages of a file or of all files in a folder; raises DocumentError at once when there is none that can be read."""
    if path.is_dir():
        return read_folder(path)
    if not path.is_file():
        raise DocumentError("there is no file {path}", "check its name", path=path)
    pages = read_collection(path)
    try:
        return chain([next(pages)], pages)
    except StopIteration:
        return iter(())
    except StoreDamaged:
        return read_collection(path)


def refuse_own(path: Path, project: Path) -> None:
    """Refuse files of the project itself: it would read what it writes, and has them already."""
    own, asked = project.resolve(), path.resolve()
    if asked.is_relative_to(own / "store") or asked.is_relative_to(own / "runs") or own.is_relative_to(asked):
        raise UsageError(
            "{path} belongs to the project that it shall go into",
            "give files of others; what was made of the archive is made again with: trasmallo repair {project}",
            path=path,
            project=project,
        )


def take_in(pages: Iterator[Found], archive: Archive, catalog: Catalog, run: str, emit: Emit) -> None:
    """Store every page under a run; a damaged file is read up to the damage, which is told."""
    keeper = Keeper(archive, catalog, run, lambda fetch: emit(_fetched(fetch)))
    try:
        for found in pages:
            _take(found, keeper, catalog, emit)
    except StoreDamaged as damage:
        emit(Warned(message=str(damage)))


def _take(found: Found, keeper: Keeper, catalog: Catalog, emit: Emit) -> None:
    answer = found.response if isinstance(found, Revisit) else found
    try:
        url = canonical(answer.url)
    except UrlError as error:
        emit(Failed(url=answer.url, outcome="not imported", cause=error.problem))
        return
    if isinstance(found, Revisit):
        _point_back(found, url, keeper, catalog, emit)
    elif isinstance(answer, Response) and urlsplit(url).path == "/robots.txt":
        keeper.keep_rules(answer)
    else:
        outcome, cause = judge(answer)
        keeper.keep(Target(url, reached=Reached.IMPORT), msgspec.structs.replace(answer, url=url), outcome, cause)


def _point_back(revisit: Revisit, url: str, keeper: Keeper, catalog: Catalog, emit: Emit) -> None:
    """A revisit stands for a payload stored before; without that there is nothing to keep."""
    original = revisit.original and catalog.at(_canonical_or_same(revisit.original.url), revisit.original.at)
    if original:
        keeper.keep_revisit(msgspec.structs.replace(revisit.response, url=url), original, Origin(reached=Reached.IMPORT))
    else:
        emit(Failed(url=url, outcome="not imported", cause="the page it repeats is not in the project"))


def _canonical_or_same(url: str) -> str:
    try:
        return canonical(url)
    except UrlError:
        return url


def _fetched(fetch: Fetch) -> Fetched:
    return Fetched(url=fetch.url, status=fetch.status, size=fetch.size, media=fetch.media, digest=fetch.digest)
