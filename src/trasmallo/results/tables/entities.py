"""Names, dates and quantities: each mention, and what is named with its use."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import ConcordanceCell, InDocument, Outside, Row, Rows, of_form
from trasmallo.results.registry import FromParts, FromTables, Layered, Table, Wording
from trasmallo.results.rows import MentionRow


class EntityRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is named: `written` are its commonest spellings, `score` how sure its mentions are on the average.

    `first_at` is when the first page that names it was obtained, `first_url` that page; `map` looks a place up on a map.
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
    map: str


class VariantRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A name that means the same as another one (`name`), and why; `documents` have both where that is why."""

    entity: str
    kind: str
    name: str
    evidence: str
    documents: int


class EntityPairRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two entities that documents name together; `log_dice` is how typical that is, from 14 downwards."""

    entity: str
    kind: str
    other: str
    other_kind: str
    documents: int
    of_entity: int
    of_other: int
    log_dice: float


class EntityMonthRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How often an entity is named in documents of a month (YYYY-MM)."""

    entity: str
    kind: str
    month: str
    count: int
    documents: int


MAP = "https://www.openstreetmap.org/search?query="
"""Where places are looked up; nothing is asked of it before somebody follows a link."""
_MOST_SPELLINGS = 5  # judgement: what a cell has room for
_COUNTED = """
    WITH here AS (
        SELECT m.*, p.host, p.url, p."at" AS obtained FROM ({mentions}) m JOIN all_pages p USING (document)
        LEFT JOIN copies c USING (document) WHERE c.document IS NULL
    ), spelt AS (
        SELECT entity, kind, string_agg(text, ' | ' ORDER BY times DESC, text) AS written FROM (
            SELECT entity, kind, text, count(*) AS times,
                   row_number() OVER (PARTITION BY entity, kind ORDER BY count(*) DESC, text) AS place
            FROM here GROUP BY entity, kind, text
        ) WHERE place <= {spellings} GROUP BY entity, kind
    ), counted AS (
        SELECT entity, kind, count(*) AS count, count(DISTINCT document) AS documents, count(DISTINCT host) AS sites,
               round(sum(CAST(round(score * 1000) AS BIGINT)) / count(*) / 1000, 3) AS score,
               first(url ORDER BY obtained NULLS LAST, url) AS first_url, min(obtained) AS first_at,
               first(language ORDER BY language) AS language
        FROM here GROUP BY entity, kind
    )
    SELECT entity, kind, count, documents, sites, written, score, first_url, first_at, language,
           CASE WHEN kind IN ('LOC', 'ADDRESS') THEN '{map}' || url_encode(entity) ELSE '' END AS map
    FROM counted JOIN spelt USING (entity, kind)"""
_JOINED = """
    SELECT m.* REPLACE (coalesce(v.name, m.entity) AS entity)
    FROM mentions m LEFT JOIN variants v ON v.entity = m.entity AND v.kind = m.kind"""


def entities_sql(mentions: str) -> str:
    """The table `entities` as SQL, of mentions as SQL."""
    return _COUNTED.format(mentions=mentions, spellings=_MOST_SPELLINGS, map=MAP)


_MOST_PAIRED = 2_000
"""Entities whose pairs are looked for, those in the most documents. Judgement: a graph of more cannot be read."""
_PAIRS = f"""
    WITH here AS (
        SELECT DISTINCT m.entity, m.kind, m.document FROM ({_JOINED}) m LEFT JOIN copies c ON c.document = m.document
        WHERE c.document IS NULL AND m.kind NOT IN ('DATE', 'TIME', 'QUANTITY', 'MONEY', 'PERCENT')
    ), best AS (
        SELECT entity, kind, count(*) AS documents FROM here GROUP BY ALL ORDER BY documents DESC, entity, kind
        LIMIT {_MOST_PAIRED}
    ), chosen AS (SELECT h.*, b.documents FROM here h JOIN best b USING (entity, kind))
    SELECT a.entity, a.kind, b.entity AS other, b.kind AS other_kind, count(*) AS documents, a.documents AS of_entity,
           b.documents AS of_other, round(14 + log2(2 * count(*) / (a.documents + b.documents)), 3) AS log_dice
    FROM chosen a JOIN chosen b ON a.document = b.document AND (a.entity, a.kind) < (b.entity, b.kind)
    GROUP BY a.entity, a.kind, b.entity, b.kind, a.documents, b.documents"""  # noqa: S608 - all of it is ours
