"""Figure 3.7 as rows and as a drawing, for any rates."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from trasmallo.crawl.revisit.age_figure import age_points, draw_ages, draw_chosen_ages, name_rate, parse_rate
from trasmallo.values.drawing import encode
from trasmallo.values.errors import UsageError


@pytest.mark.parametrize(("text", "rate"), [("1/7", 1 / 7), (" 0.5 ", 0.5), ("2", 2), ("weekly", 1 / 7), ("Hourly", 24)])
def test_a_rate_is_a_fraction_a_number_or_a_word(text: str, rate: float) -> None:
    assert parse_rate(text) == pytest.approx(rate)


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "1/0", "nan", "inf", "1e9", "never", "9" * 400])
def test_anything_else_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="is no rate of change: give changes a day such as 1/7"):
        parse_rate(text)


def test_rows_are_those_of_the_textbook() -> None:
    rows = age_points([1 / 7], [1, 3, 7, 14])
    assert [round(row.age, 3) for row in rows] == [0.068, 0.560, 2.575, 7.947]
    assert all(row.mean_age < row.age and row.fresh < row.mean_fresh for row in rows)
    assert age_points([], [1]) == []


def test_a_curve_for_each_rate() -> None:
    drawing = draw_ages([1 / 7, 1 / 30, 2], [7, 14])
    texts = list(ElementTree.fromstring(encode(drawing, ".svg")).itertext())
    assert {"one change in 7 days", "one change in 30 days", "2 changes a day"} <= set(texts)
    assert encode(drawing, ".png").startswith(b"\x89PNG")
    assert draw_ages([1.0] * 9, [3]).shapes


def test_rates_in_words() -> None:
    assert name_rate(1 / 7) == "one change in 7 days"
    assert name_rate(24) == "24 changes a day"
    assert name_rate(1 / 1000) == "one change in 1000 days"


def test_the_rates_of_a_collection_are_drawn_from_the_liveliest_to_the_quietest() -> None:
    drawing = draw_chosen_ages([0.0, *(1 / days for days in range(1, 40))])
    names = [text for text in ElementTree.fromstring(drawing.svg()).itertext() if text.startswith("one change in")]
    assert len(names) == 6
    assert (names[0], names[-1]) == ("one change in 1 days", "one change in 38.5 days")
    assert "one change in 7 days" in draw_chosen_ages([]).svg()
    assert "one change in 10 days" in draw_chosen_ages([0.1, 0.1000001]).svg()
