"""Candidates for new words, judged one by one with a key or many at once; every verdict can be taken back."""

from __future__ import annotations

import shlex
import time
from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.project import Project
from trasmallo.project.table import Cell
from trasmallo.results.candidates import Candidate, Context, find_candidate
from trasmallo.results.cells import of_word
from trasmallo.results.database.document_dates import between
from trasmallo.results.database.planner import Question
from trasmallo.study.unlisted.kinds import Kind
from trasmallo.study.verdicts import VERDICTS, WordVerdict
from trasmallo.values.errors import UsageError
from trasmallo.web import cell_links
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.tables import within

pages = Pages()

ROWS = 100
"""Candidates of a page. Judgement: some screens."""

KEYS = {"accepted": "a", "rejected": "r", "typo": "t", "name": "n", "foreign": "f", "later": "l"}
"""The key of each verdict; u takes the last one back."""

_COLUMNS = ("word", "verdict", "kind", "probability", "reason", "count", "documents", "sources", "first_seen", "score")
_PROBABILITY = _COLUMNS.index("probability")

Word = Annotated[str, Meta(max_length=1_000)]
Shown = Literal["open", "accepted", "rejected", "typo", "name", "foreign", "later", "every"]


class TriageQuestion(msgspec.Struct, frozen=True):
    """Candidates, or words of another `kind` ("" is any); those without a verdict unless `shown` says otherwise.

    `text` is part of them, `word` that of the card, `affix` what words formed by rule are formed with. `since` is a year, month
    or day that they were not seen before.
    """

    project: str
    shown: Shown = "open"
    kind: Word = Kind.CANDIDATE.value
    affix: Word = ""
    text: Word = ""
    word: Word = ""
    offset: Annotated[int, Meta(ge=0, le=100_000_000)] = 0
    run: str = ""
    since: Annotated[str, Meta(max_length=10)] = ""


class CardQuestion(msgspec.Struct, frozen=True):
    """A candidate, the best one unless named."""

    project: str
    word: Word = ""
    run: str = ""


class JudgeForm(msgspec.Struct, frozen=True):
    """A verdict on words; "" takes back what was said. `back` is the query of the page to return to."""

    project: str
    word: Annotated[tuple[Word, ...], Meta(max_length=5_000)] = ()
    verdict: Literal["", "accepted", "rejected", "typo", "name", "foreign", "later"] = ""
    note: Annotated[str, Meta(max_length=1_000)] = ""
    back: Annotated[str, Meta(max_length=4_000)] = ""


class BucketForm(msgspec.Struct, frozen=True):
    """A verdict on all words that a list shows (see `TriageQuestion`); "" takes back what was said of them."""

    project: str
    shown: Shown = "open"
    kind: Word = Kind.FORMED.value
    affix: Word = ""
    text: Word = ""
    since: Annotated[str, Meta(max_length=10)] = ""
    run: str = ""
    verdict: Literal["", "accepted", "rejected", "typo", "name", "foreign", "later"] = ""


class CardAnswer(PageAnswer, frozen=True, kw_only=True):
    """The card of a candidate, with what was decided about it."""

    project: str
    card: Candidate | None = None
    verdict: WordVerdict | None = None
    run: str = ""

    @property
    def keys(self) -> dict[str, str]:
        """The key of each verdict."""
        return KEYS

    def at(self, context: Context) -> str:
        """Where an occurrence is shown in its document."""
        end = context.start + max(len(context.word), 1)
        return within(self.project, cell_links.document(context.document, context.start, end), self.run)

    @property
    def over_time(self) -> str:
        """The trend of the word."""
        return within(self.project, cell_links.trend("neologisms", "word", self.card.figures), self.run) if self.card else ""

    @property
    def hits(self) -> str:
        """The concordance of the word."""
        word = self.card.word if self.card else ""
        return within(self.project, cell_links.concordance(of_word(word)), self.run)


