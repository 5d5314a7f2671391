"""What belongs to a collection: its sites, which may be taken out, its snapshots, and whether its sites are followed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.project.timetable import Timetable
from trasmallo.results.site_counts import SiteCount
from trasmallo.results.snapshots import Snapshot
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError
from trasmallo.web.files import KINDS, FileKind, rows_as_file
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import address_of

pages = Pages()

Name = Annotated[str, Meta(max_length=200)]
_URL_COLUMNS = ("url", "at", "digest", "document")


class CollectionQuestion(msgspec.Struct, frozen=True):
    """The sites and snapshots of a collection."""

    project: str


class SnapshotQuestion(msgspec.Struct, frozen=True):
    """A snapshot by its name."""

    project: str
    name: Name


class SnapshotForm(msgspec.Struct, frozen=True):
    """Freeze the results of the collection under a name, with a note of what it is for."""

    project: str
    name: Name
    note: Annotated[str, Meta(max_length=2_000)] = ""


class SiteForm(msgspec.Struct, frozen=True):
    """Take a site out of the collection, or put it back."""

    project: str
    host: Name
    put_back: bool = False


class FollowForm(msgspec.Struct, frozen=True):
    """Put revisits on the timetable, so often, with a budget of visits ("" is the usual one)."""

    project: str
    every: Annotated[str, Meta(max_length=40)] = "1h"
    budget: Annotated[str, Meta(max_length=40)] = ""


class SnapshotCard(msgspec.Struct, frozen=True):
    """A snapshot and the line by which it is cited."""

    snapshot: Snapshot
    citation: str


class CollectionAnswer(PageAnswer, frozen=True, kw_only=True):
    """The sites of the collection, the snapshots, and when revisits are on the timetable, "" when they are not."""

    sites: tuple[SiteCount, ...]
    snapshots: tuple[SnapshotCard, ...]
    followed: str
    process: int


@pages.get("/p/{project}/collection", "collection.html")
def show_collection(visit: Visit, question: CollectionQuestion) -> CollectionAnswer:
    """The sites of a collection, its snapshots, and whether it is followed."""
    project = visit.project(question.project)
    has_results = run_folders.last_completed(project.runs) is not None
    cards = (SnapshotCard(found, found.citation(project.config.name)) for found in project.snapshots())
    folder = str(project.folder)
    return CollectionAnswer(
        sites=tuple(project.sites()) if has_results else (),
        snapshots=tuple(cards),
        followed=_followed(folder),
        process=project.worker(),
        command=shlex.join(["trasmallo", "sites", folder]),
        python=f"import trasmallo\n\nproject = trasmallo.Project.open({folder!r})\nproject.sites(), project.snapshots()\n",
    )


@pages.post("/p/{project}/snapshots")
def freeze(visit: Visit, question: SnapshotForm) -> ActionResult:
    """Freeze the results of the collection under a name."""
    visit.project(question.project).snapshot(question.name.strip(), note=question.note.strip())
    return ActionResult(goto=_here(question.project), said="frozen")


@pages.post("/p/{project}/snapshots/remove")
def remove_snapshot(visit: Visit, question: SnapshotQuestion) -> ActionResult:
    """Let a snapshot go; what is stored stays."""
    visit.project(question.project).remove_snapshot(question.name)
    return ActionResult(goto=_here(question.project), said="thawed")


@pages.get("/p/{project}/snapshots/urls")
def export_urls(visit: Visit, question: SnapshotQuestion) -> Download:
    """All addresses of a snapshot with their dates and digests, as CSV."""
    project = visit.project(question.project)
    name = project.find_snapshot(question.name).name

    def rows() -> Iterator[tuple[object, ...]]:
        with project.tables(name) as tables:
            yield from tables.stream('SELECT url, "at", digest, document FROM pages ORDER BY url')

    command = shlex.join(["trasmallo", "snapshot", str(project.folder), name, "--urls"])
    file = rows_as_file(FileKind("csv"), _URL_COLUMNS, rows(), command)
    return Download(f"{question.project}-{name}.csv", KINDS["csv"], file)


@pages.post("/p/{project}/sites")
def choose_site(visit: Visit, question: SiteForm) -> ActionResult:
    """Take a site out of the collection or put it back, in a process of its own."""
    visit.project(question.project).start_selection(question.host, put_back=question.put_back)
    return ActionResult(goto=address_of(question.project) + "/live", said="selection")


@pages.post("/p/{project}/follow")
def follow_sites(visit: Visit, question: FollowForm) -> ActionResult:
    """Put revisits of a project that has results on the timetable."""
    project = visit.project(question.project)
    if run_folders.last_completed(project.runs) is None:
        raise UsageError("there is nothing to visit again yet", "run the project first")
    project.follow(every=question.every.strip(), budget=question.budget.strip())
    return ActionResult(goto=_here(question.project), said="followed")


def _followed(folder: str) -> str:
    try:
        entry = Timetable().find(folder)
    except UsageError:
        return ""
    return entry.when if entry.work == "revisit" and entry.on else ""


def _here(project: str) -> str:
    return address_of(project) + "/collection"
