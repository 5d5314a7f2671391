"""Words and lemmas over time: first and last seen, and how surely each rises or falls; by month and by week."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import CellLink, ConcordanceCell, Rows, lemma_page
from trasmallo.results.registry import OnDemand, Table, Wording
from trasmallo.results.tables.words import WORD_LINKS


class TrendRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A word of a language in documents with a date; see `study.trends.Trend` for its figures.

    `q` is `p` corrected for testing so many words. Of its documents `by_document` have a date of their own, `by_visit` that of
    their first visit. `tokens` are all words of the language in documents with a date.
    """

    word: str
    count: int
    documents: int
    sites: int
    first_seen: str
    last_seen: str
    per_million: float
    slope: float | None
    growth: float | None
    z: float | None
    p: float | None
    q: float | None
    by_document: int
    by_visit: int
    tokens: int
    language: str


class LemmaTrendRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A lemma of a language in one of its categories; its figures are those of a word."""

    lemma: str
    category: str
    count: int
    documents: int
    sites: int
    first_seen: str
    last_seen: str
    per_million: float
    slope: float | None
    growth: float | None
    z: float | None
    p: float | None
    q: float | None
    by_document: int
    by_visit: int
    tokens: int
    language: str


_BY = {"month": Wording(en="by month", es="por meses"), "week": Wording(en="by week", es="por semanas")}
_ABOUT = Wording(
    en="{what} of the corpus over time, {by}: first and last seen, rise or fall of its frequency and how sure that is. "
    "Copies are left out.",
    es="{what} del corpus en el tiempo, {by}: cuándo aparece primero y último, y si su frecuencia sube o baja y con qué "
    "seguridad. Sin las copias.",
)
_LEMMA = "[lemma==$lemma & pos==$category]"
_LEMMA_LINKS: dict[str, CellLink] = {
    "lemma": lemma_page(),
    "count": ConcordanceCell(_LEMMA),
    "documents": Rows("lemmas_by_page", ("lemma=$lemma", "category=$category"), sort="-count"),
    "sites": Rows("lemmas_by_site", ("lemma=$lemma", "category=$category"), sort="-count"),
}


def _table(name: str, unit: str, by: str, title: Wording) -> Table:
    word = unit == "word"
    what = Wording(en="Every word", es="Cada palabra") if word else Wording(en="Every lemma", es="Cada lema")
    return Table(
        name=name,
        title=title,
        about=Wording(en=_ABOUT.en.format(what=what.en, by=_BY[by].en), es=_ABOUT.es.format(what=what.es, by=_BY[by].es)),
        order=f"z DESC NULLS LAST, count DESC, {'word' if word else 'lemma, category'}, language",
        home_first=True,
        group="words" if word else "lemmas",
        row=TrendRow if word else LemmaTrendRow,
        made=OnDemand(f"trasmallo.results.trends:{unit}s_by_{by}", needs=(f"{unit}s_by_page", "dates")),
        remark="trasmallo.results.database.document_dates:remark",
        links=WORD_LINKS if word else _LEMMA_LINKS,
        over_time={"word": "word"} if word else {"lemma": "lemma"},
    )


TABLES = (
    _table("trends", "word", "month", Wording(en="Trends", es="Tendencias")),
    _table("trends_by_week", "word", "week", Wording(en="Trends by week", es="Tendencias por semanas")),
    _table("lemma_trends", "lemma", "month", Wording(en="Trends of lemmas", es="Tendencias de lemas")),
    _table(
        "lemma_trends_by_week", "lemma", "week", Wording(en="Trends of lemmas by week", es="Tendencias de lemas por semanas")
    ),
)
