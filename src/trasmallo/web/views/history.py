"""The history of an address over all runs: its versions, the visits to it, and two versions side by side.

It answers for pages that are gone too, of which the tables hold no document any more.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from trasmallo.results.versions import (
    Change,
    PageHistory,
    VersionDifference,
    compare_words,
    page_history,
    version_difference,
    version_text,
)
from trasmallo.values.local_addresses import document_addresses
from trasmallo.web.pages import Pages, Visit
from trasmallo.web.rendering import PageAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from trasmallo.project.project import Project

pages = Pages()

Number = Annotated[int, Meta(ge=0, le=1_000_000)]


class HistoryQuestion(msgspec.Struct, frozen=True):
    """An address. `before` and `after` are the numbers of two versions to compare, `version` of one whose text is shown.

    With a `date` the version is shown that was the newest then.
    """

    project: str
    url: Annotated[str, Meta(max_length=4_000)] = ""
    before: Number = 0
    after: Number = 0
    version: Number = 0
    date: Annotated[str, Meta(max_length=40)] = ""


class ComparedRow(msgspec.Struct, frozen=True):
    """Paragraphs of two versions that stand beside each other; "" where there is none. `same` ones stand in both."""

    before: str
    after: str
    same: bool

    def parts(self) -> list[Change]:
        """What is in both paragraphs and what in one of them only, in the order of the text."""
        return list(compare_words(self.before, self.after))


class ComparedVersions(msgspec.Struct, frozen=True):
    """Two versions by their numbers: their paragraphs side by side, and how many were added and removed."""

    before: int
    after: int
    rows: tuple[ComparedRow, ...]
    added: int
    removed: int


class HistoryAnswer(PageAnswer, frozen=True, kw_only=True):
    """The history of an address, None before one is named.

    `document` is its id in the tables, "" when it is not there; `gone` is since when it is missing, 0 when it is not. `text` is
    that of the version `shown`.
    """

    url: str = ""
    date: str = ""
    history: PageHistory | None = None
    compared: ComparedVersions | None = None
    shown: int = 0
    text: str = ""
    document: str = ""
    gone: float = 0.0


@pages.get("/p/{project}/history", "history.html")
def show_history(visit: Visit, question: HistoryQuestion) -> HistoryAnswer:
    """The versions of an address and the visits to it, what differs between two, or the text of one."""
    project = visit.project(question.project)
    if not question.url:
        return HistoryAnswer()
    history = page_history(project.store, *document_addresses(question.url))
    url = history.url
    document, gone = _place(visit, project, url)
    compared = compare(project.store, history, question.before, question.after)
    shown = 0 if compared else _shown(project, history, question)
    return HistoryAnswer(
        url=url,
        date=question.date,
        history=history,
        compared=compared,
        shown=shown,
        text=version_text(project.store, url, history.versions[shown - 1].at) if shown else "",
        document=document,
        gone=gone,
        command=history_command(project, url, compared, question.date),
        python=history_python(project, url, compared, question.date),
    )


def _shown(project: Project, history: PageHistory, question: HistoryQuestion) -> int:
    """The number of the version whose text is shown: that of the date, the one named, or the last; 0 where there is none."""
    if question.date:
        return project.version_as_of(history.url, question.date).version.number
    return min(question.version or len(history.versions), len(history.versions))


def _place(visit: Visit, project: Project, url: str) -> tuple[str, float]:
    """The document of an address in the tables, and since when it is gone; raises NoResults before there are tables."""
    with visit.pool.tables(project) as tables:
        tables.prepare("pages", "gone")
        known = tables.select("SELECT document FROM pages WHERE url = ?", [url])
        missing = tables.select("SELECT since FROM gone WHERE url = ?", [url])
    return str(known[0][0]) if known else "", float(missing[0][0]) if missing else 0.0


def compare(store: Path, history: PageHistory, before: int, after: int) -> ComparedVersions | None:
    """Two versions side by side, None unless both are named; raises UsageError for numbers that there are not."""
    return side_by_side(version_difference(store, history, before, after)) if before and after else None


def side_by_side(found: VersionDifference) -> ComparedVersions:
    """A difference as rows of two columns."""
    kinds = [change.kind for change in found.changes]
    rows = tuple(_rows(found.changes))
    return ComparedVersions(found.before.number, found.after.number, rows, kinds.count("added"), kinds.count("removed"))


def _rows(changes: Iterable[Change]) -> Iterable[ComparedRow]:
    """What was removed stands beside what was added in its place."""
    texts: dict[str, list[str]] = {"removed": [], "added": []}
    for change in changes:
        if change.kind != "same":
            texts[change.kind].append(change.text)
            continue
        yield from _beside(texts)
        texts = {"removed": [], "added": []}
        yield ComparedRow(change.text, change.text, same=True)
    yield from _beside(texts)


def _beside(texts: dict[str, list[str]]) -> Iterable[ComparedRow]:
    return (ComparedRow(old, new, same=False) for old, new in zip_longest(texts["removed"], texts["added"], fillvalue=""))


def history_command(project: Project, url: str, compared: ComparedVersions | None, date: str = "") -> str:
    """The command that tells the same."""
    numbers = ["--diff", "--of", str(compared.before), str(compared.after)] if compared else []
    then = ["--as-of", date] if date and not compared else []
    return shlex.join(["trasmallo", "versions", str(project.folder), url, *numbers, *then])


def history_python(project: Project, url: str, compared: ComparedVersions | None, date: str = "") -> str:
    """The Python that gives the same."""
    asked = f"version_as_of({url!r}, {date!r})" if date else f"versions({url!r})"
    if compared:
        asked = f"compare_versions({url!r}, {compared.before}, {compared.after})"
    return f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).{asked}\n"
