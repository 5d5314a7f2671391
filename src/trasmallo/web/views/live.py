"""The process: what a run is doing, live, and the actions that steer it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo import config
from trasmallo.config import CrawlConfig
from trasmallo.crawl.queue_search import QueueAnswer
from trasmallo.pipeline import control_files
from trasmallo.project.control import Excluded
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import TrasmalloError, UsageError
from trasmallo.values.messages import Message
from trasmallo.web.live import Live
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import Line, ProjectQuestion, address_of

pages = Pages()

Texts = Annotated[tuple[Line, ...], Meta(max_length=1_000)]


class LiveAnswer(PageAnswer, frozen=True, kw_only=True):
    """The state of the latest run, its curves, and the exclusions that are in force."""

    live: Live
    pace: list[control_files.Pace]
    exclude: tuple[str, ...]
    error: str = ""


class PendingQuestion(msgspec.Struct, frozen=True):
    """Addresses that wait: of a host, or with a text in them."""

    project: str
    text: Line = ""
    host: Line = ""
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 200


class PendingAnswer(PageAnswer, frozen=True, kw_only=True):
    """What was found of the queue."""

    seen: QueueAnswer
    text: str = ""
    host: str = ""


class RunForm(msgspec.Struct, frozen=True):
    """Run a project; `new` starts another run instead of going on."""

    project: str
    new: bool = False


class SteerForm(msgspec.Struct, frozen=True):
    """What a run is to do: stop downloads, finish now, pause or go on."""

    project: str
    wish: Literal["stop", "finish", "pause", "resume"]


class ExcludeForm(msgspec.Struct, frozen=True):
    """Texts to exclude, or to take out of the exclusions."""

    project: str
    texts: Texts = ()
    remove: bool = False


class ExcludeQuestion(msgspec.Struct, frozen=True):
    """Exclusions to try, a text a line; `values` are those of the settings' form, of which the exclusions count."""

    project: str
    texts: Texts = ()
    values: dict[str, str] = {}


class ExcludedAnswer(PageAnswer, frozen=True, kw_only=True):
    """What exclusions would remove."""

    texts: tuple[str, ...]
    removes: Excluded


@pages.get("/p/{project}/live", "live.html")
def show_live(visit: Visit, question: ProjectQuestion) -> LiveAnswer:
    """What the latest run is doing: its lines, its queues and why they wait, its curves and incidents."""
    folder, home = visit.workspace.folder(question.project), visit.folder(question.project)
    error, exclude = "", CrawlConfig().exclude
    try:
        exclude = config.load(home / config.FILE_NAME).crawl.exclude
    except TrasmalloError as broken:
        error = broken.message
    return LiveAnswer(
        live=visit.state.watchers.of(home).look(),
        pace=_pace(home),
        exclude=exclude,
        error=error,
        command=shlex.join(["trasmallo", "status", str(folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(folder)!r}).status()\n",
    )


@pages.get("/p/{project}/pending", "pending.html")
def show_pending(visit: Visit, question: PendingQuestion) -> PendingAnswer:
    """Addresses that wait, searched by text or host."""
    project = _steered(visit, question.project)
    seen = project.pending(question.text, host=question.host, limit=question.limit)
    asked = "".join(f", {name}={value!r}" for name, value in (("host", question.host),) if value)
    python = f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).pending({question.text!r}{asked})\n"
    words = ["trasmallo", "pending", str(project.folder), *([question.text] if question.text else [])]
    command = shlex.join([*words, *(["--host", question.host] if question.host else [])])
    return PendingAnswer(seen=seen, text=question.text, host=question.host, command=command, python=python)


@pages.get("/p/{project}/exclude", "excluded.html")
def preview_exclusions(visit: Visit, question: ExcludeQuestion) -> ExcludedAnswer:
    """What some exclusions would remove, before they are made."""
    project = _steered(visit, question.project)
    texts = _texts((*question.texts, question.values.get("crawl.exclude", "")))
    if texts:
        config.build({"crawl": {"exclude": texts}}, Message("what you typed"))
    removes = project.preview(texts) if texts else Excluded(0, 0, (), complete=True)
    return ExcludedAnswer(
        texts=tuple(texts),
        removes=removes,
        command=shlex.join(["trasmallo", "exclude", str(project.folder), *texts]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).exclude(*{texts!r})\n",
    )


@pages.post("/p/{project}/exclude")
def exclude(visit: Visit, question: ExcludeForm) -> ActionResult:
    """Exclude addresses from now on, or take exclusions back; a run takes it up within a second."""
    project = visit.project(question.project)
    project.exclude(*_texts(question.texts), remove=question.remove)
    return ActionResult(goto=address_of(question.project) + "/live", said="included" if question.remove else "excluded")


@pages.post("/p/{project}/run")
def run(visit: Visit, question: RunForm) -> ActionResult:
    """Run a project in a process of its own, which goes on when the app ends."""
    visit.project(question.project).start(new=question.new)
    return ActionResult(goto=address_of(question.project) + "/live")


@pages.post("/p/{project}/steer")
def steer(visit: Visit, question: SteerForm) -> ActionResult:
    """Stop the downloads of a run, finish it now, pause it or have it go on."""
    project = visit.project(question.project)
    if question.wish in ("stop", "finish"):
        project.stop(at_once=question.wish == "finish")
    else:
        project.pause(paused=question.wish == "pause")
    return ActionResult(goto=address_of(question.project) + "/live", said=f"wish.{question.wish}")


def _steered(visit: Visit, name: str) -> Project:
    """A project whose queue may be asked: that takes writing a question to its run while one goes on."""
    project = visit.project(name)
    if visit.read_only and project.worker():
        raise UsageError("this app only shows results", "start it without --read-only to ask what waits")
    return project


def _texts(given: tuple[str, ...]) -> list[str]:
    """Texts as typed, a line each."""
    return list(dict.fromkeys(line.strip() for text in given for line in text.splitlines() if line.strip()))


def _pace(folder: Path) -> list[control_files.Pace]:
    found = run_folders.find(folder / "runs")
    return control_files.read_pace(found[-1]) if found else []
