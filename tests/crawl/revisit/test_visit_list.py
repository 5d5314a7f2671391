"""The visits of a run as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.revisit.visit_list import ListedVisit, listed_visits, write_visits
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Origin, Reached


def test_visits_come_back_as_targets_with_their_way(tmp_path: Path) -> None:
    path = tmp_path / "visits.jsonl"
    origin = Origin("http://a.es/", Reached.LINK, "http://a.es/x", 2)
    visits = [ListedVisit("http://a.es/y", origin, 1.5, 7), ListedVisit("http://a.es/z")]
    write_visits(path, visits)
    assert listed_visits(path) == visits
    first, second = (visit.target for visit in visits)
    assert (first.url, first.depth, first.via, first.seed, first.reached) == (
        "http://a.es/y", 2, "http://a.es/x", "http://a.es/", Reached.LINK,
    )  # fmt: skip
    assert (second.depth, second.from_public) == (0, False)


def test_a_damaged_or_missing_list_is_told(tmp_path: Path) -> None:
    path = tmp_path / "visits.jsonl"
    with pytest.raises(StoreDamaged):
        listed_visits(path)
    path.write_text("{")
    with pytest.raises(StoreDamaged, match="damaged"):
        listed_visits(path)
