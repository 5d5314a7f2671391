"""The tables of entities: what their cells lead to."""

from __future__ import annotations

from trasmallo.results import registry
from trasmallo.results.cells import ConcordanceCell


def test_an_entity_leads_to_its_commonest_spelling() -> None:
    link = registry.find("entities").links["entity"]
    assert isinstance(link, ConcordanceCell)
    assert link.query_of({"written": "Ana Pérez | Pérez"}) == '[word=="Ana"%c] [word=="Pérez"%c]'
