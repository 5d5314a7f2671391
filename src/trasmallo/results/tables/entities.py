"""Names, dates and quantities: each mention, and what is named with its use."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import ConcordanceCell, InDocument, Row, Rows, of_form
from trasmallo.results.registry import FromParts, FromTables, Layered, Table, Wording
from trasmallo.results.rows import MentionRow


class EntityRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is named: `written` are its commonest spellings, `score` how sure its mentions are on the average.

    `first_at` is when the first page that names it was obtained, `first_url` that page.
    """

    entity: str
    kind: str
    count: int
    documents: int
    sites: int
    written: str
    score: float
    first_url: str
    first_at: float | None
    language: str


_MOST_SPELLINGS = 5  # judgement: what a cell has room for
_ENTITIES = f"""
    WITH here AS (
        SELECT m.*, p.host, p.url, p."at" AS obtained FROM mentions m JOIN all_pages p USING (document)
        LEFT JOIN copies c USING (document) WHERE c.document IS NULL
    ), spelt AS (
        SELECT entity, kind, string_agg(text, ' | ' ORDER BY times DESC, text) AS written FROM (
            SELECT entity, kind, text, count(*) AS times,
                   row_number() OVER (PARTITION BY entity, kind ORDER BY count(*) DESC, text) AS place
            FROM here GROUP BY entity, kind, text
        ) WHERE place <= {_MOST_SPELLINGS} GROUP BY entity, kind
    ), counted AS (
        SELECT entity, kind, count(*) AS count, count(DISTINCT document) AS documents, count(DISTINCT host) AS sites,
               round(sum(CAST(round(score * 1000) AS BIGINT)) / count(*) / 1000, 3) AS score,
               first(url ORDER BY obtained NULLS LAST, url) AS first_url, min(obtained) AS first_at,
               first(language ORDER BY language) AS language
        FROM here GROUP BY entity, kind
    )
    SELECT entity, kind, count, documents, sites, written, score, first_url, first_at, language
    FROM counted JOIN spelt USING (entity, kind)"""  # noqa: S608 - all of it is ours


def _query(row: Row) -> str:
    """The concordance of the commonest spelling."""
    words = str(row["written"]).partition(" | ")[0].split()
    return " ".join(of_form(word) for word in words)


_SAME = ("entity=$entity", "kind=$kind")

TABLES = (
    Table(
        name="entities",
        title=Wording(en="Entities", es="Entidades"),
        about=Wording(
            en="What texts name: persons, places, organisations, dates, quantities, money, addresses; how often, on how many "
            "pages and sites, first where. Copies are left out.",
            es="Lo que los textos nombran: personas, lugares, organizaciones, fechas, cantidades, dinero, direcciones; cuántas "
            "veces, en cuántas páginas y sitios, y dónde primero. Sin las copias.",
        ),
        order="count DESC, entity, kind",
        home_first=True,
        group="words",
        analyses=("entities",),
        row=EntityRow,
        made=FromTables(_ENTITIES),
        links={
            "entity": ConcordanceCell(_query),
            "count": Rows("mentions", _SAME),
            "documents": Rows("mentions", _SAME, sort="document"),
            "kind": Rows("entities", ("kind=$kind",)),
        },
    ),
    Table(
        name="mentions",
        title=Wording(en="Mentions", es="Menciones"),
        about=Wording(
            en="Every mention of a person, place, organisation, date, quantity...: as it is written, what it means, its value, "
            "who found it and how sure it is.",
            es="Cada mención de una persona, un lugar, una organización, una fecha, una cantidad...: cómo está escrita, qué "
            "significa, su valor, quién la encontró y con qué seguridad.",
        ),
        order="document, start",
        group="words",
        analyses=("entities",),
        row=MentionRow,
        made=FromParts(),
        layered=Layered(("document",), "trasmallo.results.layers.by_document:of_parts"),
        links={
            **dict.fromkeys(("text", "start"), InDocument(start="start", text="text")),
            "entity": Rows("mentions", _SAME),
            "kind": Rows("mentions", ("kind=$kind",)),
        },
    ),
)
