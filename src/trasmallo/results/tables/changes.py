"""What changed in the pages of the collection, the greatest changes first."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import Rows, Screen
from trasmallo.results.registry import OnDemand, Table, Wording


class ChangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a page that differs from the one before it, whose numbers are `after` and `before`.

    `kind` is text, order (the same words in another place), noise (only what changes by itself, whose classes `noise` names)
    or frame (the main text is the same). `score` is the share of the words of both texts that one of them lacks, without noise.
    """

    url: str
    host: str
    at: float
    kind: str
    score: float
    added: int
    removed: int
    noise: str
    excerpt: str
    before: int
    after: int
    document: str


_DIFFERENCE = Screen("history", "url", ("before", "after"))

TABLES = (
    Table(
        name="changes",
        title=Wording(en="Changes", es="Cambios"),
        about=Wording(
            en="Every change of a page, the greatest first, by the share of words that differ, without dates and counters.",
            es="Cada cambio de una página, los mayores primero, por la parte de palabras distintas, sin fechas ni contadores.",
        ),
        order='score DESC, "at" DESC, url',
        group="pages",
        row=ChangeRow,
        made=OnDemand("trasmallo.results.page_changes:make"),
        brief=("url", "score", "kind", "added", "removed", "noise", "at", "excerpt"),
        links={
            "url": _DIFFERENCE,
            "score": _DIFFERENCE,
            "excerpt": _DIFFERENCE,
            "kind": Rows("changes", ("kind=$kind",)),
            "host": Rows("changes", ("host=$host",)),
        },
        columns={
            "at": Wording(en="found", es="encontrado"),
            "kind": Wording(en="what changed", es="qué cambió"),
            "score": Wording(en="change", es="cambio"),
            "added": Wording(en="words added", es="palabras añadidas"),
            "removed": Wording(en="words removed", es="palabras quitadas"),
            "noise": Wording(en="changes by itself", es="cambia por sí solo"),
            "excerpt": Wording(en="excerpt", es="fragmento"),
            "before": Wording(en="version before", es="versión anterior"),
            "after": Wording(en="version", es="versión"),
        },
    ),
)
