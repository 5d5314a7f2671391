"""Citation of the corpus, and its report as a file: what is published of it."""

from __future__ import annotations

import shlex
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.project.report import as_file
from trasmallo.results.citation import Citation
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer

pages = Pages()

_MOST = 20
"""Queries, and words, of a report. Judgement: its answer must come within a minute."""

_MEDIA = {"html": "text/html", "pdf": "application/pdf"}

Lines = Annotated[str, Meta(max_length=20_000)]


class ReportForm(msgspec.Struct, frozen=True, kw_only=True):
    """What a report tells besides the corpus: `queries` and `words`, each on a line of its own, and which file it is."""

    project: str
    queries: Lines = ""
    words: Lines = ""
    lines: Annotated[int, Meta(ge=1, le=10_000)] = 50
    format: Literal["html", "pdf"] = "html"

    @property
    def asked(self) -> dict[str, list[str]]:
        """The lines that are not empty."""
        return {
            name: [line.strip() for line in getattr(self, name).splitlines() if line.strip()][:_MOST]
            for name in ("queries", "words")
        }


class ReportAnswer(PageAnswer, frozen=True, kw_only=True):
    """How the corpus is cited, as a text in the reader's language and as BibTeX."""

    project: str
    citation: Citation
    text: str
    bibtex: str


@pages.get("/p/{project}/report", "report.html")
def show_report(visit: Visit, question: ReportForm) -> ReportAnswer:
    """The citation of the corpus, and the form for its report."""
    project = visit.project(question.project)
    found = visit.pool.computed(project, "citation", project.cite)
    words = ["trasmallo", "report", str(project.folder)]
    words += [word for query in question.asked["queries"] for word in ("--query", query)]
    words += [part for word in question.asked["words"] for part in ("--word", word)]
    told = "".join(f", {name}={value!r}" for name, value in question.asked.items() if value)
    opened = f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r})"
    language = visit.words.language
    if language != "en":
        words += ["--language", language]
        told += f", language={language!r}"
    return ReportAnswer(
        project=question.project,
        citation=found,
        text=found.text(language),
        bibtex=found.bibtex,
        command=shlex.join([*words, "-o", "report.html"]),
        python=f"{opened}.report('report.html'{told})\n",
    )


@pages.get("/p/{project}/report/file")
def download_report(visit: Visit, question: ReportForm) -> Download:
    """The report as one page of HTML, or as PDF, in the reader's language."""
    project, file = visit.project(question.project), question.format
    asked, language = question.asked, visit.words.language
    found = project.report(queries=asked["queries"], words=asked["words"], lines=question.lines, language=language)
    return Download(f"{project.config.name}-report.{file}", _MEDIA[file], iter([as_file(found, f".{file}")]))
