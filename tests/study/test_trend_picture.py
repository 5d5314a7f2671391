"""The picture of a trend."""

from __future__ import annotations

from xml.etree import ElementTree

from trasmallo.study.trend_picture import draw
from trasmallo.study.trends import PeriodFrequency, Trend
from trasmallo.values.drawing import encode


def trend(rates: list[float], p: float | None = 0.01, name: str = "siestabús") -> Trend:
    periods = tuple(
        PeriodFrequency(
            period=f"2026-{place + 1:02}", place=24312 + place, count=int(rate), documents=1, sites=1, tokens=1_000_000,
            per_million=rate, low=rate / 2, high=rate * 9 + 4,
        )
        for place, rate in enumerate(rates)
    )  # fmt: skip
    return Trend(
        unit="word", name=name, language="es", by="month", count=3, documents=2, sites=1, first_seen="2026-01-01",
        last_seen="2026-02-01", by_document=1, by_visit=1, undated=0, tokens=2_000_000, per_million=1.5, slope=1.0, growth=0.6,
        z=2.0, p=p, periods=periods,
    )  # fmt: skip


def test_a_curve_has_periods_intervals_and_its_slope() -> None:
    svg = encode(draw(trend([1.0, 2.0, 8.0])), ".svg").decode()
    ElementTree.fromstring(svg)
    assert all(text in svg for text in ("siestabús", "2026-01", "2026-03", "95 % interval", "slope"))
    assert "slope" not in encode(draw(trend([1.0, 2.0], p=None)), ".svg").decode()


def test_one_period_no_occurrence_and_hostile_names_are_drawn() -> None:
    for one in (trend([0.0]), trend([0.0, 0.0]), trend([3.0] * 12, name="<script>" * 40)):
        ElementTree.fromstring(draw(one).svg())
    assert encode(draw(trend([1.0, 2.0])), ".png").startswith(b"\x89PNG")


def test_names_of_periods_do_not_touch() -> None:
    svg = draw(trend([1.0] * 12)).svg()
    assert 3 < svg.count(">2026-") < 12
