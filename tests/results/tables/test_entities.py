"""The tables of entities: what their cells lead to."""

from __future__ import annotations

from pathlib import Path

from support.entity_project import make_entity_project
from trasmallo.results import registry
from trasmallo.results.cells import ConcordanceCell


def test_an_entity_leads_to_its_commonest_spelling() -> None:
    link = registry.find("entities").links["entity"]
    assert isinstance(link, ConcordanceCell)
    assert link.query_of({"written": "Ana Pérez | Pérez"}) == '[word=="Ana"%c] [word=="Pérez"%c]'


def test_places_are_looked_up_on_a_map(tmp_path: Path) -> None:
    rows = {str(row["entity"]): str(row["map"]) for row in make_entity_project(tmp_path).table("entities")}
    assert rows["Soria"] == "https://www.openstreetmap.org/search?query=Soria"
    assert rows["Juan Gómez"] == ""
