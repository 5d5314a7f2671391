"""Entities of a project: kinds of one's own, what is one entity, and names marked in documents."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.entities import TRAINED
from trasmallo.project.project import Project
from trasmallo.project.table import Cell
from trasmallo.results.annotating import NAMES_MARKED, AgreementReport, ExportForm, Suggestion
from trasmallo.results.database.planner import Question
from trasmallo.results.document import DocumentRoom
from trasmallo.study.entities.annotated_documents import find
from trasmallo.study.entities.decisions import EntityDecision
from trasmallo.study.entities.own_kinds import KindRule
from trasmallo.study.entities.seed_learning import SeedLearning
from trasmallo.study.word_lists import list_path
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.model import Entity
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import Line, ProjectQuestion, address_of

pages = Pages()

ROWS = 100
"""Entities of a page. Judgement: some screens."""
LONGEST_MARKED = 200_000
"""Characters of a text that can be marked in the app. Judgement: a browser draws that many at once."""
KEYS = {"PER": "p", "LOC": "l", "ORG": "o", "MISC": "m"}
"""The key of each kind; a accepts, x takes out, n goes to the next doubt."""
_COLUMNS = ("entity", "kind", "count", "documents", "sites", "written", "score", "map")
_Text = Annotated[str, Meta(max_length=1 << 24)]
_Name = Annotated[str, Meta(max_length=1_100)]


class KindsQuestion(msgspec.Struct, frozen=True):
    """A text to try kinds on, "" for none; a kind of which more names are looked for, with `seeds` apart by commas."""

    project: str
    text: Annotated[str, Meta(max_length=20_000)] = ""
    learn: Line = ""
    seeds: Annotated[str, Meta(max_length=20_000)] = ""


class KindsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The lists and patterns of the project's own kinds, what they find in a text, and what was learnt of one of them."""

    rules: list[KindRule]
    text: str
    found: list[Entity]
    learnt: SeedLearning | None


class KindListForm(msgspec.Struct, frozen=True):
    """Names of a kind, one a line, saved as a list."""

    project: str
    kind: Line
    name: Line
    words: _Text = ""
    file: _Text = ""
    inflected: bool = False
    case: bool = False
    accents: bool = False
    verified: bool = False
    titles: bool = False


class KindPatternForm(msgspec.Struct, frozen=True):
    """A pattern of a kind; `verifies` are kinds apart by blanks."""

    project: str
    pattern: Line
    kind: Line = ""
    before: Line = ""
    after: Line = ""
    verifies: Line = ""


class LearntForm(msgspec.Struct, frozen=True):
    """Names that are of a kind, or are not."""

    project: str
    kind: Line
    act: Literal["accept", "reject"]
    name: Annotated[tuple[_Name, ...], Meta(max_length=1_000)] = ()
    seeds: Annotated[str, Meta(max_length=20_000)] = ""


class KindRemoval(msgspec.Struct, frozen=True):
    """The number of a list or pattern to take out."""

    project: str
    number: int


class EntitiesQuestion(msgspec.Struct, frozen=True):
    """Entities of a `kind` ("" is any) whose name has a `text`."""

    project: str
    kind: Line = ""
    text: Line = ""
    offset: Annotated[int, Meta(ge=0, le=100_000_000)] = 0


class EntitiesAnswer(PageAnswer, frozen=True, kw_only=True):
    """A page of entities, how many have each kind, the variants of those on it, and the last decisions."""

    project: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    number: int
    kinds: dict[str, int]
    variants: list[tuple[Cell, ...]]
    decisions: list[EntityDecision]
    offset: int
    next: int


class DecisionForm(msgspec.Struct, frozen=True):
    """A decision on entities, each as its kind, a blank and its name; `other` is a name, a spelling or a kind."""

    project: str
    act: Literal["merge", "split", "block", "kind", "undo"]
    entity: Annotated[tuple[_Name, ...], Meta(max_length=1_000)] = ()
    other: Line = ""


