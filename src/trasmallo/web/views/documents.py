"""One document: what is known of it, its words, the page as it was stored, its main block, a slice of it, its versions.

What strangers wrote is shown in frames of its own address (`…/stored`), which nothing can leave and in which nothing runs.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Meta

from trasmallo.results.dates import last_moment
from trasmallo.results.document import Card, DocumentRoom, Passage
from trasmallo.results.versions import PageHistory, page_history
from trasmallo.values.errors import CriterionError, DocumentError, UsageError
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.history import ComparedVersions, Number, compare, history_command, history_python

if TYPE_CHECKING:
    from trasmallo.clean.slicing.sliced import SlicedPage
    from trasmallo.project.project import Project
    from trasmallo.values.model import RawDocument

pages = Pages()

Tab = Literal["words", "page", "main", "slice", "versions"]
View = Literal["keep", "collapse", "bare"]
Where = Literal["both", "text", "attributes", "elements"]
Criterion = Annotated[str, Meta(max_length=2_000)]
Moment = Annotated[str, Meta(pattern=r"^(\d{1,11}(\.\d{1,9})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$")]
"""Of a version: seconds since 1970, or as JSON tells it; "" for that of the run."""

Tree = Annotated[str, Meta(max_length=4_000)]
Place = Annotated[str, Meta(pattern=r"^(\d{1,9}-\d{1,9})?$")]

_LARGEST_SHOWN = 20_000_000
"""Bytes of a stored page that are prepared for a browser. Judgement: it must be parsed while somebody waits."""


class Slicing(msgspec.Struct, frozen=True):
    """How a page is cut: see `trasmallo slice`."""

    criterion: Criterion = ""
    tolerance: Annotated[str, Meta(max_length=40)] = "0"
    shape: View = "collapse"
    inverse: bool = False
    forms: bool = False
    in_context: bool = False
    where: Where = "both"
    related: Tree = ""


class DocumentQuestion(Slicing, frozen=True, kw_only=True):
    """A document of a run. `at` is the place to mark ("120-128", characters), `begin` the first word that is shown.

    `before` and `after` are the numbers of two versions to compare.
    """

    project: str
    document: str
    run: str = ""
    tab: Tab = "words"
    at: Place = ""
    begin: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    before: Number = 0
    after: Number = 0


class StoredQuestion(Slicing, frozen=True, kw_only=True):
    """A stored page as a browser shows it: as it was, its main block, or a slice."""

    project: str
    document: str
    run: str = ""
    what: Literal["page", "main", "slice"] = "page"
    version: Moment = ""


class DocumentAnswer(PageAnswer, frozen=True, kw_only=True):
    """A document; `passage` belongs to the tab of words, `history` and `compared` to that of versions.

    `matches` is how many nodes the criterion found, `related` the words that are shown for their meaning, `most` the tolerance
    from which on the whole page is shown. Without either, or with a `problem` in what was typed, there is no `frame`; `at` and
    `length` are its place, -1 for none.
    """

    document: str
    tab: Tab
    card: Card
    passage: Passage | None = None
    mark: tuple[int, int] = (0, 0)
    history: PageHistory | None = None
    compared: ComparedVersions | None = None
    frame: str = ""
    matches: int = 0
    related: tuple[str, ...] = ()
    most: int = 0
    run: str = ""
    problem: str = ""
    repair: str = ""
    at: int = -1
    length: int = 0
    examples: tuple[str, ...] = ()

    def marked(self, criterion: str) -> tuple[str, str, str]:
        """The criterion in three pieces, the mistake in the middle."""
        end = self.at + max(self.length, 1)
        return criterion[: self.at], criterion[self.at : end] or "␣", criterion[end:]


@pages.get("/p/{project}/documents/{document}", "document.html")
def show_document(visit: Visit, question: DocumentQuestion) -> DocumentAnswer:
    """A document of a run from one of its sides."""
    project = visit.project(question.project)
    with visit.pool.documents(project, question.run) as room:
        card = room.card(question.document)
        answer = DocumentAnswer(
            document=question.document,
            tab=question.tab,
            card=card,
            run=question.run,
            frame=_frame(question) if question.tab in ("page", "main", "slice") else "",
            command=_command(question, card),
            python=_python(project, question),
        )
        if question.tab == "words":
            mark = _mark(question.at)
            passage = room.passage(question.document, question.begin, mark[0] if question.at else -1)
            return msgspec.structs.replace(answer, passage=passage, mark=mark)
        if question.tab == "versions":
            return _with_versions(answer, project, question)
        if question.tab == "slice" and question.criterion:
            return _with_slice(answer, room, question)
        if question.tab == "slice":
            return msgspec.structs.replace(answer, examples=_examples(room.words(question.document, card.page["language"])))
    return answer


@pages.get("/p/{project}/documents/{document}/stored")
def show_stored(visit: Visit, question: StoredQuestion) -> Download:
    """What strangers wrote, for a frame that nothing can leave."""
    with visit.pool.documents(visit.project(question.project), question.run) as room:
        source = room.stored(question.document, last_moment(question.version))
        shown = _shown(source, question, partial(_frame_page, room, question.document))
    return Download("stored.html", "text/html; charset=utf-8", _pieces(shown), inline=True)


@pages.get("/p/{project}/documents/{document}/record")
def save_record(visit: Visit, question: StoredQuestion) -> Download:
    """The record of the archive that holds the answer, as a WARC file."""
    with visit.pool.documents(visit.project(question.project), question.run) as room:
        record = room.record(question.document, last_moment(question.version))
    return Download(f"{question.document}.warc.gz", "application/gzip", iter((record,)))


def _with_versions(answer: DocumentAnswer, project: Project, question: DocumentQuestion) -> DocumentAnswer:
    url = answer.card.page["url"]
    history = page_history(project.store, url)
    compared = compare(project.store, history, question.before, question.after)
    return msgspec.structs.replace(
        answer,
        history=history,
        compared=compared,
        command=history_command(project, url, compared),
        python=history_python(project, url, compared),
    )


def _with_slice(answer: DocumentAnswer, room: DocumentRoom, question: DocumentQuestion) -> DocumentAnswer:
    try:
        sliced = _sliced(room.stored(question.document), question, partial(_frame_page, room, question.document))
    except UsageError as error:
        place = {"at": error.at, "length": error.length} if isinstance(error, CriterionError) else {}
        problem, repair = error.said
        return msgspec.structs.replace(answer, frame="", problem=problem, repair=repair, **place)
    related = tuple(f"{word.word} ({word.distance})" for word in sliced.related)
    frame = answer.frame if sliced.count or related or question.inverse else ""
    return msgspec.structs.replace(answer, frame=frame, matches=sliced.count, related=related, most=sliced.most_tolerance)


def _examples(words: tuple[str, ...]) -> tuple[str, ...]:
    """Criteria of each kind, made of words of the document."""
    return (words[0], " OR ".join(words[:2]), f"{words[0]} AND NOT {words[-1]}") if len(words) > 1 else words


def _mark(place: str) -> tuple[int, int]:
    first, _, last = place.partition("-")
    return (int(first), int(last)) if place else (0, 0)


def _frame(question: DocumentQuestion) -> str:
    """The address of the frame that shows a stored page."""
    asked = {"what": question.tab} | ({"run": question.run} if question.run else {})
    if question.tab == "slice":
        if not question.criterion:
            return ""
        asked |= {"criterion": question.criterion, "tolerance": question.tolerance, "shape": question.shape}
        asked |= {name: "true" for name in ("inverse", "forms", "in_context") if getattr(question, name)}
        asked |= {"where": question.where} if question.where != "both" else {}
        asked |= {"related": question.related} if question.related.strip() else {}
    return f"/p/{quote(question.project, safe='')}/documents/{question.document}/stored?{urlencode(asked)}"


def _frame_page(room: DocumentRoom, document: str, address: str) -> str:
    """The page of a document's frame as HTML, "" when it was not stored."""
    from trasmallo.clean.convert import convert

    source = room.stored_page(address, document)
    return convert(source.content, media=source.media, http_charset=source.charset).html if source else ""


