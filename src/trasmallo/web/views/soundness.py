"""The files of a project: whether they are what was written, and making again what is not."""

from __future__ import annotations

import shlex

import msgspec

from trasmallo.pipeline.checking import Finding
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import address_of

pages = Pages()


class CheckQuestion(msgspec.Struct, frozen=True):
    """Whether the files of a project are sound; they are only read when `now` says so, as that takes a while."""

    project: str
    now: bool = False


class CheckAnswer(PageAnswer, frozen=True, kw_only=True):
    """What was found, or that nobody has looked yet; `lossy` when the archive itself is damaged, which needs a yes."""

    checked: bool
    findings: list[Finding]
    lossy: bool


class RepairForm(msgspec.Struct, frozen=True):
    """Make again what is damaged; `accept_loss` goes on without what the archive has lost."""

    project: str
    accept_loss: bool = False


@pages.get("/p/{project}/check", "check.html")
def show_check(visit: Visit, question: CheckQuestion) -> CheckAnswer:
    """Read every file of a project and tell what is not as it was written."""
    project = visit.project(question.project)
    findings = list(project.check()) if question.now else []
    return CheckAnswer(
        checked=question.now,
        findings=findings,
        lossy=any(finding.kind == "archive" for finding in findings),
        command=shlex.join(["trasmallo", "check", str(project.folder)]),
        python=f"import trasmallo\n\nlist(trasmallo.Project.open({str(project.folder)!r}).check())\n",
    )


@pages.post("/p/{project}/repair")
def repair(visit: Visit, question: RepairForm) -> ActionResult:
    """Make again what is damaged or lost and follows from the archive, in a process of its own."""
    visit.project(question.project).start_repair(accept_loss=question.accept_loss)
    return ActionResult(goto=address_of(question.project) + "/live", said="repair")