class MarkingAnswer(PageAnswer, frozen=True, kw_only=True):
    """Documents with marks, names that are most doubtful, how far program and people agree, and what the last training said.

    `usable`: its model is there and the project does not use it yet.
    """

    project: str
    documents: list[tuple[str, str, int, bool]]
    doubts: list[Suggestion]
    agreement: AgreementReport
    trained: str
    usable: bool


class MarksExport(msgspec.Struct, frozen=True):
    """How marked documents are written: JSON lines with their texts, or CoNLL columns of complete ones."""

    project: str
    kind: ExportForm = "jsonl"


class MarkQuestion(msgspec.Struct, frozen=True):
    """A document to be marked."""

    project: str
    document: Line


class MarkAnswer(PageAnswer, frozen=True, kw_only=True):
    """The text of a document, the names marked in it, and those that the program found: (start, end, kind, score)."""

    project: str
    document: str
    title: str
    text: str
    marks: list[tuple[int, int, str]]
    doubts: list[tuple[int, int, str, float]]
    complete: bool
    kinds: tuple[str, ...]
    keys: dict[str, str]


class NameMarksForm(msgspec.Struct, frozen=True):
    """The names of a document, a line each: start, end and kind apart by blanks, in characters of its text."""

    project: str
    document: Line
    spans: _Text = ""
    complete: bool = False


class TrainForm(msgspec.Struct, frozen=True):
    """How a model is trained on the complete documents."""

    project: str
    method: Literal["crf", "hmm"] = "hmm"


