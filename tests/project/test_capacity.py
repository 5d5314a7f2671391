"""Sums of capacity: the textbook's own numbers, and those of a corpus."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.project.capacity import SIZES, CapacityFigures, read_figures, set_figures, sum_up
from trasmallo.values.errors import UsageError


def amounts(figures: CapacityFigures, pages: int = 0) -> dict[str, float]:
    return {row.what: row.amount for row in sum_up(figures, [pages] if pages else []) if row.pages == pages}


def test_the_textbooks_crawl_needs_three_thousand_hosts() -> None:
    """3.2.2: 100 pages a second, one page of a host in 30 seconds."""
    assert amounts(CapacityFigures())["hosts"] == 3_000


def test_the_textbooks_line_needs_five_connections_near_and_thirty_far() -> None:
    """3.2.7: 1 MB a second, pages of 20 kB, requests of 100 and of 600 ms."""
    found = amounts(CapacityFigures())
    assert (found["rate of the line"], found["connections, near"], found["connections, far"]) == (50, 5, 30)


def test_exercise_3_2() -> None:
    """10 MB a second, pages of 10 kB that take 500 ms, 10 s between two requests to a host."""
    found = amounts(set_figures(CapacityFigures(), {"line": 10e6, "page": 10_000, "near": 500, "window": 10}))
    assert (found["connections, near"], found["hosts of the line"]) == (500, 10_000)


def test_sizes_and_costs_of_a_corpus() -> None:
    figures = CapacityFigures(
        page=10_000, archive=8_000, catalog=200, tokens=1_000, tables=600, index=200, addresses=5, download=1, clean=6, study=2,
        days=10, disk=1e12, copies=2, hour_price=0.05, terabyte_price=20,
    )  # fmt: skip
    found = amounts(figures, 864_000_000)
    assert found["rate"] == 1_000
    assert (found["line"], found["hosts"], found["connections, near"]) == (10, 30_000, 100)
    assert found["archive"] == pytest.approx(6.912)
    assert (found["all on disk"], found["disks"]) == (pytest.approx(17.28), 18)
    assert found["memory of addresses"] == pytest.approx(77.76)
    assert (found["all CPU"], found["cores"]) == (pytest.approx(2_160), 9)
    assert (found["price of cores"], found["price of disks, a month"]) == (pytest.approx(108), pytest.approx(345.6))


def test_every_size_has_its_rows() -> None:
    rows = sum_up(CapacityFigures())
    assert {row.pages for row in rows} == {0, *SIZES}
    assert not any("price" in row.what for row in rows), "nobody told prices"


@given(st.integers(1, 10**12), st.integers(2, 50))
def test_what_a_corpus_takes_grows_with_its_pages(pages: int, times: int) -> None:
    one, more = amounts(CapacityFigures(), pages), amounts(CapacityFigures(), pages * times)
    for what in ("archive", "all on disk", "all CPU", "memory of addresses", "line"):
        assert more[what] == pytest.approx(times * one[what])
    assert more["disks"] <= times * one["disks"]


def test_figures_are_given_by_name() -> None:
    assert set_figures(CapacityFigures(), read_figures(["rate=250", " window = 2.5 "])) == CapacityFigures(rate=250, window=2.5)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("rate", "is no figure"),
        ("=3", "is no figure"),
        ("rates=3", "did you mean `rate`"),
        ("rate=many", "does not fit"),
        ("rate=0", "does not fit"),
        ("rate=-1", "does not fit"),
        ("rate=nan", "does not fit"),
        ("rate=inf", "does not fit"),
        ("disk=0", "does not fit"),
    ],
)
def test_what_is_no_figure_is_refused(typed: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        set_figures(CapacityFigures(), read_figures([typed]))
