"""A candidate for a new word on one card: its figures, where it was seen, when, and in which surroundings."""

from __future__ import annotations

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
    at: float
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
    SELECT u.document, p.url, p."at", u.start, u.context FROM unknown u JOIN all_pages p USING (document)
    WHERE u.word = ? ORDER BY row_number() OVER (PARTITION BY p.host ORDER BY p."at", u.start), p."at", p.url LIMIT ?"""
_SITES = """
    SELECT p.host, count(*) FROM unknown u JOIN all_pages p USING (document) WHERE u.word = ?
    GROUP BY p.host ORDER BY count(*) DESC, p.host LIMIT ?"""
_DAYS = """
    SELECT strftime(make_timestamp(CAST(p."at" * 1000000 AS BIGINT)), '%Y-%m-%d') AS day, count(*)
    FROM unknown u JOIN all_pages p USING (document) WHERE u.word = ? GROUP BY day ORDER BY day LIMIT ?"""
_NEAREST = (
    "SELECT nearest FROM unknown WHERE word = ? AND nearest <> '' GROUP BY nearest ORDER BY count(*) DESC, nearest LIMIT 1"
)


def find_candidate(tables: Tables, word: str) -> Candidate:
    """The card of a word; raises UsageError when it is no candidate. Contexts come from as many sites as possible."""
    answer = tables.ask("neologisms", Question((f"word={word}",), limit=1))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer]
    if not rows:
        raise UsageError("{word!r} is no word of `neologisms`", "see them with: trasmallo list DIR neologisms", word=word[:80])
    tables.prepare("unknown", "pages")
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
    document, url, at, start, text = row
    lowered = text.lower().replace("’", "'")
    place = lowered.find(word.lower()) if len(lowered) == len(text) else -1
    if place < 0:
        return Context(document=document, url=url, at=at, start=start, left=text, word="", right="")
    end = place + len(word)
    return Context(document=document, url=url, at=at, start=start, left=text[:place], word=text[place:end], right=text[end:])