@pages.get("/p/{project}/kinds", "kinds.html")
def show_kinds(visit: Visit, question: KindsQuestion) -> KindsAnswer:
    """Kinds of entities of one's own, by lists and patterns."""
    project = visit.project(question.project)
    return KindsAnswer(
        rules=project.own_kinds(),
        text=question.text,
        found=project.entities(question.text) if question.text else [],
        learnt=project.learn_kind(question.learn, _seeds(question.seeds), limit=ROWS) if question.learn else None,
        command=shlex.join(["trasmallo", "kinds", str(project.folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).own_kinds()\n",
    )


@pages.post("/p/{project}/kinds/list")
def add_kind_list(visit: Visit, question: KindListForm) -> ActionResult:
    """Save a list of names and have them found as a kind; an earlier list of that name is replaced."""
    project = visit.project(question.project)
    name = question.name if question.name.endswith(".txt") else f"{question.name}.txt"
    path = list_path(project.folder, name)
    names = "\n".join(text for text in (question.words, question.file) if text.strip())
    if not names.strip():
        raise UsageError("the list is empty", "write a name a line")
    with disk_errors(path):
        write_whole(path, (names.rstrip("\n") + "\n").encode())
    if not any(one.by == "list" and one.what == name and one.kind == question.kind for one in project.own_kinds()):
        project.add_list(
            question.kind,
            path,
            inflected=question.inflected,
            case=question.case,
            accents=question.accents,
            verified=question.verified,
            titles=question.titles,
        )
    return ActionResult(goto=address_of(question.project) + "/kinds", said="list_saved")


@pages.post("/p/{project}/kinds/pattern")
def add_kind_pattern(visit: Visit, question: KindPatternForm) -> ActionResult:
    """Have the hits of a corpus query found as a kind."""
    visit.project(question.project).add_pattern(
        question.kind, question.pattern, before=question.before, after=question.after, verifies=question.verifies.split()
    )
    return ActionResult(goto=address_of(question.project) + "/kinds", said="saved")


def _seeds(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", ",").split(",") if one.strip()]


@pages.post("/p/{project}/kinds/learnt")
def judge_learnt(visit: Visit, question: LearntForm) -> ActionResult:
    """Accept names into the list of a kind, or have them never offered or found as that."""
    project = visit.project(question.project)
    if not question.name:
        raise UsageError("no name was chosen", "mark at least one")
    if question.act == "accept":
        project.accept_names(question.kind, question.name)
    else:
        project.block_entities(question.name, question.kind)
    asked = urlencode({"learn": question.kind, "seeds": question.seeds})
    return ActionResult(goto=f"{address_of(question.project)}/kinds?{asked}", said="decided")


@pages.post("/p/{project}/kinds/remove")
def remove_kind(visit: Visit, question: KindRemoval) -> ActionResult:
    """Take a list or pattern out; the list's file stays."""
    visit.project(question.project).remove_kinds(question.number)
    return ActionResult(goto=address_of(question.project) + "/kinds", said="saved")


@pages.get("/p/{project}/entities", "entities.html")
def show_entities(visit: Visit, question: EntitiesQuestion) -> EntitiesAnswer:
    """Entities of the corpus, to be merged, split, renamed and blocked."""
    project = visit.project(question.project)
    where = tuple(_conditions(question))
    with visit.pool.tables(project) as tables:
        rows = list(tables.ask("entities", Question(where, "", ROWS, question.offset, _COLUMNS)))
        number = tables.number("entities", where)
        kinds = tables.tally("entities", "kind")
        tables.prepare("variants")
        variants = tables.select(_VARIANTS, [[str(row[0]) for row in rows]])
    end = question.offset + len(rows)
    listed = [piece for condition in where for piece in ("--where", condition)]
    return EntitiesAnswer(
        project=question.project,
        columns=_COLUMNS,
        rows=rows,
        number=number,
        kinds=dict(sorted(kinds.items(), key=lambda one: (-one[1], one[0]))),
        variants=variants,
        decisions=project.entity_decisions()[:-21:-1],
        offset=question.offset,
        next=end if rows and end < number else 0,
        command=shlex.join(["trasmallo", "list", str(project.folder), "entities", *listed, "--limit", str(ROWS)]),
        python=(
            f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).table('entities', where={list(where)!r}, "
            f"limit={ROWS})\n"
        ),
    )


_VARIANTS = """
    SELECT entity, kind, name, evidence, documents FROM variants WHERE name IN (SELECT unnest(?)) ORDER BY name, entity
    LIMIT 200"""


def _conditions(question: EntitiesQuestion) -> Iterator[str]:
    if question.kind:
        yield f"kind={question.kind}"
    if question.text:
        yield f"entity~{question.text}"


@pages.post("/p/{project}/entities/decide")
def decide_entities(visit: Visit, question: DecisionForm) -> ActionResult:
    """Merge, split, block or rename entities, or take the last decision back."""
    project = visit.project(question.project)
    place = address_of(question.project) + "/entities"
    if question.act == "undo":
        project.undo_decision()
        return ActionResult(goto=place, said="undone")
    chosen = [(name, kind) for kind, _, name in (one.partition(" ") for one in question.entity)]
    if not chosen:
        raise UsageError("no entity was chosen", "mark at least one")
    for name, kind in chosen:
        _decide(project, question, name, kind)
    return ActionResult(goto=place, said="decided")


def _decide(project: Project, form: DecisionForm, name: str, kind: str) -> None:
    if form.act == "merge":
        if name != form.other:
            project.merge_entities([name], form.other, kind)
    elif form.act == "split":
        project.split_entity(name, [form.other], kind)
    elif form.act == "kind":
        project.change_kind([name], kind, form.other)
    else:
        project.block_entities([name], kind)


@pages.get("/p/{project}/marking", "marking.html")
def show_marking(visit: Visit, question: ProjectQuestion) -> MarkingAnswer:
    """Names marked in documents: what to mark next, how far program and people agree, training and export."""
    project = visit.project(question.project)
    documents = [(one.document, one.url, len(one.spans), one.complete) for one in project.annotations()]
    return MarkingAnswer(
        project=question.project,
        documents=documents,
        doubts=project.suggestions(limit=50),
        agreement=project.agreement(),
        trained=project.trained_names(),
        usable=_is_usable(project),
        command=shlex.join(["trasmallo", "annotations", str(project.folder), "--doubts"]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).suggestions()\n",
    )


def _is_usable(project: Project) -> bool:
    used = any((one.by, one.what) == ("model", TRAINED) for one in project.own_kinds())
    return (project.folder / TRAINED).is_file() and not used


@pages.get("/p/{project}/annotations")
def export_marks(visit: Visit, question: MarksExport) -> Download:
    """The marked documents as a file."""
    content = visit.project(question.project).annotations_as(question.kind)
    return Download(f"{question.project}-names.{question.kind}", "text/plain; charset=utf-8", iter([content]))


@pages.get("/p/{project}/marking/{document}", "mark.html")
def show_mark(visit: Visit, question: MarkQuestion) -> MarkAnswer:
    """The text of a document with its names, to be marked with mouse or keys."""
    project = visit.project(question.project)
    with visit.pool.tables(project) as tables, project.documents() as room:
        page, text = _text(room, question.document)
        found = tables.select(_FOUND, [question.document])
    known = find(project.folder, question.document)
    marks = [(one.start, one.end, one.kind) for one in known.spans] if known else []
    kinds = tuple(
        dict.fromkeys([*NAMES_MARKED, *(one.kind for one in project.own_kinds() if one.kind), *(row[2] for row in found)])
    )
    return MarkAnswer(
        project=question.project,
        document=question.document,
        title=str(page["title"] or page["url"]),
        text=text,
        marks=marks,
        doubts=[row for row in found if not _touches(row, marks)] if not (known and known.complete) else [],
        complete=bool(known and known.complete),
        kinds=kinds,
        keys=KEYS,
    )


_FOUND = """SELECT "start", "end", kind, score FROM mentions WHERE document = ? ORDER BY "start" LIMIT 20000"""


def _text(room: DocumentRoom, document: str) -> tuple[dict[str, object], str]:
    page, text = room.card(document).page, room.text(document)
    if not text or len(text) > LONGEST_MARKED:
        raise UsageError(
            "a text of {size:,} characters cannot be marked here",
            "mark one of 1 to {most:,}",
            size=len(text),
            most=LONGEST_MARKED,
        )
    return page, text


def _touches(row: Sequence[Cell], marks: Sequence[tuple[int, int, str]]) -> bool:
    start, end = int(row[0] or 0), int(row[1] or 0)
    return any(start < last and first < end for first, last, _ in marks)


@pages.post("/p/{project}/marking/{document}")
def save_marks(visit: Visit, question: NameMarksForm) -> ActionResult:
    """Keep the names of a document."""
    project = visit.project(question.project)
    project.annotate(question.document, list(_spans(question.spans)), complete=question.complete)
    return ActionResult(goto=f"{address_of(question.project)}/marking", said="names_marked")


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 3 or not (fields[0].isdecimal() and fields[1].isdecimal()):
            raise UsageError("line {number} is no mark", "write start, end and kind, as 0 9 PER", number=number)
        yield int(fields[0]), int(fields[1]), fields[2]


@pages.post("/p/{project}/kinds/model")
def use_trained(visit: Visit, question: ProjectQuestion) -> ActionResult:
    """Have names found by the model that was trained here, beside the one that ships."""
    project = visit.project(question.project)
    project.add_model(project.folder / TRAINED)
    return ActionResult(goto=address_of(question.project) + "/kinds", said="saved")


@pages.post("/p/{project}/training")
def train_names(visit: Visit, question: TrainForm) -> ActionResult:
    """Train a model on the complete documents, in a process of its own."""
    visit.project(question.project).start_training(question.method)
    return ActionResult(goto=f"{address_of(question.project)}/marking", said="training")
