"""Line groups: lines of a concordance are put together by ticks, and looked at, renamed, taken away and removed here."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Annotated, Literal
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Meta

from trasmallo.results.concordance.marked_lines import COLUMNS, FoundLine, LineGroup
from trasmallo.values.errors import UsageError
from trasmallo.web import cell_links
from trasmallo.web.breadcrumb import GroupName, HitSelection
from trasmallo.web.files import KINDS, FileKind, origin_of, rows_as_file
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.concordance import options_of
from trasmallo.web.views.tables import within

pages = Pages()

_SHOWN = 1_000
"""Lines of a group that a page shows; a file has all of them. Judgement: more is not read there."""


class TickedQuestion(HitSelection, frozen=True, kw_only=True):
    """Lines of a concordance, each as "document:start:end", or with `every` all hits: into a `group` or out of it.

    With `hide` they go into it, too, and are left out of the concordance from then on.
    """

    group: GroupName = ""
    deed: Literal["into", "out_of", "hide"] = "into"
    lines: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=10_000)] = ()
    every: bool = False
    offset: Annotated[int, Meta(ge=0, le=5_000_000)] = 0
    tags: bool = False


class GroupsQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The line groups of a project."""

    project: str


class GroupQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One of them; `new` is another name for it, `kind` that of a file."""

    project: str
    group: GroupName
    new: GroupName = ""
    kind: Literal["csv", "tsv", "jsonl"] = "csv"
    bom: bool = False


class GroupsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The groups with their counts; of one that was asked for its first lines, and how many it has."""

    project: str
    groups: tuple[LineGroup, ...] = ()
    group: str = ""
    lines: tuple[FoundLine, ...] = ()
    number: int = 0

    def page(self, group: str, deed: str = "") -> str:
        """Where a group is shown, or what can be done with it."""
        return within(self.project, f"groups/{quote(group, safe='')}{deed}")

    def place(self, line: FoundLine) -> str:
        """Where a line stands in its document; "" for one that is lost."""
        if line.state == "lost":
            return ""
        return within(self.project, cell_links.document(line.line.document, line.start, line.end))

    @property
    def queries(self) -> dict[str, str]:
        """The concordances that the lines come from, within the group."""
        asked = dict.fromkeys(one.line.query for one in self.lines if one.line.query)
        chosen = {query: urlencode({"query": query, "in_group": self.group}) for query in asked}
        return {query: within(self.project, f"concordance?{told}") for query, told in chosen.items()}


@pages.post("/p/{project}/concordance/mark")
def mark_lines(visit: Visit, question: TickedQuestion) -> ActionResult:
    """Put lines of a concordance into a group, or take them out of it."""
    group = question.group.strip() or (visit.words("group.hidden") if question.deed == "hide" else "")
    if not group:
        raise UsageError("no group is named", "write a name for the lines")
    if not question.lines and not question.every:
        raise UsageError("no line is chosen", "tick some lines, or choose all of them")
    project = visit.project(question.project)
    with visit.pool.concordance(project, question.run) as concordance:
        if question.every:
            hits = list(concordance.lines(question.query, options_of(question, 0)))
        else:
            places = [_place(line) for line in question.lines]
            hits = list(concordance.lines_at(question.query, places, options_of(question, 0)))
    if question.deed == "out_of":
        number = project.take_out_of_group(group, hits)
    else:
        number = project.put_into_group(group, hits, query=question.query)
    left = question.not_in if question.deed != "hide" else tuple(dict.fromkeys((*question.not_in, group)))
    unsaid = {"group": None, "deed": None, "lines": None, "every": None}
    goto = within(question.project, f"concordance?{urlencode(question.pairs(not_in=left, **unsaid))}")
    return ActionResult(goto=goto, said="taken_out" if question.deed == "out_of" else "grouped", detail=str(number))


def _place(line: str) -> tuple[str, int, int]:
    document, _, place = line.partition(":")
    start, _, end = place.partition(":")
    if not (start.isascii() and start.isdigit() and end.isascii() and end.isdigit()):
        raise UsageError("{line!r} is no line", "load the page again, and tick the lines once more", line=line[:80])
    return document, int(start), int(end)


@pages.get("/p/{project}/groups", "groups.html")
def show_groups(visit: Visit, question: GroupsQuestion) -> GroupsAnswer:
    """The line groups of a project."""
    project = visit.project(question.project)
    return GroupsAnswer(
        project=question.project,
        groups=tuple(project.line_groups()),
        command=shlex.join(["trasmallo", "groups", str(project.folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).line_groups()\n",
    )


@pages.get("/p/{project}/groups/{group}", "groups.html")
def show_group(visit: Visit, question: GroupQuestion) -> GroupsAnswer:
    """The lines of a group, each where it stands now."""
    project = visit.project(question.project)
    found = project.line_group(question.group)
    return GroupsAnswer(
        project=question.project,
        group=question.group,
        lines=tuple(found[:_SHOWN]),
        number=len(found),
        command=shlex.join(["trasmallo", "groups", str(project.folder), question.group]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).line_group({question.group!r})\n",
    )


@pages.get("/p/{project}/groups/{group}/export")
def export_group(visit: Visit, question: GroupQuestion) -> Download:
    """The lines of a group as a file."""
    project = visit.project(question.project)
    found = project.line_group(question.group)
    origin = shlex.join(["trasmallo", "groups", str(project.folder), question.group, "--format", question.kind])
    file = rows_as_file(
        FileKind(question.kind, bom=question.bom), COLUMNS, (one.row for one in found), origin_of(project, origin)
    )
    return Download(f"{question.group}.{question.kind}", KINDS[question.kind], _all(file))


@pages.post("/p/{project}/groups/{group}/rename")
def rename_group(visit: Visit, question: GroupQuestion) -> ActionResult:
    """Give a group another name."""
    visit.project(question.project).rename_group(question.group, question.new.strip())
    return ActionResult(goto=within(question.project, f"groups/{quote(question.new.strip(), safe='')}"), said="saved")


@pages.post("/p/{project}/groups/{group}/remove")
def remove_group(visit: Visit, question: GroupQuestion) -> ActionResult:
    """Forget a group."""
    number = visit.project(question.project).remove_group(question.group)
    return ActionResult(goto=within(question.project, "groups"), said="group_removed", detail=str(number))


def _all(file: Iterator[bytes]) -> Iterator[bytes]:
    return (piece for piece in file if piece)