class TriageAnswer(CardAnswer, frozen=True, kw_only=True):
    """A page of candidates from the highest score down, how many have each verdict and kind, and the card of one of them.

    `month` is the present one. `affixes` are those of words formed by rule, when these are asked for. `expected` is the share
    of the words on the page that are expected to be of their kind: the mean of the probabilities.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    number: int
    verdicts: dict[str, int]
    kinds: dict[str, int]
    affixes: dict[str, int]
    expected: float | None
    shown: str
    offset: int
    next: int
    month: str = ""


@pages.get("/p/{project}/neologisms", "triage.html")
def show_candidates(visit: Visit, question: TriageQuestion) -> TriageAnswer:
    """Candidates for new words, the best first, with the card of one of them."""
    project = visit.project(question.project)
    where = _conditions(question)
    with visit.pool.tables(project, question.run) as tables:
        asked = Question(where, "", ROWS, question.offset, _COLUMNS)
        rows = list(tables.ask("neologisms", asked))
        number = tables.number("neologisms", where)
        of_kind = _of_kind(question)
        verdicts = tables.tally("neologisms", "verdict", of_kind)
        kinds = tables.tally("neologisms", "kind")
        affixes = tables.tally("neologisms", "affix", of_kind) if question.kind == Kind.FORMED else {}
        word = question.word or (rows[0][0] if rows else "")
        card = find_candidate(tables, word) if word else None
    end = question.offset + len(rows)
    listed = [piece for condition in where for piece in ("--where", condition)]
    return TriageAnswer(
        project=question.project,
        card=card,
        verdict=_verdict_on(project, card),
        columns=_COLUMNS,
        rows=rows,
        number=number,
        verdicts={name: verdicts.get("" if name == "open" else name, 0) for name in ("open", *VERDICTS)},
        kinds={kind: kinds[kind] for kind in Kind if kind in kinds},
        affixes=dict(sorted(affixes.items(), key=lambda one: -one[1])),
        expected=_expected(rows),
        shown=question.shown,
        offset=question.offset,
        next=end if rows and end < number else 0,
        run=question.run,
        month=time.strftime("%Y-%m"),
        command=shlex.join(["trasmallo", "list", str(project.folder), "neologisms", *listed, "--limit", str(ROWS)]),
        python=(
            f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).table('neologisms', where={list(where)!r}, "
            f"limit={ROWS})\n"
        ),
    )


@pages.get("/p/{project}/neologisms/card", "card.html")
def show_card(visit: Visit, question: CardQuestion) -> CardAnswer:
    """A candidate on its card: figures, sites, days and contexts."""
    project = visit.project(question.project)
    with visit.pool.tables(project, question.run) as tables:
        best = [] if question.word else list(tables.ask("neologisms", Question((), "", 1, 0, ("word",))))
        word = question.word or (best[0][0] if best else "")
        card = find_candidate(tables, word) if word else None
    return CardAnswer(
        project=question.project,
        card=card,
        verdict=_verdict_on(project, card),
        run=question.run,
        command=shlex.join(["trasmallo", "list", str(project.folder), "unknown", "--where", f"word={word}"]),
        python=(
            f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r})"
            f".table('unknown', where={[f'word={word}']!r})\n"
        ),
    )


@pages.post("/p/{project}/neologisms/judge")
def judge_words(visit: Visit, question: JudgeForm) -> ActionResult:
    """Give a verdict on words, or take back what was said of them."""
    if not question.word:
        raise UsageError("no word was chosen", "mark at least one")
    visit.project(question.project).judge(question.word, question.verdict, note=question.note)
    place = within(question.project, "neologisms" + (f"?{question.back}" if question.back else ""))
    said = "judged" if question.verdict else "unjudged"
    return ActionResult(goto=place, said=said, detail=" ".join(question.word[:50]) if question.verdict else "")


@pages.post("/p/{project}/neologisms/judge-bucket")
def judge_bucket(visit: Visit, question: BucketForm) -> ActionResult:
    """Give a verdict on all words of a list at once, such as those formed with one affix."""
    project = visit.project(question.project)
    listed = project.table("neologisms", where=_conditions(question), columns=("word",), run=question.run)
    words = [str(row["word"]) for row in listed]
    if not words:
        raise UsageError("no word meets these conditions", "see them with: trasmallo list DIR neologisms")
    project.judge(words, question.verdict)
    shown = urlencode({name: getattr(question, name) for name in ("shown", "kind", "affix", "text", "since", "run")})
    said = "judged" if question.verdict else "unjudged"
    return ActionResult(goto=within(question.project, f"neologisms?{shown}"), said=said, detail=str(len(words)))


def _verdict_on(project: Project, card: Candidate | None) -> WordVerdict | None:
    return next((one for one in project.verdicts() if card and one.word == card.word), None)


def _conditions(question: TriageQuestion | BucketForm) -> tuple[str, ...]:
    found = [] if question.shown == "every" else [f"verdict={'' if question.shown == 'open' else question.shown}"]
    found += _of_kind(question)
    found += [f"affix={question.affix}"] if question.affix else []
    found += [f"word~{question.text}"] if question.text else []
    found += between("first_seen", question.since)
    return tuple(found)


def _of_kind(question: TriageQuestion | BucketForm) -> tuple[str, ...]:
    return (f"kind={question.kind}",) if question.kind else ()


def _expected(rows: list[tuple[Cell, ...]]) -> float | None:
    """The mean of the probabilities of some rows, None where nobody told any."""
    told = [share for row in rows if isinstance(share := row[_PROBABILITY], float)]
    return sum(told) / len(told) if told else None
