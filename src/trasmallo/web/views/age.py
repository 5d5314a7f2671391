"""The age of a collection: expected and measured, what visits found, how fast its sites change, and which visits are due."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from trasmallo.crawl.revisit.age_figure import draw_chosen_ages
from trasmallo.crawl.revisit.budget import parse_budget
from trasmallo.crawl.revisit.collection import PlannedVisit, Rate
from trasmallo.crawl.revisit.rate_figure import draw_page_rates, draw_rates
from trasmallo.pipeline.freshness import Freshness
from trasmallo.pipeline.visit_calendar import VisitCalendar
from trasmallo.values.errors import UsageError
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import Deed, PageAnswer
from trasmallo.web.views.projects import address_of
from trasmallo.web.views.studies import translated

if TYPE_CHECKING:
    from trasmallo.project.project import Project

pages = Pages()

_KEPT = 600.0
"""Seconds for which an answer is kept. Judgement: ages are told in days, and a plan reads all visits there ever were."""

Budget = Annotated[str, Meta(max_length=40)]
PICTURES = ("ages", "rates", "pages")


class AgeQuestion(msgspec.Struct, frozen=True):
    """The age of a collection, and at most so many of the visits that a budget ("500", "500/day") allows.

    `day` (2026-11-18) is one of the calendar whose visits are wanted.
    """

    project: str
    budget: Budget = ""
    day: Annotated[str, Meta(max_length=40)] = ""
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 50


class AgePictureQuestion(msgspec.Struct, frozen=True):
    """How copies age at the rates of the collection, or how many of its sites, or pages, change how often."""

    project: str
    which: Literal["ages", "rates", "pages"] = "ages"


class RevisitForm(msgspec.Struct, frozen=True):
    """Make the visits that a budget allows, "" for the usual one."""

    project: str
    budget: Budget = ""


class VisitCard(msgspec.Struct, frozen=True, kw_only=True):
    """A visit that is due: `age` is the expected age of the copy in days, `seen` when it was made, `reason` why in words."""

    url: str
    age: float
    rate: Rate
    seen: float
    reason: str


class AgeAnswer(PageAnswer, frozen=True, kw_only=True):
    """The age of the collection; `planned` counts the visits that are due, of which `plan` has the first.

    `process` works on the project now, 0 when nobody does. A budget that is none has a `problem`, and no plan. `show_plan` and
    `revisit` do without a browser what the two buttons do, `show_calendar` what the calendar shows: visits by day at the
    budget, None for one that is none, and of the day that was asked for the first visits, `day_plan`.
    """

    age: Freshness
    planned: int
    plan: tuple[VisitCard, ...]
    pictures: dict[str, str]
    process: int
    show_plan: Deed
    revisit: Deed
    calendar: VisitCalendar | None
    day_plan: tuple[VisitCard, ...]
    show_calendar: Deed
    problem: str = ""
    repair: str = ""


@pages.get("/p/{project}/age", "age.html")
def show_age(visit: Visit, question: AgeQuestion) -> AgeAnswer:
    """How old the collection is, what visits found, and which pages are visited next and why."""
    project = visit.project(question.project)
    age = _freshness(visit, project)
    plan, problem, repair = _plan(visit, project, question.budget.strip())
    base, folder = address_of(question.project), str(project.folder)
    show_plan, revisit = _deeds(project, question.budget.strip())
    calendar = None if problem else _calendar(visit, project, question)
    return AgeAnswer(
        age=age,
        planned=len(plan),
        plan=tuple(_card(one) for one in plan[: question.limit]),
        pictures={which: f"{base}/age/picture?which={which}" for which in PICTURES},
        process=project.worker(),
        show_plan=show_plan,
        revisit=revisit,
        calendar=msgspec.structs.replace(calendar, visits=()) if calendar else None,
        day_plan=tuple(_card(one) for one in calendar.visits[: question.limit]) if calendar else (),
        show_calendar=_calendar_deed(project, question),
        problem=problem,
        repair=repair,
        command=shlex.join(["trasmallo", "fresh", folder]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({folder!r}).freshness()\n",
    )


@pages.get("/p/{project}/age/picture")
def draw_age(visit: Visit, question: AgePictureQuestion) -> Download:
    """How copies age, or how often sites or pages change, as a picture (SVG)."""
    found = _freshness(visit, visit.project(question.project))
    rates = [site.rate.mean for site in found.sites]
    if question.which == "pages":
        drawing = draw_page_rates([each.pages for each in found.rates])
    else:
        drawing = draw_chosen_ages(rates) if question.which == "ages" else draw_rates(rates)
    octets = translated(drawing, visit.words).svg().encode()
    return Download(f"{quote(question.project)}-{question.which}.svg", "image/svg+xml", iter([octets]), inline=True)


@pages.post("/p/{project}/revisit")
def revisit(visit: Visit, question: RevisitForm) -> ActionResult:
    """Visit again what most needs it, in a process of its own which goes on when the app ends."""
    visit.project(question.project).start_revisit(question.budget.strip())
    return ActionResult(goto=address_of(question.project) + "/live")


def _freshness(visit: Visit, project: Project) -> Freshness:
    return visit.pool.computed(project, f"freshness {time.time() // _KEPT}", project.freshness)


def _plan(visit: Visit, project: Project, budget: str) -> tuple[list[PlannedVisit], str, str]:
    """The visits that are due, or what is wrong with the budget."""
    try:
        if budget:
            parse_budget(budget)
    except UsageError as error:
        return [], *error.said
    found = visit.pool.computed(project, f"visits {budget} {time.time() // _KEPT}", lambda: project.planned_visits(budget))
    return found, "", ""


def _calendar(visit: Visit, project: Project, question: AgeQuestion) -> VisitCalendar:
    budget, day = question.budget.strip(), question.day.strip()
    key = f"calendar {budget} {day} {time.time() // _KEPT}"
    return visit.pool.computed(project, key, lambda: project.visit_calendar(budget, day))


def _calendar_deed(project: Project, question: AgeQuestion) -> Deed:
    """How the calendar, or its open day, is seen elsewhere."""
    budget, day = question.budget.strip(), question.day.strip()
    words = ["trasmallo", "fresh", str(project.folder), *(["--day", day] if day else ["--calendar"])]
    given = ", ".join(f"{name}={value!r}" for name, value in (("budget", budget), ("date", day)) if value)
    opened = f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r})"
    return Deed(shlex.join([*words, *(["--budget", budget] if budget else [])]), f"{opened}.visit_calendar({given})\n")


def _card(planned: PlannedVisit) -> VisitCard:
    return VisitCard(url=planned.url, age=planned.age, rate=planned.rate, seen=planned.seen, reason=planned.reason)


def _deeds(project: Project, budget: str) -> tuple[Deed, Deed]:
    """How the plan is seen, and how its visits are made, elsewhere."""
    words = ["trasmallo", "revisit", str(project.folder), *(["--budget", budget] if budget else [])]
    opened, given = f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r})", repr(budget) if budget else ""
    return (
        Deed(shlex.join([*words, "--plan"]), f"{opened}.planned_visits({given})\n"),
        Deed(shlex.join(words), f"{opened}.revisit({given})\n"),
    )
