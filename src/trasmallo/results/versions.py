"""The dated versions of a page over all runs, and what differs between two of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

import msgspec

from trasmallo.results.document import read_stored
from trasmallo.results.originals import is_original
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import DocumentError, NotFound, UsageError
from trasmallo.values.model import Fetch

_MOST_COMPARED = 2_000
"""Paragraphs of a version that are compared with another's; finding what is common takes the square of their number."""


_MOST_WORDS = 2_000
"""Words and marks of a paragraph that are compared with another's, for the same reason; longer ones are told whole."""

_LITTLE_IN_COMMON = 0.5
"""Share of the words below which a paragraph is another one and not an edited one. Judgement."""

_WORD = re.compile(r"(?:\w+|[^\w\s])\s*|\s+")
"""A word or a mark with the blanks behind it: as words of their own, blanks would make all texts alike."""


class PageVersion(msgspec.Struct, frozen=True):
    """A version: its number from 1, when it was first obtained and last seen so, in how many visits, and its payload."""

    number: int
    at: float
    seen: float
    visits: int
    digest: str
    size: int
    media: str


class PageVisit(msgspec.Struct, frozen=True):
    """A visit: how it ended, and the version that it showed, 0 for none."""

    at: float
    outcome: str
    status: int
    version: int
    cause: str


class PageHistory(msgspec.Struct, frozen=True):
    """All that is known of a page over time, the oldest first."""

    url: str
    versions: tuple[PageVersion, ...]
    visits: tuple[PageVisit, ...]


class Change(msgspec.Struct, frozen=True):
    """A paragraph of two versions, or a part of one: same, added or removed."""

    kind: Literal["same", "added", "removed"]
    text: str


class VersionDifference(msgspec.Struct, frozen=True):
    """What differs between the main texts of two versions, paragraph by paragraph."""

    url: str
    before: PageVersion
    after: PageVersion
    changes: tuple[Change, ...]


class VersionText(msgspec.Struct, frozen=True):
    """The main text of a page as it was at a time, and the version whose text it is."""

    url: str
    version: PageVersion
    text: str


def page_history(store: Path, *urls: str) -> PageHistory:
    """The versions of the first of these addresses that is known, and the visits to it; raises NotFound for unknown ones."""
    with Catalog(store / "catalog", read_only=True) as catalog:
        url = next((url for url in urls if catalog.latest(url)), urls[-1])
        fetches = list(catalog.versions(url))[::-1]
    if not fetches:
        raise NotFound("{url} was never asked for", "choose an address of: trasmallo list DIR pages", url=url[:200])
    versions, visits = list[PageVersion](), list[PageVisit]()
    for fetch in fetches:
        shown = fetch.outcome.readable and fetch.locator is not None
        if shown:
            _take(versions, fetch)
        number = versions[-1].number if shown else 0
        visits.append(PageVisit(fetch.at, fetch.outcome, fetch.status, number, fetch.cause))
    return PageHistory(url, tuple(versions), tuple(visits))


def _take(versions: list[PageVersion], fetch: Fetch) -> None:
    if versions and versions[-1].digest == fetch.digest:
        last = versions[-1]
        versions[-1] = msgspec.structs.replace(last, seen=fetch.at, visits=last.visits + 1)
        return
    number = len(versions) + 1
    version = PageVersion(
        number=number, at=fetch.at, seen=fetch.at, visits=1, digest=fetch.digest, size=fetch.size, media=fetch.media
    )
    versions.append(version)


def version_difference(store: Path, history: PageHistory, before: int = 0, after: int = 0) -> VersionDifference:
    """What differs between two versions by their numbers, the last two without them; raises UsageError for others."""
    if len(history.versions) == 1 and not (before and after):
        raise UsageError(
            "{url} has one version, and nothing to compare it with",
            "visit it again with: trasmallo revisit DIR",
            url=history.url[:200],
        )
    after = after or len(history.versions)
    before = before or after - 1
    old, new = (_version(history.versions, number) for number in (before, after))
    texts = [version_text(store, history.url, version.at) for version in (old, new)]
    return VersionDifference(history.url, old, new, tuple(compare_texts(*texts)))


def _version(versions: Sequence[PageVersion], number: int) -> PageVersion:
    if not 1 <= number <= len(versions):
        raise UsageError(
            "there is no version {number} to compare", "choose from 1 to {count}", number=number, count=len(versions)
        )
    return versions[number - 1]


def version_as_of(store: Path, history: PageHistory, at: float) -> VersionText:
    """The version of a page that was the newest at a time; raises NotFound when there was none yet."""
    known = [version for version in history.versions if version.at <= at]
    if not known:
        raise NotFound("nothing was stored for {url} by then", "choose a later date", url=history.url[:200])
    return VersionText(history.url, known[-1], version_text(store, history.url, at))


def version_text(store: Path, url: str, at: float) -> str:
    """The main text of a page as it was at a time; raises NotFound when nothing was stored by then."""
    from trasmallo.clean.read import extract

    with Catalog(store / "catalog", read_only=True) as catalog:
        fetch = catalog.stored(url, at)
    if fetch is None:
        raise NotFound("nothing is stored for {url}", "choose another version", url=url[:200])
    with closing(ArchiveReader(store / "archive")) as reader:
        try:
            source = read_stored(reader, fetch)
        except DocumentError:
            if not is_original(fetch.locator):
                raise
            problem = "{url} stays where it is, and that version of it was not kept"
            raise NotFound(problem, "keep copies with `copy = true` in [store]", url=url[:200]) from None
    return extract(source.content, source.url, media=source.media, charset=source.charset).text


def compare_texts(before: str, after: str) -> Iterator[Change]:
    """The paragraphs of two texts: which are in both, which were removed, and which were added."""
    old, new = ([line for line in text.splitlines() if line.strip()][:_MOST_COMPARED] for text in (before, after))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_first, old_last, new_first, new_last in matcher.get_opcodes():
        if kind == "equal":
            yield from (Change("same", text) for text in old[old_first:old_last])
            continue
        yield from (Change("removed", text) for text in old[old_first:old_last])
        yield from (Change("added", text) for text in new[new_first:new_last])


def compare_words(before: str, after: str) -> Iterator[Change]:
    """The parts of an edited paragraph: which are in both texts, which were removed, and which were added.

    Of paragraphs that have little in common, or are very long, the whole text is one part.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if max(len(old), len(new)) > _MOST_WORDS or matcher.ratio() < _LITTLE_IN_COMMON:
        yield from (Change("removed", before), Change("added", after))
        return
    for kind, old_first, old_last, new_first, new_last in matcher.get_opcodes():
        if kind == "equal":
            yield Change("same", "".join(old[old_first:old_last]))
            continue
        if old_first < old_last:
            yield Change("removed", "".join(old[old_first:old_last]))
        if new_first < new_last:
            yield Change("added", "".join(new[new_first:new_last]))
