from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.dates import parse_date

DAY = 1_704_153_600.0  # 2024-01-02


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-01-02", DAY),
        ("2024/1/2", DAY),
        ("2024-01-02T03:04Z", DAY + 11_040),
        ("2024-01-02T03:04:05+00:00", DAY + 11_045),
        ("2024-01-02T03:04:05.678Z", DAY + 11_045.678),
        ("2024-01-02T03:04:05-0100", DAY + 14_645),
        ("2024-01-02 03:04:05 UTC", DAY + 11_045),
        ("2024-1-2 3:04", DAY + 11_040),
        ("2024-01-01T24:00:00Z", DAY),
        ("2024-01-01T23:59:60Z", DAY),
        ("2024-01", DAY - 86_400),
        ("2024", DAY - 86_400),
        ("  2024-01-02\n", DAY),
        ("Tue, 02 Jan 2024 03:04:05 GMT", DAY + 11_045),
        ("Tuesday, 02-Jan-24 03:04:05 GMT", DAY + 11_045),
        ("2 Jan 2024 04:04:05 +0100", DAY + 11_045),
    ],
)
def test_forms(text: str, expected: float) -> None:
    assert parse_date(text) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "soon", "2024-13-01", "2024-01-02T25:00Z", "0000-00-00", "2024-02-30", "1" * 200, "24"])
def test_no_dates(text: str) -> None:
    assert parse_date(text) is None


@given(st.text(max_size=60) | st.text("0123456789-:T+Z ., JanTueGMT", max_size=40))
def test_anything_is_read(text: str) -> None:
    assert parse_date(text) is None or isinstance(parse_date(text), float)
