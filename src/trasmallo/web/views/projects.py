"""The projects: the list, the overview of one, new, open, duplicate, delete and back again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, cast, get_args
from urllib.parse import quote

import msgspec
from msgspec import Meta

from trasmallo import config
from trasmallo.project import inbox
from trasmallo.project.lock import holder
from trasmallo.project.options import CrawlOptions
from trasmallo.project.settings import write_values
from trasmallo.project.workspace import TrashedProject
from trasmallo.results.summary import Summary, state_of, with_counts
from trasmallo.store import run_folders
from trasmallo.values.errors import NotFound, TrasmalloError, UsageError
from trasmallo.web.live import Live
from trasmallo.web.pages import ActionResult, Again, Pages, Visit
from trasmallo.web.rendering import Deed, PageAnswer
from trasmallo.web.timetable_entries import EntryCard, entry_of

pages = Pages()

_MOST_SEEDS = 10_000
"""Addresses that a form takes. Judgement: more belong into a file of seeds."""

ANALYSES: tuple[str, ...] = get_args(config.Analysed)
"""What can be studied, one by one, as [study] names it."""

Line = Annotated[str, Meta(max_length=2_000)]


class Nothing(msgspec.Struct, frozen=True):
    """Nothing is asked."""


class ProjectQuestion(msgspec.Struct, frozen=True):
    """A project by its name."""

    project: str


class ProjectCard(msgspec.Struct, frozen=True):
    """A project in the list. `state` is that of its latest run, "" without one; `error` says what is wrong with its file."""

    name: str
    title: str
    folder: str
    language: str = ""
    seeds: int = 0
    runs: int = 0
    state: str = ""
    began: float = 0.0
    error: str = ""


class ProjectsAnswer(PageAnswer, frozen=True, kw_only=True):
    """Every known project, and what is in the trash; `restore` tells by its key how each comes back."""

    known: tuple[ProjectCard, ...]
    trash: tuple[TrashedProject, ...]
    restore: dict[str, Deed]
    home: str


class RunCard(msgspec.Struct, frozen=True):
    """A run of a project; the results of one that was `thinned` out are gone."""

    name: str
    kind: str
    state: str
    began: float
    ended: str
    thinned: bool = False


class OverviewAnswer(PageAnswer, frozen=True, kw_only=True):
    """A project at a glance: its runs, latest first, and the summary of the latest, None when there is none.

    `duplicate` and `delete` do elsewhere what its buttons do.
    """

    card: ProjectCard
    past: tuple[RunCard, ...]
    summary: Summary | None = None
    error: str = ""
    sent: int = 0
    timetable: EntryCard | None = None
    duplicate: Deed = Deed()
    delete: Deed = Deed()


class NewForm(msgspec.Struct, frozen=True):
    """A new project: addresses one a line, those of a file, and which analyses; a blank one tells that none was chosen."""

    name: Line = ""
    addresses: Annotated[str, Meta(max_length=1 << 22)] = ""
    file: Annotated[str, Meta(max_length=1 << 24)] = ""
    language: Line = "es"
    scope: Line = "domain"
    pages: Line = ""
    study: tuple[str, ...] = ANALYSES


class NewAnswer(PageAnswer, frozen=True, kw_only=True):
    """The form for a new project, with what was typed and what is wrong with it."""

    typed: NewForm
    home: str
    analyses: tuple[str, ...] = ANALYSES
    field: str = ""
    problem: str = ""
    repair: str = ""


class OpenForm(msgspec.Struct, frozen=True):
    """A project's folder."""

    folder: Line = ""


class NameForm(msgspec.Struct, frozen=True):
    """A project, and the name of its copy."""

    project: str
    name: Line = ""


class TrashForm(msgspec.Struct, frozen=True):
    """Something in the trash."""

    key: Line


@pages.get("/", "projects.html")
def list_projects(visit: Visit, question: Nothing) -> ProjectsAnswer:  # noqa: ARG001 - every page has a question
    """All projects, with the state of each, and what was deleted."""
    workspace = visit.workspace
    cards = tuple(_card(name, workspace.folder(name), visit.folder(name)) for name in workspace.names())
    python = "import trasmallo\n\n" + "".join(f"trasmallo.Project.open({card.folder!r})\n" for card in cards[:1])
    command = shlex.join(["trasmallo", "serve", *(card.folder for card in cards)])
    trash = tuple(workspace.trash())
    return ProjectsAnswer(
        known=cards,
        trash=trash,
        restore={trashed.key: _restoring(trashed) for trashed in trash},
        home=str(workspace.home),
        command=command,
        python=python,
    )


