"""Search in a run: ranked hits with snippets, facets to narrow them, a better spelling, and all hits as a file."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.results.estimates import SHARE, Estimate, EstimateOptions
from trasmallo.results.search.finder import Hit, Reader, Results
from trasmallo.store.index.searcher import FACETS, HitRequest
from trasmallo.values.errors import NoResults, UsageError
from trasmallo.web import cell_links
from trasmallo.web.files import KINDS, FileKind, origin_of, rows_as_file
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.tables import within

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.results.examples import Examples

pages = Pages()

HITS = 20
"""Hits of a page. Judgement: two screens."""

_DEEPEST = 99_000
"""The last hit that can be paged to: the index gathers at most 100,000."""

_COLUMNS = ("document", "url", "title", "language", "media", "day", "score", "copies", "snippet")

Text = Annotated[str, Meta(max_length=2_000)]


class SearchQuestion(msgspec.Struct, frozen=True):
    """A query to a run: `all_words` wants every word in each hit, `copies` lists near copies too."""

    project: str
    query: Text = ""
    offset: Annotated[int, Meta(ge=0, le=_DEEPEST)] = 0
    all_words: bool = False
    copies: bool = False
    run: str = ""


class SearchExport(SearchQuestion, frozen=True):
    """All hits of the same query as a file."""

    kind: Literal["csv", "tsv", "jsonl"] = "csv"
    raw: bool = False
    bom: bool = False

    @property
    def file(self) -> FileKind:
        """What file is wanted."""
        return FileKind(self.kind, self.raw, self.bom)


class EstimateQuestion(SearchQuestion, frozen=True):
    """How many documents have all words of a query: `share` is the s of C/s, `pair` two words for the collection's size."""

    share: float = SHARE
    pair: Text = ""


class EstimateAnswer(PageAnswer, frozen=True, kw_only=True):
    """The estimates of a query; `estimate` is None when it has no or too many words, which `problem` tells."""

    query: str
    estimate: Estimate | None = None
    problem: str = ""
    repair: str = ""


class SearchAnswer(PageAnswer, frozen=True, kw_only=True):
    """A page of hits. `narrowed` has for each facet its values, how many hits they have, and the query that keeps to them.

    `examples` are queries to begin with, where none was asked. `absent` is a language that the query keeps to although no
    document is in it; `languages` are those there are, each with its documents and the query that keeps to it.
    """

    project: str
    query: str
    total: int = 0
    documents: int = 0
    hits: tuple[Hit, ...] = ()
    narrowed: dict[str, tuple[tuple[str, int, str], ...]] = msgspec.field(default_factory=dict)
    suggestion: str = ""
    problem: str = ""
    repair: str = ""
    offset: int = 0
    next: int = 0
    run: str = ""
    examples: tuple[str, ...] = ()
    absent: str = ""
    languages: tuple[tuple[str, int, str], ...] = ()

    def at(self, hit: Hit) -> str:
        """Where a hit is shown, with the place of its snippet marked."""
        begin = hit.snippet.start
        for piece in hit.snippet.pieces:
            if piece.hit:
                return within(self.project, cell_links.document(hit.document, begin, begin + len(piece.text)), self.run)
            begin += len(piece.text)
        return within(self.project, cell_links.document(hit.document), self.run)


@pages.get("/p/{project}/search", "search.html")
def search_documents(visit: Visit, question: SearchQuestion) -> SearchAnswer:
    """The documents that answer a query, the best first."""
    project = visit.project(question.project)
    answer = SearchAnswer(
        project=question.project,
        query=question.query,
        offset=question.offset,
        run=question.run,
        command=_command(project, question),
        python=_python(project, question),
    )
    with visit.pool.finder(project, question.run) as finder:
        if not question.query.strip():
            documents = finder.documents(_reader(question))
            return msgspec.structs.replace(answer, documents=documents, examples=_examples(visit.pool.examples(project)))
        try:
            found = finder.find(question.query, HitRequest(HITS, question.offset, tuple(FACETS)), _reader(question))
        except NoResults:
            raise
        except UsageError as error:
            return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair)
    end = question.offset + len(found.hits)
    return msgspec.structs.replace(
        answer,
        total=found.total,
        documents=found.documents,
        hits=found.hits,
        suggestion=found.suggestion,
        narrowed=_narrowed(question.query, found.facets),
        absent=found.absent,
        languages=_in_languages(question.query, found),
        next=end if found.hits and end < min(found.total, _DEEPEST) else 0,
    )


