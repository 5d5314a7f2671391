"""Where the rows of a page are in other tables, as in the record of a page of DAWeb (figure 8).

Each of these tables is in the order of its documents, so the rows of a page follow each other, and it is enough to count.
"""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import CellLink, InDocument, Rows
from trasmallo.results.registry import FromTables, Table, Wording


class RangeRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Which rows of other tables belong to a page, from the first to the last; they count from 1, None where it has none."""

    document: str
    url: str
    seed: str
    words_first: int | None
    words_last: int | None
    unknown_first: int | None
    unknown_last: int | None
    segments_first: int | None
    segments_last: int | None
    profile_first: int | None
    profile_last: int | None


RANGED = {"words": "words_by_page", "unknown": "unknown", "segments": "segments_by_page", "profile": "profiles"}
"""The tables, by what the names of their columns here begin with."""

_TITLES = {
    "words": Wording(en="words", es="palabras"),
    "unknown": Wording(en="unrecognised", es="no reconocidas"),
    "segments": Wording(en="segments", es="segmentos"),
    "profile": Wording(en="profile", es="perfil"),
}
_ENDS = {"first": Wording(en="first row", es="primera fila"), "last": Wording(en="last row", es="última fila")}
_FROM_TO = "CAST({name}.last - {name}.number + 1 AS BIGINT) AS {name}_first, CAST({name}.last AS BIGINT) AS {name}_last"


def _counted(name: str, table: str) -> str:
    return f"""{name} AS (
        SELECT document, number, sum(number) OVER (ORDER BY document) AS last
        FROM (SELECT document, count(*) AS number FROM {table} GROUP BY document)
    )"""  # noqa: S608 - all of it is ours


_RANGES = f"""
    WITH {", ".join(_counted(name, table) for name, table in RANGED.items())}
    SELECT p.document, p.url, p.seed, {", ".join(_FROM_TO.format(name=name) for name in RANGED)}
    FROM pages p {" ".join(f"LEFT JOIN {name} USING (document)" for name in RANGED)}
    WHERE p.drop IN ('', 'copy of another document')"""  # noqa: S608 - all of it is ours

_LINKS: dict[str, CellLink] = {"url": InDocument(), "seed": Rows("pages", ("seed=$seed",), sort="depth")}
_LINKS |= {f"{name}_{end}": Rows(table, ("document=$document",)) for name, table in RANGED.items() for end in _ENDS}

TABLES = (
    Table(
        name="ranges",
        title=Wording(en="Ranges by page", es="Regiones por página"),
        about=Wording(
            en="Which rows of the words, unrecognised words, segments and profiles by page are those of each page.",
            es="Qué filas de las palabras, no reconocidas, segmentos y perfiles por página son las de cada página.",
        ),
        order="url",
        group="pages",
        analyses=("words", "segments"),
        row=RangeRow,
        deferred=True,
        made=FromTables(_RANGES, needs=("words_by_page", "segments_by_page")),
        links=_LINKS,
        columns={
            f"{name}_{end}": Wording(en=f"{title.en}: {how.en}", es=f"{title.es}: {how.es}")
            for name, title in _TITLES.items()
            for end, how in _ENDS.items()
        },
    ),
)
