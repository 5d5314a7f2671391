"""The lists of words of a project: edited, saved, loaded from a file, made of standard or frequent words."""

from __future__ import annotations

import shlex
from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta

from trasmallo import config
from trasmallo.project.settings import write_values
from trasmallo.study import word_lists
from trasmallo.study.stop_lists import SHARED
from trasmallo.values.errors import NotFound
from trasmallo.values.messages import Message
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import Line, ProjectQuestion, address_of

pages = Pages()

_Words = Annotated[str, Meta(max_length=1 << 24)]


class ListsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The lists of a project, and how its settings use them."""

    lists: tuple[word_lists.ListCard, ...]
    stop: str
    only: str
    language: str


class ListQuestion(msgspec.Struct, frozen=True):
    """A list by its file's name."""

    project: str
    name: str


class ListAnswer(PageAnswer, frozen=True, kw_only=True):
    """The words of a list."""

    name: str
    words: list[str]
    use: str


class ListForm(msgspec.Struct, frozen=True):
    """A list to be saved: words typed one a line, those of a file, of another list, of a language, and the most frequent.

    `load` is the name of that list; `shared` saves it for all projects.
    """

    project: str
    name: Line
    words: _Words = ""
    file: _Words = ""
    standard: Line = ""
    frequent: Annotated[int, Meta(ge=0, le=999_999)] = 0
    load: Line = ""
    shared: bool = False


class UseForm(msgspec.Struct, frozen=True):
    """What the lists are used for, as the project file writes it."""

    project: str
    stop: Line = "none"
    only: Line = ""


@pages.get("/p/{project}/lists", "lists.html")
def show_lists(visit: Visit, question: ProjectQuestion) -> ListsAnswer:
    """The lists of words of a project."""
    project = visit.project(question.project)
    study = project.config.study
    return ListsAnswer(
        lists=tuple(word_lists.find_lists(project.folder, study)),
        stop=study.stop,
        only=study.only,
        language=project.config.language,
        command=shlex.join(["trasmallo", "stoplist", str(project.folder), "--standard", project.config.language]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).frequent_words(50)\n",
    )


@pages.get("/p/{project}/lists/{name}", "list.html")
def show_list(visit: Visit, question: ListQuestion) -> ListAnswer:
    """The words of a list."""
    project = visit.project(question.project)
    path = word_lists.list_path(project.folder, question.name)
    if not path.is_file():
        raise NotFound("there is no list {name!r}", "make it under Lists of words", name=question.name[:80])
    used = {card.name: card.used for card in word_lists.find_lists(project.folder, project.config.study)}
    command = shlex.join(["trasmallo", "stoplist", "--from", str(path)])
    return ListAnswer(name=question.name, words=word_lists.read_list(path), use=used.get(question.name, ""), command=command)


@pages.post("/p/{project}/lists")
def save_list(visit: Visit, question: ListForm) -> ActionResult:
    """Save a list of words under a name; an earlier one of that name is replaced."""
    project = visit.project(question.project)
    name = _name_of(question)
    path = word_lists.list_path(project.folder, name)
    words = [line.partition("#")[0] for text in (question.words, question.file) for line in text.splitlines()]
    words += word_lists.standard_words(question.standard) if question.standard.strip() else []
    words += project.frequent_words(question.frequent) if question.frequent else []
    words += word_lists.read_list(word_lists.list_path(project.folder, question.load)) if question.load else []
    word_lists.write_list(path, words)
    return ActionResult(goto=f"{address_of(question.project)}/lists/{quote(name, safe='')}", said="list_saved")


def _name_of(form: ListForm) -> str:
    """The name that a list is saved under: a file's, or shared:NAME."""
    name = form.name.strip() or "own.txt"
    if form.shared and not name.startswith(SHARED):
        return SHARED + name.removesuffix(".txt")
    return name if name.endswith(".txt") or name.startswith(SHARED) else f"{name}.txt"


@pages.post("/p/{project}/lists/use")
def use_lists(visit: Visit, question: UseForm) -> ActionResult:
    """Say which lists are left out of the tables, and which are the only words to study."""
    project = visit.project(question.project)
    study = config.build({"study": {"stop": question.stop or "none", "only": question.only}}, Message("what you typed")).study
    word_lists.resolve_lists(study, project.folder)
    write_values(project.folder / config.FILE_NAME, {"study.stop": study.stop, "study.only": study.only})
    return ActionResult(goto=address_of(question.project) + "/lists", said="saved")
