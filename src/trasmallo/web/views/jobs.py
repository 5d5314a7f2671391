"""Jobs: long questions with their progress, stopped and forgotten here, and shown again after the page is loaded anew."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.jobs import JobKind, JobOptions, JobState
from trasmallo.project.scoped_names import scoped_name, split_name
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.tables import within

pages = Pages()

Text = Annotated[str, Meta(max_length=300)]
Number = Annotated[int, Meta(ge=1, le=10**9)]


class JobsQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of a project; `to` is a page of it that waits for the job `number`."""

    project: str
    number: Annotated[int, Meta(ge=0, le=10**9)] = 0
    to: Annotated[str, Meta(max_length=10_000)] = ""


class JobForm(msgspec.Struct, frozen=True, kw_only=True):
    """A job to be started: its kind, and what it is asked."""

    project: str
    kind: JobKind
    name: Text = ""
    language: Text = ""
    site: Text = ""
    run: Text = ""
    other: Text = ""
    other_run: Text = ""
    by: Text = ""
    number: Annotated[int, Meta(ge=0, le=1_000)] = 0
    to: Annotated[str, Meta(max_length=10_000)] = ""

    @property
    def options(self) -> JobOptions:
        """What it is asked."""
        names = ("name", "language", "site", "run", "other", "other_run", "by", "number")
        return {name: value for name in names if (value := getattr(self, name))}


class JobQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One job."""

    project: str
    number: Number


class JobsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The jobs, the latest first; `to` is the page that waits for the job `number`."""

    project: str
    jobs: tuple[JobState, ...] = ()
    number: int = 0
    to: str = ""

    @property
    def running(self) -> bool:
        """Whether one of them goes on."""
        return any(one.state == "running" for one in self.jobs)

    def place(self, one: JobState) -> str:
        """Where the answer of a job is looked at."""
        job = one.job
        project = scoped_name(split_name(self.project)[0], job.scope)
        if job.kind == "subcorpus":
            return within(project, "").rstrip("/")
        options = {name: value for name, value in job.options.items() if name != "name"}
        path = f"tables/{job.options['name']}" if job.kind == "table" else job.kind
        return within(project, f"{path}?{urlencode(options)}".rstrip("?"))


@pages.get("/p/{project}/jobs", "jobs.html")
def show_jobs(visit: Visit, question: JobsQuestion) -> JobsAnswer:
    """The long questions of a project, and how far each is."""
    project = visit.project(split_name(question.project)[0])
    begins = within(question.project, "").rstrip("/")
    return JobsAnswer(
        project=question.project,
        jobs=tuple(project.jobs()),
        number=question.number,
        to=question.to if question.to.startswith(begins) else "",
        command=shlex.join(["trasmallo", "jobs", str(project.folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).jobs()\n",
    )


@pages.post("/p/{project}/jobs/start")
def start_job(visit: Visit, question: JobForm) -> ActionResult:
    """Ask a long question in a process of its own."""
    number = visit.project(question.project, waits=False).start_job(question.kind, **question.options)
    told = urlencode({"number": number} | ({"to": question.to} if question.to else {}))
    return ActionResult(goto=within(question.project, f"jobs?{told}"), said="job_started")


@pages.post("/p/{project}/jobs/stop")
def stop_job(visit: Visit, question: JobQuestion) -> ActionResult:
    """End a job without an answer."""
    visit.project(split_name(question.project)[0]).stop_job(question.number)
    return ActionResult(goto=within(question.project, "jobs"), said="job_stopped")


@pages.post("/p/{project}/jobs/remove")
def remove_job(visit: Visit, question: JobQuestion) -> ActionResult:
    """Forget a job and its answer."""
    visit.project(split_name(question.project)[0]).remove_job(question.number)
    return ActionResult(goto=within(question.project, "jobs"), said="job_removed")


@pages.get("/p/{project}/jobs/{number}/answer")
def take_answer(visit: Visit, question: JobQuestion) -> Download:
    """The answer of a job as JSON."""
    found = visit.project(split_name(question.project)[0]).job_answer(question.number)

    def pieces() -> Iterator[bytes]:
        yield msgspec.json.encode(found)

    return Download(f"job-{question.number}.json", "application/json", pieces())
