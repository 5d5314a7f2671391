"""What was refused, failed or left out, and why; and the page of help."""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.project.results.results import Incident
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.showing import Answer
from trasmallo.web.views.projects import Line, Nothing

pages = Pages()

ROWS = 200


class IncidentsQuestion(msgspec.Struct, frozen=True):
    """Incidents of a project: of a kind, or with a text in the address or the cause."""

    project: str
    what: Line = ""
    text: Line = ""
    offset: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


class IncidentsAnswer(Answer, frozen=True, kw_only=True):
    """A page of incidents, how many of each kind there are, and how many match."""

    incidents: list[Incident]
    kinds: dict[str, int]
    number: int
    next: int
    what: str
    text: str


class IncidentsExport(IncidentsQuestion, frozen=True):
    """The same incidents as a file, all of them."""

    kind: Literal["csv", "jsonl"] = "csv"


class HelpAnswer(Answer, frozen=True, kw_only=True):
    """Where things are."""

    version: str


@pages.get("/p/{project}/incidents", "incidents.html")
def show_incidents(visit: Visit, question: IncidentsQuestion) -> IncidentsAnswer:
    """What was refused, failed or left out in the latest run, and why."""
    project = visit.project(question.project)
    kinds: Counter[str] = Counter()
    found: list[Incident] = []
    number = 0
    for incident in project.incidents():
        kinds[incident.what] += 1
        if _matches(incident, question):
            if question.offset <= number < question.offset + ROWS:
                found.append(incident)
            number += 1
    end = question.offset + len(found)
    return IncidentsAnswer(
        incidents=found,
        kinds=dict(sorted(kinds.items())),
        number=number,
        next=end if end < number else 0,
        what=question.what,
        text=question.text,
        command=shlex.join(["trasmallo", "incidents", str(project.folder)]),
        python=f"import trasmallo\n\nlist(trasmallo.Project.open({str(project.folder)!r}).incidents())\n",
    )


@pages.get("/p/{project}/incidents/export")
def export_incidents(visit: Visit, question: IncidentsExport) -> Download:
    """The incidents that are seen, as a file."""
    from trasmallo.web.files import separated

    project = visit.project(question.project)
    rows = (incident for incident in project.incidents() if _matches(incident, question))
    first = list(itertools.islice(rows, 1))  # what is wrong with the project is told before the file begins
    every = itertools.chain(first, rows)
    name = f"{question.project}-incidents.{question.kind}"
    if question.kind == "jsonl":
        return Download(name, "application/x-ndjson", (msgspec.json.encode(row) + b"\n" for row in every))
    columns = ("url", "what", "cause", "at")
    return Download(name, "text/csv", separated(columns, _tuples(every), tabs=False))


@pages.get("/help", "help.html")
def show_help(visit: Visit, question: Nothing) -> HelpAnswer:  # noqa: ARG001 - every page has both
    """What can be done where, and by which keys."""
    from trasmallo import __version__

    return HelpAnswer(version=__version__)


def _tuples(incidents: Iterator[Incident]) -> Iterator[tuple[object, ...]]:
    return ((incident.url, incident.what, incident.cause, incident.at) for incident in incidents)


def _matches(incident: Incident, question: IncidentsQuestion) -> bool:
    if question.what and incident.what != question.what:
        return False
    text = question.text.lower()
    return not text or text in incident.url.lower() or text in incident.cause.lower()
