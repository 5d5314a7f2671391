"""The page of a word: how often, how evenly, where and when it occurs, its forms, its sketch, words with similar company.

Two lemmas can stand side by side. A word that is no lemma has a page, too, which leads to those of its lemmas.
"""

from __future__ import annotations

import shlex
from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.project import Project
from trasmallo.project.table import Cell
from trasmallo.results.cells import of_form, of_lemma
from trasmallo.results.concordance.concordance import Concordance, Options
from trasmallo.results.concordance.counts import Value
from trasmallo.results.concordance.lines import Hit
from trasmallo.results.database.tables import Tables
from trasmallo.results.sketches import Partner, Sketch, SketchedRelation, SketchedWord, SketchQuestion, find_sketch
from trasmallo.results.tables.sketches import pair_query
from trasmallo.results.word_figures import WordFigures, WordFiguresQuestion, find_word
from trasmallo.values.errors import UsageError
from trasmallo.web import cell_links
from trasmallo.web.pages import Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.tables import within

pages = Pages()

_FORMS = 20
"""Forms of a lemma that are told. Judgement: verbs have more, a line does not."""
_LINES = 5
"""Lines of the concordance that are shown as a sample. Judgement."""

Name = Annotated[str, Meta(max_length=2_000)]


class WordQuestion(msgspec.Struct, frozen=True):
    """A word or lemma, perhaps beside another lemma; its usual category and language unless told.

    `unit` says which of both it is; "" is a lemma where the run has it.
    """

    project: str
    word: Name = ""
    other: Name = ""
    unit: Literal["", "word", "lemma"] = ""
    category: Name = ""
    language: Name = ""
    number: Annotated[int, Meta(ge=1, le=200)] = 10
    run: str = ""

    @property
    def asked(self) -> SketchQuestion:
        """What is asked of the tables."""
        return SketchQuestion(
            word=self.word, other=self.other, category=self.category, language=self.language, number=self.number
        )

    @property
    def figures(self) -> WordFiguresQuestion:
        """The same as a question about figures alone."""
        return WordFiguresQuestion(
            word=self.word, unit=self.unit, category=self.category, language=self.language, number=self.number
        )


class WordAnswer(PageAnswer, frozen=True, kw_only=True):
    """The figures of what was asked, its forms (of a word its lemmas), a sample of its lines; of a lemma also its sketch.

    Without a word, nothing but the question. `problem` and `repair` say why there is none.
    """

    project: str
    figures: WordFigures | None = None
    beside: WordFigures | None = None
    sketch: Sketch | None = None
    forms: tuple[Value, ...] = ()
    lines: tuple[Hit, ...] = ()
    problem: str = ""
    repair: str = ""
    run: str = ""

    def hits(self, word: WordFigures, *where: str) -> str:
        """The concordance of a word, in documents that meet conditions."""
        return within(self.project, cell_links.concordance(_query(word), *where), self.run)

    def form(self, word: WordFigures, value: str) -> str:
        """The concordance of a form of a lemma; of a lemma of a word its page."""
        if word.unit == "word":
            return self.page(value)
        also = f"{_query(word)[:-1]} & {of_form(value)[1:-3]}]"
        return within(self.project, cell_links.concordance(also), self.run)

    def pair(self, word: SketchedWord, relation: SketchedRelation, partner: Partner) -> str:
        """The concordance of a word with a partner."""
        own, other = (word.word, word.category), (partner.word, partner.category)
        head, dependent = (own, other) if relation.side == "head" else (other, own)
        row = {"relation": relation.relation, "between": relation.between, "language": word.language}
        row |= {"head": head[0], "head_category": head[1], "dependent": dependent[0], "dependent_category": dependent[1]}
        return within(self.project, cell_links.concordance(pair_query(row)), self.run)

    def page(self, word: str, category: str = "", unit: str = "") -> str:
        """The page of another word in the same language."""
        assert self.figures
        chosen = {"word": word, "category": category, "language": self.figures.language, "unit": unit}
        return within(self.project, f"word?{urlencode({name: value for name, value in chosen.items() if value})}", self.run)

    def trend(self, word: WordFigures, kind: str = "trend") -> str:
        """The curve of a word over time, or with `trend/picture` its picture."""
        return within(self.project, f"{kind}?{urlencode({word.unit: word.word, 'language': word.language})}", self.run)

    def table(self, name: str, *where: str) -> str:
        """Rows of a table that meet conditions."""
        return within(self.project, cell_links.table(name, *where), self.run)

    @property
    def sites(self) -> list[tuple[Cell, ...]]:
        """The foremost sites: the address of their lines, the name, and figures."""
        assert self.figures
        of = self.figures
        return [(self.hits(of, f"host={one.site}"), *msgspec.structs.astuple(one)) for one in of.by_site]

    @property
    def documents(self) -> list[tuple[Cell, ...]]:
        """The foremost documents: the address of their lines, the title, and figures."""
        assert self.figures
        of = self.figures
        found = ((one, self.hits(of, f"document={one.document}")) for one in of.by_document)
        return [(place, one.title or one.url, one.count, one.words) for one, place in found]

    def place(self, hit: Hit) -> str:
        """Where a line is shown in its document."""
        return within(self.project, cell_links.document(hit.document, hit.start, hit.end), self.run)


