"""Sites by how often they change."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from trasmallo.crawl.revisit.rate_figure import CLASSES, count_rates, draw_rates


@pytest.mark.parametrize(
    ("rate", "name"),
    [(30.0, "at least once a day"), (1.0, "at least once a day"), (1 / 7, "at least once a week"),
     (0.05, "at least once a month"), (0.004, "at least once a year"), (0.001, "less often"), (0.0, "less often")],
)  # fmt: skip
def test_every_rate_falls_into_one_class(rate: float, name: str) -> None:
    numbers = count_rates([rate])
    assert sum(numbers) == 1
    assert CLASSES[numbers.index(1)][0] == name


@pytest.mark.parametrize("rates", [[], [0.2], [3.0, 0.2, 0.2, 0.0001]])
def test_the_picture_tells_all_numbers(rates: list[float]) -> None:
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(draw_rates(rates).svg()).iter()]
    for (name, _), number in zip(CLASSES, count_rates(rates), strict=True):
        assert name in texts
        assert str(number) in texts
