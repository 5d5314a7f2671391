"""A candidate for a new word on one card, the evidence for a dictionary: figures, quotations, sources, countries, days."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.sql import literal
from trasmallo.study.sentences import cut
from trasmallo.study.tokenise import key
from trasmallo.values.errors import UsageError

CONTEXTS = 12  # judgement: as many as one reads before deciding on a word
SITES = 12  # judgement: as many as a card shows
DAYS = 60  # judgement: as many as a card shows


COUNTRIES = 12  # judgement: as many as a card shows
_QUOTED = 400
"""Characters of a quotation on both sides of the word at the most. Judgement: a long sentence."""
_NO_COUNTRIES = ("eu", "io", "tv", "me", "ai", "fm", "ly", "cc", "ws", "gg", "to", "sh", "im", "nu")
"""Endings of two letters that are sold to anybody, or are of no country. Judgement."""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """An occurrence in its document: `start` is its place in the text; the surroundings are cut at the word.

    `quotation` is its sentence, `title` that of the document, `date` a day with its origin (`results.dates`), "" where nobody
    told any.
    """

    document: str
    url: str
    at: float | None
    start: int
    left: str
    word: str
    right: str
    quotation: str = ""
    title: str = ""
    date: str = ""
    date_origin: str = ""


class Candidate(msgspec.Struct, frozen=True):
    """A word that nobody lists; `figures` is its row of `neologisms`, `nearest` the word that it may be a misspelling of.

    `sites`, `countries` (by the last part of hosts, as "es") and `days` come with how often each has it; copies are counted.
    """

    word: str
    figures: dict[str, Any]
    nearest: str
    sites: tuple[tuple[str, int], ...]
    countries: tuple[tuple[str, int], ...]
    days: tuple[tuple[str, int], ...]
    contexts: tuple[Context, ...]


# A copy says what its original says.
_CONTEXTS = f"""
    SELECT u.document, p.url, p."at", u.start, u.context,
           substr(t.text, greatest(u.start - {_QUOTED - 1}, 1), least(u.start, {_QUOTED})),
           substr(t.text, u.start + 1, {_QUOTED}), p.title, coalesce(d.date, ''), coalesce(d.date_origin, '')
    FROM unknown u JOIN all_pages p USING (document) LEFT JOIN texts t USING (document) LEFT JOIN dates d USING (document)
    LEFT JOIN copies c USING (document)
    WHERE u.word = ?
    ORDER BY c.document IS NOT NULL, row_number() OVER (PARTITION BY p.host ORDER BY p."at", u.start), p."at", p.url LIMIT ?"""  # noqa: S608 - all of it is ours
_SITES = """
    SELECT p.host, count(*) FROM unknown u JOIN all_pages p USING (document) WHERE u.word = ?
    GROUP BY p.host ORDER BY count(*) DESC, p.host LIMIT ?"""
_COUNTRIES = f"""
    SELECT regexp_extract(p.host, '\\.([a-z][a-z])(:[0-9]+)?$', 1) AS country, count(*)
    FROM unknown u JOIN all_pages p USING (document)
    WHERE u.word = ? AND country <> '' AND country NOT IN ({", ".join(map(literal, _NO_COUNTRIES))})
    GROUP BY country ORDER BY count(*) DESC, country LIMIT ?"""  # noqa: S608 - all of it is ours
_DAYS = """
    SELECT strftime(make_timestamp(CAST(p."at" * 1000000 AS BIGINT)), '%Y-%m-%d') AS day, count(*)
    FROM unknown u JOIN all_pages p USING (document) WHERE u.word = ? AND day IS NOT NULL GROUP BY day ORDER BY day LIMIT ?"""
_NEAREST = (
    "SELECT nearest FROM unknown WHERE word = ? AND nearest <> '' GROUP BY nearest ORDER BY count(*) DESC, nearest LIMIT 1"
)


def find_candidate(tables: Tables, word: str) -> Candidate:
    """The card of a word, however it is written; raises UsageError when it is no candidate.

    Contexts come from as many sites as possible.
    """
    word = key(word)
    answer = tables.ask("neologisms", Question((f"word={word}",), limit=1))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer]
    if not rows:
        raise UsageError("{word!r} is no word of `neologisms`", "see them with: trasmallo list DIR neologisms", word=word[:80])
    tables.prepare("unknown", "pages", "texts", "copies", "dates")
    nearest = tables.select(_NEAREST, [word])
    return Candidate(
        word=word,
        figures=rows[0],
        nearest=nearest[0][0] if nearest else "",
        sites=tuple(tables.select(_SITES, [word, SITES])),
        countries=tuple(tables.select(_COUNTRIES, [word, COUNTRIES])),
        days=tuple(tables.select(_DAYS, [word, DAYS])),
        contexts=tuple(_context(word, row) for row in tables.select(_CONTEXTS, [word, CONTEXTS])),
    )


def _context(word: str, row: tuple[Any, ...]) -> Context:
    document, url, at, start, text, before, behind, title, date, origin = row
    place = _place(word, text, before or "")
    end = place + len(word)
    left, found, right = (text[:place], text[place:end], text[end:]) if place >= 0 else (text, "", "")
    return Context(
        document=document,
        url=url,
        at=at,
        start=start,
        left=left,
        word=found,
        right=right,
        quotation=_quotation(before or "", behind or ""),
        title=title,
        date=date,
        date_origin=origin,
    )


def _quotation(before: str, behind: str) -> str:
    """The sentence of what stands before a place and from there on; an ellipsis where it was cut."""
    text, place = before + behind, len(before)
    whole = cut(text)
    starts = whole.tokens.starts
    for first, last in whole.sentences:
        begin, end = starts[first], whole.tokens.ends[last - 1]
        if begin <= place < end:
            opening = "… " if first == 0 and len(before) == _QUOTED else ""
            ending = " …" if end == len(text) and len(behind) == _QUOTED else ""
            return opening + " ".join(text[begin:end].split()) + ending
    return ""


def _place(word: str, context: str, before: str) -> int:
    """Where the occurrence itself begins in its context, -1 when it does not: `before` is what precedes it in its document.

    A word may occur in its context twice, or within a longer one: the last of those that follow what precedes it.
    """
    pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
    places = [found.start() for found in re.finditer(pattern, context.replace("’", "'"), re.IGNORECASE)]
    preceding = " ".join(before.split())
    following = [place for place in places if preceding.endswith(context[:place].strip())]
    return following[-1] if following else next(iter(places), -1)
