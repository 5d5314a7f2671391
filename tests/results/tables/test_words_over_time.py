"""The tables of trends."""

from __future__ import annotations

from trasmallo.results.registry import OnDemand, find


def test_each_period_and_unit_has_a_table() -> None:
    for name, unit, by in (
        ("trends", "word", "month"),
        ("trends_by_week", "word", "week"),
        ("lemma_trends", "lemma", "month"),
        ("lemma_trends_by_week", "lemma", "week"),
    ):
        table = find(name)
        assert table.made == OnDemand(f"trasmallo.results.trends:{unit}s_by_{by}", (f"{unit}s_by_page", "dates"))
        assert table.over_time == {unit: unit}
        assert f"by {by}" in table.about.en
        assert ("meses" if by == "month" else "semanas") in table.about.es