@pages.get("/p/{project}/search/estimate", "estimate.html")
def estimate_hits(visit: Visit, question: EstimateQuestion) -> EstimateAnswer:
    """How many documents have all words of a query, and how many there are, counted and estimated."""
    project = visit.project(question.project)
    command, python = _estimate_twins(project, question)
    answer = EstimateAnswer(query=question.query, command=command, python=python)
    options = EstimateOptions(question.share, tuple(question.pair.split()))
    try:
        with visit.pool.finder(project, question.run) as finder:
            found = finder.estimate(question.query, _reader(question), options)
    except NoResults:
        raise
    except UsageError as error:
        return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair)
    return msgspec.structs.replace(answer, estimate=found)


@pages.get("/p/{project}/search/export")
def export_hits(visit: Visit, question: SearchExport) -> Download:
    """All hits of a query as a file, without a limit, streamed."""
    project = visit.project(question.project)
    hits = project.finder(question.run).every(question.query, _reader(question))
    rows = map(_row, hits)
    file = rows_as_file(
        question.file, _COLUMNS, rows, origin_of(project, _command(project, question) + " --every", question.run)
    )
    return Download(f"{question.project}-search.{question.kind}", KINDS[question.kind], file)


def _examples(found: Examples) -> tuple[str, ...]:
    """Queries of each kind, made of words of the project."""
    if not found.words:
        return ()
    first, last = found.words[0], found.words[-1]
    made = [" ".join(dict.fromkeys((first, last))), f"{first[:-1]}*"]
    made += [f"title:{found.titled}"] if found.titled else []
    made += [f'+"{found.phrase}"'] if found.phrase else []
    made += [f"+{first} -{last}"] if first != last else []
    return tuple(made)


def _reader(question: SearchQuestion) -> Reader:
    return Reader(all_words=question.all_words, copies=question.copies)


def _row(hit: Hit) -> tuple[object, ...]:
    return (*(getattr(hit, name) for name in _COLUMNS[:-1]), hit.snippet.text)


def _narrowed(query: str, facets: dict[str, dict[str, int]]) -> dict[str, tuple[tuple[str, int, str], ...]]:
    return {
        name: tuple((value, number, f"{query} {_filter(name, value)}") for value, number in values.items() if value)
        for name, values in facets.items()
        if any(values)
    }


def _in_languages(query: str, found: Results) -> tuple[tuple[str, int, str], ...]:
    """The languages there are instead of one that is not, each with the query that asks for it."""
    asked = re.compile(rf'\blanguage:"?{re.escape(found.absent)}"?(?!\w)', re.IGNORECASE)
    there = found.languages.items()
    return tuple((code, number, _filter("language", code).join(asked.split(query))) for code, number in there if code)


def _filter(name: str, value: str) -> str:
    return f'{name}:"{value}"' if any(not letter.isalnum() and letter not in "-._/" for letter in value) else f"{name}:{value}"


def _command(project: Project, question: SearchQuestion) -> str:
    words = ["trasmallo", "find", str(project.folder), question.query, "--limit", str(HITS)]
    words += ["--page", str(question.offset // HITS + 1)] if question.offset else []
    words += ["--all"] if question.all_words else []
    words += ["--copies"] if question.copies else []
    return shlex.join(words)


def _estimate_twins(project: Project, question: EstimateQuestion) -> tuple[str, str]:
    """The same question on the command line and in Python."""
    words = ["trasmallo", "find", str(project.folder), question.query, "--estimate", "--share", f"{question.share:g}"]
    words += ["--pair", *question.pair.split()] if question.pair.strip() else []
    words += ["--copies"] if question.copies else []
    keywords = f", share={question.share:g}" + (f", pair={question.pair.split()!r}" if question.pair.strip() else "")
    keywords += ", copies=True" if question.copies else ""
    asked = f"trasmallo.Project.open({str(project.folder)!r}).estimate({question.query!r}{keywords})"
    return shlex.join(words), f"import trasmallo\n\n{asked}\n"


def _python(project: Project, question: SearchQuestion) -> str:
    options = {"limit": HITS, "offset": question.offset, "all_words": question.all_words, "copies": question.copies}
    listed = "".join(f", {name}={value!r}" for name, value in options.items() if value)
    return f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).find({question.query!r}{listed})\n"