@pages.get("/p/{project}", "overview.html")
def show_project(visit: Visit, question: ProjectQuestion) -> OverviewAnswer:
    """A project at a glance: its runs and what the latest brought."""
    folder = visit.workspace.folder(question.project)
    home = visit.folder(question.project)
    card = _card(question.project, folder, home)
    past, summary, error = _look(visit, question.project, home, card)
    return OverviewAnswer(
        card=card,
        past=tuple(reversed(past)),
        summary=summary,
        error=error,
        sent=inbox.count(home),
        timetable=entry_of(visit, folder),
        duplicate=_duplicating(folder, visit.workspace.home / f"{card.title} 2"),
        delete=_deleting(folder),
        heading=card.title,
        command=shlex.join(["trasmallo", "status", str(folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(folder)!r}).summary()\n",
    )


@pages.get("/new", "new.html")
def show_new(visit: Visit, question: Nothing) -> NewAnswer:  # noqa: ARG001 - every page has a question
    """The form for a new project."""
    folder = str(visit.workspace.home / "NAME")
    return NewAnswer(
        typed=NewForm(),
        home=str(visit.workspace.home),
        command=shlex.join(["trasmallo", "new", folder, "https://example.org/", "--language", "es"]),
        python=f"import trasmallo\n\ntrasmallo.Project.new({folder!r}, ['https://example.org/'], language='es')\n",
    )


@pages.post("/new")
def make_project(visit: Visit, question: NewForm) -> ActionResult:
    """Make a project from addresses, a language and what to study."""
    field = "name"
    try:
        visit.workspace.check_name(question.name)
        field = "study"
        analyses = _analyses_of(question)
        field = "addresses"
        name = visit.workspace.new(question.name, addresses_in(question), question.language.strip(), **_crawl_of(question))
        if analyses != ANALYSES:
            write_values(visit.workspace.folder(name) / config.FILE_NAME, {"study.analyses": list(analyses)})
    except TrasmalloError as error:
        field = field_of(error, ("name", "language", "scope", "pages")) or field
        answer = NewAnswer(
            typed=question, home=str(visit.workspace.home), field=field, problem=error.said.problem, repair=error.said.repair
        )
        raise Again("new.html", answer, error) from None
    return ActionResult(goto=address_of(name) + "/settings", said="made")


@pages.post("/open")
def open_project(visit: Visit, question: OpenForm) -> ActionResult:
    """Take a project into the list from wherever it is."""
    if not question.folder.strip():
        raise UsageError("no folder was given", "type the folder of a project")
    return ActionResult(goto=address_of(visit.workspace.open(question.folder.strip())), said="opened")


@pages.post("/p/{project}/duplicate")
def duplicate_project(visit: Visit, question: NameForm) -> ActionResult:
    """Save a project as another one: the same settings and lists, no results."""
    copy = visit.workspace.duplicate(question.project, question.name or f"{question.project} 2")
    return ActionResult(goto=address_of(copy) + "/settings", said="duplicated")


@pages.post("/p/{project}/delete")
def delete_project(visit: Visit, question: ProjectQuestion) -> ActionResult:
    """Move a project to the trash; it can come back."""
    trashed = visit.workspace.move_to_trash(question.project)
    return ActionResult(goto="/", said="deleted", detail=trashed.key)


@pages.post("/trash/restore")
def restore_project(visit: Visit, question: TrashForm) -> ActionResult:
    """Bring a deleted project back."""
    return ActionResult(goto=address_of(visit.workspace.restore(question.key)), said="restored")


@pages.post("/trash/erase")
def erase_project(visit: Visit, question: TrashForm) -> ActionResult:
    """Remove a deleted project for ever."""
    visit.workspace.erase(question.key)
    return ActionResult(goto="/", said="erased")


def address_of(name: str) -> str:
    """Where the pages of a project begin."""
    return f"/p/{quote(name, safe='')}"


def addresses_in(form: NewForm) -> list[str]:
    """The addresses typed and those of the file; raises UsageError when there are none or too many."""
    lines = [line.strip() for text in (form.addresses, form.file) for line in text.splitlines()]
    found = [completed(line) for line in lines if line and not line.startswith("#")]
    if not found:
        raise UsageError("there are no addresses to start from", "write one a line, such as https://example.org/")
    if len(found) > _MOST_SEEDS:
        raise UsageError(
            "these are {count:,} addresses", "give at most {most_seeds:,}", count=len(found), most_seeds=_MOST_SEEDS
        )
    return found


def field_of(error: TrasmalloError, fields: tuple[str, ...]) -> str:
    """The field of a form that an error is about, "" when it does not say."""
    named = [field for field in fields if f"`{field}`" in error.problem or f".{field}`" in error.problem]
    named += [field for field in fields if f".{field}[" in error.problem]
    return named[0] if named else ""


def completed(address: str) -> str:
    """What people type in a browser's address line is an address too."""
    return address if "://" in address else f"https://{address}"


def _crawl_of(form: NewForm) -> CrawlOptions:
    """Keys of [crawl], unchecked; what is no number stays a text and is refused."""
    digits = form.pages.strip()
    pages = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else digits
    return cast("CrawlOptions", {"scope": form.scope} | ({"pages": pages} if digits else {}))


def _analyses_of(form: NewForm) -> tuple[str, ...]:
    """What was chosen, in the order of the project file."""
    if strange := sorted(set(form.study) - {"", *ANALYSES}):
        raise UsageError(
            "there is no analysis {name!r}", "choose among {analyses}", name=strange[0], analyses=", ".join(ANALYSES)
        )
    return tuple(name for name in ANALYSES if name in form.study)


def _duplicating(folder: Path, copy: Path) -> Deed:
    made = f"workspace.duplicate(workspace.open({str(folder)!r}), {copy.name!r})"
    return Deed(shlex.join(["trasmallo", "duplicate", str(folder), str(copy)]), _in_workspace(copy.parent, made))


def _deleting(folder: Path) -> Deed:
    gone = f"workspace.move_to_trash(workspace.open({str(folder)!r}))"
    return Deed(shlex.join(["trasmallo", "delete", str(folder)]), _in_workspace(folder.parent, gone))


def _restoring(trashed: TrashedProject) -> Deed:
    back = f"workspace.restore({trashed.key!r})"
    return Deed(shlex.join(["trasmallo", "restore", trashed.folder]), _in_workspace(Path(trashed.folder).parent, back))


def _in_workspace(home: Path, line: str) -> str:
    """Python that does something to whole projects of a folder."""
    return f"from trasmallo.project.workspace import Workspace\n\nworkspace = Workspace([{str(home)!r}])\n{line}\n"


def _card(name: str, folder: Path, home: Path) -> ProjectCard:
    """A project in a folder, as far as it can be read in its `home`."""
    card = ProjectCard(name, name, str(folder))
    try:
        settings = config.load(home / config.FILE_NAME)
        card = msgspec.structs.replace(card, title=settings.name, language=settings.language, seeds=len(settings.crawl.seeds))
    except TrasmalloError as error:
        card = msgspec.structs.replace(card, error=error.message)
    try:
        past = run_folders.find(home / "runs")
    except TrasmalloError as error:
        return msgspec.structs.replace(card, error=card.error or error.message)
    if not past:
        return card
    process = holder(home)
    told = run_folders.told_of(home / "runs", working=bool(process))
    return msgspec.structs.replace(card, runs=len(past), state=state_of(told, process), began=told.manifest.began)


def _at_moment(summary: Summary, live: Live) -> Summary:
    """A summary with what the live view tells."""
    return msgspec.structs.replace(with_counts(summary, live.counts), left=live.left)


def _look(visit: Visit, name: str, home: Path, card: ProjectCard) -> tuple[list[RunCard], Summary | None, str]:
    """The runs and the latest one's summary, or what is wrong with them."""
    try:
        past = [run.manifest for run in run_folders.find(home / "runs")]
        listed = [RunCard(run.name, run.kind, run.state, run.began, run.ended, run.thinned) for run in past]
        project = visit.project(name)
        if not past:
            return listed, None, card.error
        summary = visit.pool.computed(project, "summary", project.summary)
        # Its words may be those of a moment ago; the counts are those of the live view.
        live = visit.state.watchers.of(home).look()
        return listed, summary if live.error else _at_moment(summary, live), card.error
    except NotFound:
        raise
    except TrasmalloError as error:
        return [], None, card.error or error.message
