"""Words over time: the curve of one, and those that rise most surely."""

from __future__ import annotations

import shlex
from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.project import Project
from trasmallo.project.table import Row
from trasmallo.results.cells import of_lemma, of_word
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.trends import TrendQuestion, find_trend
from trasmallo.study.trends import PeriodFrequency, Trend
from trasmallo.values.errors import UsageError
from trasmallo.web import cell_links
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.studies import translated
from trasmallo.web.views.tables import within

pages = Pages()

_RISING = 30
"""Words on the rise that are offered where none is asked for. Judgement: a screen."""

Name = Annotated[str, Meta(max_length=2_000)]


class CurveQuestion(msgspec.Struct, frozen=True):
    """A word, or a lemma, over time; `language` "" is that of most of its occurrences."""

    project: str
    word: Name = ""
    lemma: Name = ""
    by: Literal["month", "week"] = "month"
    language: Name = ""
    run: str = ""

    @property
    def asked(self) -> TrendQuestion:
        """What is asked of the tables."""
        unit: Literal["word", "lemma"] = "lemma" if self.lemma else "word"
        return TrendQuestion(self.lemma or self.word, unit, self.by, self.language)

    @property
    def chosen(self) -> dict[str, str]:
        """What differs from the usual."""
        found = {name: str(getattr(self, name)) for name in ("word", "lemma", "language", "run")}
        return {name: value for name, value in found.items() if value} | ({"by": self.by} if self.by != "month" else {})


class CurveAnswer(PageAnswer, frozen=True, kw_only=True):
    """The trend of what was asked and its picture; without a question, the words that rise most surely.

    `problem` and `repair` say why there is none.
    """

    project: str
    by: str
    trend: Trend | None = None
    picture: str = ""
    rising: tuple[Row, ...] = ()
    problem: str = ""
    repair: str = ""
    run: str = ""

    def hits(self, period: PeriodFrequency | None = None) -> str:
        """The concordance of what was asked, in a period when one is given."""
        assert self.trend
        query = of_word(self.trend.name) if self.trend.unit == "word" else of_lemma(self.trend.name)
        found = cell_links.concordance(query, f"language={self.trend.language}")
        dates = _dates(period, self.trend) if period else {}
        return within(self.project, found + "".join(f"&{urlencode({name: value})}" for name, value in dates.items()), self.run)

    def curve(self, word: str, language: str) -> str:
        """Where the curve of a word is shown."""
        chosen = {"word": word, "language": language} | ({"by": self.by} if self.by != "month" else {})
        return within(self.project, f"trend?{urlencode(chosen)}", self.run)


def _dates(period: PeriodFrequency, trend: Trend) -> dict[str, str]:
    """The first and the last day of a period; a month is both."""
    from datetime import date, timedelta

    if trend.by == "month":
        return {"since": period.period, "until": period.period}
    return {"since": period.period, "until": (date.fromisoformat(period.period) + timedelta(days=6)).isoformat()}


@pages.get("/p/{project}/trend", "trend.html")
def show_trend(visit: Visit, question: CurveQuestion) -> CurveAnswer:
    """How often a word occurs in each month or week, and whether it rises; without one, the words that do."""
    project = visit.project(question.project)
    answer = CurveAnswer(project=question.project, by=question.by, run=question.run)
    with visit.pool.tables(project, question.run) as tables:
        if not question.asked.name.strip():
            return msgspec.structs.replace(answer, rising=_rising(tables, question.by), **_same(project, question))
        try:
            trend = find_trend(tables, question.asked)
        except UsageError as error:
            return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair)
    picture = within(question.project, f"trend/picture?{urlencode(question.chosen)}")
    return msgspec.structs.replace(answer, trend=trend, picture=picture, **_same(project, question))


@pages.get("/p/{project}/trend/picture")
def draw_trend(visit: Visit, question: CurveQuestion) -> Download:
    """A trend as a picture (SVG)."""
    from trasmallo.study.trend_picture import draw, drawn_name

    with visit.pool.tables(visit.project(question.project), question.run) as tables:
        trend = find_trend(tables, question.asked)
    octets = translated(draw(trend), visit.words, drawn_name(trend)).svg().encode()
    return Download("trend.svg", "image/svg+xml", iter([octets]), inline=True)


def _rising(tables: Tables, by: str) -> tuple[Row, ...]:
    answer = tables.ask("trends" if by == "month" else "trends_by_week", Question(("z>0",), limit=_RISING))
    return tuple(dict(zip(answer.columns, row, strict=True)) for row in answer)


def _same(project: Project, question: CurveQuestion) -> dict[str, str]:
    """The command and the Python that give the same."""
    asked, opened = question.asked, f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r})"
    if not asked.name.strip():
        table = "trends" if question.by == "month" else "trends_by_week"
        words = ["trasmallo", "list", str(project.folder), table, "--where", "z>0", "--limit", str(_RISING)]
        return {"command": shlex.join(words), "python": f"{opened}.table({table!r}, where=['z>0'], limit={_RISING})\n"}
    words = ["trasmallo", "trend", str(project.folder), asked.name, *(["--lemma"] if asked.unit == "lemma" else [])]
    words += ["--by", "week"] if asked.by == "week" else []
    words += ["--language", asked.language] if asked.language else []
    usual = TrendQuestion("")
    told = {name: getattr(asked, name) for name in ("unit", "by", "language")}
    listed = "".join(f", {name}={value!r}" for name, value in told.items() if value != getattr(usual, name))
    return {"command": shlex.join(words), "python": f"{opened}.trend({asked.name!r}{listed})\n"}