def _shown(source: RawDocument, question: StoredQuestion, load: Callable[[str], str]) -> str:
    if len(source.content) > _LARGEST_SHOWN:
        raise DocumentError("the stored page is larger than 20 MB", "save its record and open it elsewhere")
    if question.what == "slice":
        return _sliced(source, question, load).html
    if question.what == "main":
        from trasmallo.clean.read import extract

        return extract(source.content, source.url, media=source.media, charset=source.charset, load=load).html
    from trasmallo.clean.convert import convert

    return convert(source.content, media=source.media, http_charset=source.charset).html


def _sliced(source: RawDocument, how: Slicing, load: Callable[[str], str]) -> SlicedPage:
    from trasmallo.clean.slicing.sliced import slice_page
    from trasmallo.study.language_detection import detect_language
    from trasmallo.study.morphology import tag_many

    return slice_page(
        source.content, how.criterion, tolerance=how.tolerance, inverse=how.inverse, view=how.shape,
        where=how.where, forms=how.forms, in_context=how.in_context, url=source.url, media=source.media,
        charset=source.charset, mark=True, detect=detect_language, read_lemmas=tag_many, load=load,
        related=how.related if how.related.strip() else None,
    )  # fmt: skip


def _pieces(text: str) -> Iterator[bytes]:
    raw = text.encode("utf-8", "replace")
    yield from (raw[start : start + 65_536] for start in range(0, len(raw), 65_536))


def _command(question: DocumentQuestion, card: Card) -> str:
    url = card.page["url"]
    if question.tab == "main":
        return shlex.join(["trasmallo", "text", url])
    if question.tab == "slice":
        extra = [f"--{name.replace('_', '-')}" for name in ("inverse", "forms", "in_context") if getattr(question, name)]
        extra += ["--in", question.where] if question.where != "both" else []
        extra += ["--related", "tree.xml"] if question.related.strip() else []
        return shlex.join(
            ["trasmallo", "slice", url, question.criterion, "--tolerance", question.tolerance, "--view", question.shape, *extra]
        )
    return shlex.join(["trasmallo", "words", url, "--in-context", "--language", card.page["language"] or "es"])


def _python(project: Project, question: DocumentQuestion) -> str:
    asked = "passage" if question.tab == "words" else "stored"
    return (
        f"import trasmallo\n\nwith trasmallo.Project.open({str(project.folder)!r}).documents({question.run!r}) as room:\n"
        f"    print(room.{asked}({question.document!r}))\n"
    )