_MONTHS = f"""
    SELECT m.entity, m.kind, substring(d.date, 1, 7) AS month, count(*) AS count, count(DISTINCT m.document) AS documents
    FROM ({_JOINED}) m JOIN dates d ON d.document = m.document LEFT JOIN copies c ON c.document = m.document
    WHERE c.document IS NULL AND length(d.date) >= 7 GROUP BY ALL"""  # noqa: S608 - all of it is ours


def _query(row: Row) -> str:
    """The concordance of the commonest spelling."""
    words = str(row["written"]).partition(" | ")[0].split()
    return " ".join(of_form(word) for word in words)


def _query_of_name(row: Row) -> str:
    return " ".join(of_form(word) for word in str(row["entity"]).split())


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
        made=FromTables(entities_sql(_JOINED), needs=("variants",)),
        decided=True,
        links={
            "entity": ConcordanceCell(_query),
            "count": Rows("mentions", _SAME),
            "documents": Rows("mentions", _SAME, sort="document"),
            "kind": Rows("entities", ("kind=$kind",)),
            "map": Outside(),
        },
        added=("map",),
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
        decided=True,
        layered=Layered(("document",), "trasmallo.results.layers.by_document:of_parts"),
        links={
            **dict.fromkeys(("text", "start"), InDocument(start="start", text="text")),
            "entity": Rows("mentions", _SAME),
            "kind": Rows("mentions", ("kind=$kind",)),
        },
    ),
    Table(
        name="variants",
        title=Wording(en="Variants of names", es="Variantes de nombres"),
        about=Wording(
            en="Names that mean the same as another one, and the evidence: the same letters (spelling), a surname with the "
            "initial of one person alone (initials), or found beside the full name in documents (beside).",
            es="Nombres que significan lo mismo que otro, y por qué: las mismas letras (spelling), un apellido con la inicial "
            "de una sola persona (initials), o hallados junto al nombre completo en documentos (beside).",
        ),
        order="name, kind, entity",
        group="words",
        analyses=("entities",),
        row=VariantRow,
        made=FromTables("SELECT * FROM entity_variants", before="trasmallo.results.database.entity_names:take_variants"),
        links={
            "entity": ConcordanceCell(_query_of_name),
            "name": Rows("entities", ("entity=$name", "kind=$kind")),
            "kind": Rows("variants", ("kind=$kind",)),
        },
    ),
    Table(
        name="entity_pairs",
        title=Wording(en="Entities together", es="Entidades juntas"),
        about=Wording(
            en="Names that documents have together, as edges of a graph: in how many, and how typical that is. Of the 2,000 "
            "names in the most documents; copies are left out.",
            es="Nombres que aparecen juntos en documentos, como aristas de un grafo: en cuántos, y cuán típico es. De los 2000 "
            "nombres que están en más documentos; sin las copias.",
        ),
        order="documents DESC, log_dice DESC, entity, kind, other, other_kind",
        group="together",
        analyses=("entities",),
        row=EntityPairRow,
        made=FromTables(_PAIRS, needs=("variants",)),
        deferred=True,
        columns={
            "other": Wording(en="other", es="otra"),
            "other_kind": Wording(en="its kind", es="su clase"),
            "of_entity": Wording(en="documents of the first", es="documentos de la primera"),
            "of_other": Wording(en="documents of the other", es="documentos de la otra"),
        },
        links={
            "entity": Rows("entity_pairs", ("entity=$entity", "kind=$kind")),
            "other": Rows("mentions", ("entity=$other", "kind=$other_kind")),
        },
    ),
    Table(
        name="entities_by_month",
        title=Wording(en="Entities by month", es="Entidades por meses"),
        about=Wording(
            en="How often each entity is named in documents of each month, by the table dates. Copies are left out.",
            es="Cuántas veces se nombra cada entidad en los documentos de cada mes, según la tabla de fechas. Sin las copias.",
        ),
        order="month, count DESC, entity, kind",
        group="words",
        analyses=("entities",),
        row=EntityMonthRow,
        made=FromTables(_MONTHS, needs=("variants", "dates")),
        deferred=True,
        columns={"month": Wording(en="month", es="mes")},
        links={"entity": Rows("entities_by_month", ("entity=$entity", "kind=$kind"))},
    ),
)
