"""What was refused, failed or left out, and why; and the page of help."""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.crawl.retries import FAILED, requested_retries
from trasmallo.project.project import Project
from trasmallo.results.incidents import Incident, IncidentReport
from trasmallo.store import run_folders
from trasmallo.values.software import __version__
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import Deed, PageAnswer
from trasmallo.web.views.live import Texts
from trasmallo.web.views.projects import Line, Nothing, address_of

pages = Pages()

ROWS = 200
"""Rows of a page. Judgement: some screens."""

_KEPT = 50_000
"""Incidents that are held to be filtered. Judgement: what a server can keep for each project; more are read anew each time."""


class IncidentsQuestion(msgspec.Struct, frozen=True):
    """Incidents of a project: of a kind, or with a text in the address or the cause."""

    project: str
    what: Line = ""
    text: Line = ""
    offset: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


class IncidentsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The `report` of all that was asked, a page of incidents, addresses of each kind, and how many incidents match.

    `failed` of these can be tried `again`.
    `again_kinds` are those that can be. `wished` wait for that already; `process` is at work on them, 0 when nobody is.
    """

    report: IncidentReport
    incidents: list[Incident]
    kinds: dict[str, int]
    number: int
    next: int
    what: str
    text: str
    failed: int
    again: Deed
    again_kinds: tuple[str, ...]
    wished: int
    process: int


class RetryForm(msgspec.Struct, frozen=True):
    """Addresses to try again: these, or all that failed so, with a text in the address or the cause."""

    project: str
    urls: Texts = ()
    what: Line = ""
    text: Line = ""


class IncidentsExport(IncidentsQuestion, frozen=True):
    """The same incidents as a file, all of them."""

    kind: Literal["csv", "jsonl"] = "csv"
    raw: bool = False
    bom: bool = False


class HelpAnswer(PageAnswer, frozen=True, kw_only=True):
    """Where things are."""

    version: str


@pages.get("/p/{project}/incidents", "incidents.html")
def show_incidents(visit: Visit, question: IncidentsQuestion) -> IncidentsAnswer:
    """What was refused, failed or left out in the latest run, and why."""
    project = visit.project(question.project)
    kinds: Counter[str] = Counter()
    found: list[Incident] = []
    number = failed = 0
    for incident in _incidents(visit, project):
        kinds[incident.what] += incident.number
        if _matches(incident, question):
            failed += incident.what in FAILED
            if question.offset <= number < question.offset + ROWS:
                found.append(incident)
            number += 1
    end = question.offset + len(found)
    return IncidentsAnswer(
        report=visit.pool.computed(project, "incident report", project.incident_report),
        incidents=found,
        kinds=dict(sorted(kinds.items())),
        number=number,
        next=end if end < number else 0,
        what=question.what,
        text=question.text,
        failed=failed,
        again=_again(project, question),
        again_kinds=FAILED,
        wished=len(requested_retries(run_folders.told_of(project.runs, working=bool(project.worker())).retry_folders)),
        process=project.worker(),
        command=shlex.join(["trasmallo", "incidents", str(project.folder)]),
        python=f"import trasmallo\n\nlist(trasmallo.Project.open({str(project.folder)!r}).incidents())\n",
    )


def _incidents(visit: Visit, project: Project) -> Iterable[Incident]:
    """All of them, looked for again when the run has changed; very many are not kept meanwhile."""
    kept: list[Incident] = visit.pool.computed(project, "incidents", lambda: list(itertools.islice(project.incidents(), _KEPT)))
    return kept if len(kept) < _KEPT else project.incidents()


@pages.post("/p/{project}/incidents/retry")
def retry(visit: Visit, question: RetryForm) -> ActionResult:
    """Have addresses tried again that failed: by the run that is at work, or when it goes on."""
    told = visit.project(question.project).retry(
        *question.urls, what=question.what, text="" if question.urls else question.text
    )
    shown = {name: value for name, value in (("what", question.what), ("text", question.text)) if value}
    goto = address_of(question.project) + "/incidents" + ("?" + urlencode(shown) if shown else "")
    return ActionResult(goto=goto, said="retried", detail=str(told.addresses))


@pages.get("/p/{project}/incidents/export")
def export_incidents(visit: Visit, question: IncidentsExport) -> Download:
    """The incidents that are seen, as a file."""
    from trasmallo.web.files import KINDS, FileKind, rows_as_file

    project = visit.project(question.project)
    rows = (incident for incident in project.incidents() if _matches(incident, question))
    first = list(itertools.islice(rows, 1))  # what is wrong with the project is told before the file begins
    every = itertools.chain(first, rows)
    name = f"{question.project}-incidents.{question.kind}"
    file, columns = FileKind(question.kind, question.raw, question.bom), ("url", "what", "cause", "at", "number")
    origin = shlex.join(["trasmallo", "incidents", str(project.folder)])
    return Download(name, KINDS[question.kind], rows_as_file(file, columns, _tuples(every), origin))


@pages.get("/help", "help.html")
def show_help(visit: Visit, question: Nothing) -> HelpAnswer:  # noqa: ARG001 - every page has both
    """What can be done where, and by which keys."""
    return HelpAnswer(version=__version__)


def _again(project: Project, question: IncidentsQuestion) -> Deed:
    """How all that is seen is tried again elsewhere."""
    chosen = {name: value for name, value in (("what", question.what), ("text", question.text)) if value}
    options = [word for name, value in chosen.items() for word in (f"--{name}", value)]
    keywords = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
    folder = str(project.folder)
    return Deed(
        shlex.join(["trasmallo", "retry", folder, *options]) + " && " + shlex.join(["trasmallo", "run", folder]),
        f"import trasmallo\n\nproject = trasmallo.Project.open({folder!r})\nproject.retry({keywords})\nproject.run()\n",
    )


def _tuples(incidents: Iterator[Incident]) -> Iterator[tuple[object, ...]]:
    return ((incident.url, incident.what, incident.cause, incident.at, incident.number) for incident in incidents)


def _matches(incident: Incident, question: IncidentsQuestion) -> bool:
    if question.what and incident.what != question.what:
        return False
    text = question.text.lower()
    return not text or text in incident.url.lower() or text in incident.cause.lower()