@pages.get("/p/{project}/word", "word.html")
def show_word(visit: Visit, question: WordQuestion) -> WordAnswer:
    """What the run knows of a word: figures, forms, where and when, what it governs, and words with similar company."""
    project = visit.project(question.project)
    answer = WordAnswer(project=question.project, run=question.run)
    if not question.word.strip():
        return answer
    try:
        with visit.pool.tables(project, question.run) as tables:
            answer = _measured(tables, question, answer)
        with visit.pool.concordance(project, question.run) as concordance:
            answer = _with_lines(concordance, answer)
    except UsageError as error:
        return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair)
    return msgspec.structs.replace(answer, **_same(project, question))


def _measured(tables: Tables, question: WordQuestion, answer: WordAnswer) -> WordAnswer:
    """An answer with the figures, and with the sketch of a lemma."""
    figures = find_word(tables, question.figures)
    if figures.unit == "word" and not question.other.strip():
        return msgspec.structs.replace(answer, figures=figures)
    sketch = find_sketch(tables, question.asked)
    beside = None
    if sketch.other:
        named = {"word": sketch.other.word, "category": sketch.other.category, "language": sketch.other.language}
        beside = find_word(tables, WordFiguresQuestion(unit="lemma", number=question.number, **named))
    return msgspec.structs.replace(answer, figures=figures, sketch=sketch, beside=beside)


def _with_lines(concordance: Concordance, answer: WordAnswer) -> WordAnswer:
    """An answer with the forms of a lemma, or the lemmas of a word, and a sample of lines."""
    assert answer.figures
    query = _query(answer.figures)
    forms = concordance.breakdown(query, "word/hit" if answer.figures.unit == "lemma" else "lemma/hit").rows[:_FORMS]
    lines = tuple(concordance.lines(query, Options(sample=_LINES, limit=_LINES)))
    return msgspec.structs.replace(answer, forms=forms, lines=lines)


def _query(word: WordFigures) -> str:
    """The corpus query for a word or lemma."""
    return of_lemma(word.word, word.category) if word.unit == "lemma" else of_form(word.word)


def _same(project: Project, question: WordQuestion) -> dict[str, str]:
    """The command and the Python that give the same: the sketch of two words, the figures of one."""
    both = [one for one in (question.word, question.other) if one.strip()]
    verb = "sketch" if len(both) > 1 else "word"
    words, told = ["trasmallo", verb, str(project.folder), *both], ["category", "language"]
    if len(both) == 1:
        told.insert(0, "unit")
    chosen = {name: getattr(question, name) for name in told if getattr(question, name)}
    for name, value in chosen.items():
        words += [f"--{name}", value]
    words += ["--limit", str(question.number)]
    named = "".join(f", {name}={value!r}" for name, value in (chosen | {"number": question.number}).items())
    listed = ", ".join(map(repr, both))
    python = f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).{verb}({listed}{named})\n"
    return {"command": shlex.join(words), "python": python}
