"""Words that nobody lists: each occurrence, and the words with their use (`results.database.neologisms`)."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import ConcordanceCell, InDocument, Rows, Screen
from trasmallo.results.registry import FromParts, FromTables, Layered, Table, Wording
from trasmallo.results.rows import UnknownRow
from trasmallo.results.tables.words import WORD_LINKS


class NeologismRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An unlisted word and its use; `reference` is how often a million words have it, None without reference frequencies.

    `language` is that of most blocks it stands in.
    """

    word: str
    kind: str
    count: int
    documents: int
    sites: int
    days: int
    first_url: str
    first_at: float | None
    reference: float | None
    score: float
    language: str


# The score is that of `study.neologisms`. A copy counts only for where a word was first seen.
NEOLOGISMS = """
    WITH used AS (
        SELECT u.word, u.kind, u.document, p.host, p.url, p.at AS seen, c.document IS NULL AS counts,
               coalesce(nullif(u.language, ''), p.language) AS language
        FROM {unknown} u JOIN all_pages p USING (document) LEFT JOIN copies c USING (document)
        WHERE u.kind <> 'special sequence'
    ), counted AS (
        SELECT word, mode(kind ORDER BY kind) FILTER (counts) AS kind, count(*) FILTER (counts) AS count,
               count(DISTINCT document) FILTER (counts) AS documents, count(DISTINCT host) FILTER (counts) AS sites,
               greatest(count(DISTINCT floor(seen / 86400)) FILTER (counts), 1) AS days, arg_min(url, (seen, url)) AS first_url,
               min(seen) AS first_at, mode(language ORDER BY language) FILTER (counts) AS language
        FROM used GROUP BY word HAVING count(*) FILTER (counts) > 0
    )
    SELECT c.word, kind, count, documents, sites, days, first_url, first_at,
           CASE WHEN c.language IN (SELECT language FROM referred) THEN coalesce(r.per_million, 0) END AS reference,
           log2(1 + count) * sqrt(documents) * sites * sqrt(days) / (1 + coalesce(r.per_million, 0)) AS score,
           c.language
    FROM counted c LEFT JOIN reference r ON r.word = c.word AND r.language = c.language"""
"""The words of the occurrences in `unknown`."""

_CARD = Screen("neologisms", "word")
_OCCURRENCE = InDocument(start="start", text="word")

TABLES = (
    Table(
        name="unknown",
        title=Wording(en="Unrecognised", es="No reconocidas"),
        about=Wording(
            en="Every occurrence of a word that nobody lists, with its surroundings and your verdict.",
            es="Cada aparición de una palabra que nadie recoge, con lo que la rodea.",
        ),
        order="document, start",
        group="words",
        over_time={"word": "word"},
        row=UnknownRow,
        made=FromParts(),
        layered=Layered(("document",), "trasmallo.results.layers.by_document:of_parts"),
        added=("written",),
        judged=True,
        links={
            "word": _CARD,
            **dict.fromkeys(("written", "start", "context"), _OCCURRENCE),
            "nearest": ConcordanceCell("$nearest"),
        },
    ),
    Table(
        name="neologisms",
        title=Wording(en="Neologisms", es="Neologismos"),
        about=Wording(
            en="Words that nobody lists: how often, on how many pages, sites and days, first where, and "
            "your verdict. Copies are left out.",
            es="Palabras que nadie recoge: cuántas veces, en cuántas páginas, sitios y días, y dónde primero. Sin las copias.",
        ),
        order="score DESC, count DESC, word",
        home_first=True,
        group="words",
        analyses=("neologisms",),
        over_time={"word": "word"},
        row=NeologismRow,
        made=FromTables(NEOLOGISMS.format(unknown="unknown"), before="trasmallo.results.database.neologisms:take_reference"),
        layered=Layered(("word",), "trasmallo.results.layers.neologisms:of_neologisms", after=("pages", "unknown")),
        judged=True,
        remark="trasmallo.results.database.neologisms:remark",
        links=WORD_LINKS
        | {"word": _CARD, "count": Rows("unknown", ("word=$word",)), "kind": Rows("neologisms", ("kind=$kind",))},
    ),
)
