"""The feeds of the collection, with what each brings and when it is next asked for, and their entries."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import InDocument, Rows
from trasmallo.results.registry import FromFile, OnDemand, Table, Wording
from trasmallo.results.rows import EntryRow


class FeedRow(msgspec.Struct, frozen=True):
    """A feed: what its last visit showed, and the next. `new_per_visit` is empty before the second visit.

    `hub` pushes what is new in it, `lease` is until when it was asked to, and `subscription` where that stands; "" and empty
    where nobody was asked.
    """

    title: str
    url: str
    host: str
    kind: str
    entries: int
    new: int
    visits: int
    new_per_visit: float | None
    at: float
    due: float
    reason: str
    hub: str
    subscription: str
    lease: float | None


TABLES = (
    Table(
        name="feeds",
        title=Wording(en="Feeds", es="Canales"),
        about=Wording(
            en="Feeds of the collection: their entries, what visits brought, when the next one is due and why, and their hubs.",
            es="Canales de la colección: entradas, lo que trajeron las visitas, cuándo y por qué toca la próxima, sus hubs.",
        ),
        order="due, url",
        group="pages",
        row=FeedRow,
        made=OnDemand("trasmallo.results.feed_rows:make"),
        said={"reason": "", "subscription": ""},
        brief=("title", "kind", "entries", "new", "new_per_visit", "at", "due", "reason", "url"),
        links={"title": Rows("entries", ("feed=$url",)), "entries": Rows("entries", ("feed=$url",))},
        columns={
            "at": Wording(en="last visit", es="última visita"),
            "due": Wording(en="next visit", es="próxima visita"),
            "reason": Wording(en="decided by", es="según"),
            "new": Wording(en="new entries", es="entradas nuevas"),
            "new_per_visit": Wording(en="yield (new per visit)", es="rendimiento (nuevas por visita)"),
            "entries": Wording(en="entries", es="entradas"),
            "visits": Wording(en="visits", es="visitas"),
            "hub": Wording(en="hub", es="hub"),
            "subscription": Wording(en="subscription", es="suscripción"),
            "lease": Wording(en="pushes until", es="avisos hasta"),
        },
    ),
    Table(
        name="entries",
        title=Wording(en="Entries of feeds", es="Entradas de canales"),
        about=Wording(
            en="Every entry that a feed told of, with its date, author and id, and the document that it belongs to.",
            es="Cada entrada que anunció un canal, con su fecha, autor e id, y el documento al que pertenece.",
        ),
        order="published DESC NULLS LAST, url",
        group="pages",
        row=EntryRow,
        made=FromFile("entries.jsonl"),
        brief=("title", "author", "published", "feed", "url"),
        links={"url": InDocument(), "title": InDocument(), "feed": Rows("entries", ("feed=$feed",))},
        columns={
            "author": Wording(en="author", es="autor"),
            "feed": Wording(en="feed", es="canal"),
            "published": Wording(en="published", es="publicada"),
            "updated": Wording(en="updated", es="actualizada"),
            "id": Wording(en="id", es="id"),
            "at": Wording(en="told at", es="anunciada el"),
        },
    ),
)
