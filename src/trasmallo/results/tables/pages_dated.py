"""When documents are from, and who says so."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import InDocument, Rows
from trasmallo.results.registry import OnDemand, Table, Wording


class DateRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The date of a document and its origin (`results.database.document_dates`), "" for none.

    `told` is what the document says, also where that cannot be; `first_at` is its first visit in seconds since 1970.
    """

    document: str
    url: str
    date: str
    date_origin: str
    told: str
    first_at: float | None


TABLES = (
    Table(
        name="dates",
        title=Wording(en="Dates", es="Fechas"),
        about=Wording(
            en="The date of every document: the one it tells, else that of its first visit, and which of them it is.",
            es="La fecha de cada documento: la que dice él mismo o, si no, la de su primera visita, y cuál de las dos es.",
        ),
        order="date DESC, url",
        group="pages",
        row=DateRow,
        made=OnDemand("trasmallo.results.database.document_dates:make"),
        remark="trasmallo.results.database.document_dates:remark",
        links={
            "url": InDocument(),
            "date": Rows("dates", ("date=$date",)),
            "date_origin": Rows("dates", ("date_origin=$date_origin",)),
        },
    ),
)
