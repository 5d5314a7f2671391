"""A candidate for a new word on one card: its figures, where it was seen, when, and in which surroundings."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.values.errors import UsageError

CONTEXTS = 12  # judgement: as many as one reads before deciding on a word
SITES = 12  # judgement: as many as a card shows
DAYS = 60  # judgement: as many as a card shows


class Context(msgspec.Struct, frozen=True):
    """An occurrence in its document: `start` is its place in the text; the surroundings are cut at the word."""

    document: str
    url: str
    at: float | None
    start: int
    left: str
    word: str
    right: str


class Candidate(msgspec.Struct, frozen=True):
    """A word that nobody lists; `figures` is its row of `neologisms`, `nearest` the word that it may be a misspelling of."""

    word: str
    figures: dict[str, Any]
    nearest: str
    sites: tuple[tuple[str, int], ...]
    days: tuple[tuple[str, int], ...]
    contexts: tuple[Context, ...]


_CONTEXTS = """
    SELECT u.document, p.url, p."at", u.start, u.context, substr(t.text, greatest(u.start - 159, 1), least(u.start, 160))
    FROM unknown u JOIN all_pages p USING (document) LEFT JOIN texts t USING (document)
    WHERE u.word = ? ORDER BY row_number() OVER (PARTITION BY p.host ORDER BY p."at", u.start), p."at", p.url LIMIT ?"""
_SITES = """
    SELECT p.host, count(*) FROM unknown u JOIN all_pages p USING (document) WHERE u.word = ?
    GROUP BY p.host ORDER BY count(*) DESC, p.host LIMIT ?"""
_DAYS = """
    SELECT strftime(make_timestamp(CAST(p."at" * 1000000 AS BIGINT)), '%Y-%m-%d') AS day, count(*)
    FROM unknown u JOIN all_pages p USING (document) WHERE u.word = ? AND day IS NOT NULL GROUP BY day ORDER BY day LIMIT ?"""
_NEAREST = (
    "SELECT nearest FROM unknown WHERE word = ? AND nearest <> '' GROUP BY nearest ORDER BY count(*) DESC, nearest LIMIT 1"
)


def find_candidate(tables: Tables, word: str) -> Candidate:
    """The card of a word; raises UsageError when it is no candidate. Contexts come from as many sites as possible."""
    answer = tables.ask("neologisms", Question((f"word={word}",), limit=1))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer]
    if not rows:
        raise UsageError("{word!r} is no word of `neologisms`", "see them with: trasmallo list DIR neologisms", word=word[:80])
    tables.prepare("unknown", "pages", "texts")
    nearest = tables.select(_NEAREST, [word])
    return Candidate(
        word=word,
        figures=rows[0],
        nearest=nearest[0][0] if nearest else "",
        sites=tuple(tables.select(_SITES, [word, SITES])),
        days=tuple(tables.select(_DAYS, [word, DAYS])),
        contexts=tuple(_context(word, row) for row in tables.select(_CONTEXTS, [word, CONTEXTS])),
    )


def _context(word: str, row: tuple[Any, ...]) -> Context:
    document, url, at, start, text, before = row
    place = _place(word, text, before or "")
    if place < 0:
        return Context(document=document, url=url, at=at, start=start, left=text, word="", right="")
    end = place + len(word)
    return Context(document=document, url=url, at=at, start=start, left=text[:place], word=text[place:end], right=text[end:])


def _place(word: str, context: str, before: str) -> int:
    """Where the occurrence itself begins in its context, -1 when it does not: `before` is what precedes it in its document.

    A word may occur in its context twice, or within a longer one: the last of those that follow what precedes it.
    """
    pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
    places = [found.start() for found in re.finditer(pattern, context.replace("’", "'"), re.IGNORECASE)]
    preceding = " ".join(before.split())
    following = [place for place in places if preceding.endswith(context[:place].strip())]
    return following[-1] if following else next(iter(places), -1)
