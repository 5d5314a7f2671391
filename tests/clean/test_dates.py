from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.dates import iso_date


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-17", "2024-05-17"),
        ("2024-5-7", "2024-05-07"),
        ("2024-05-17T10:20:30Z", "2024-05-17T10:20:30+00:00"),
        ("2024-05-17T10:20:30.123456+02:00", "2024-05-17T10:20:30+02:00"),
        ("2024-05-17T10:20+0200", "2024-05-17T10:20:00+02:00"),
        ("2024-05-17 10:20:30", "2024-05-17T10:20:30"),
        ("2024-05-17T99:99", "2024-05-17"),
        ("20240517", "2024-05-17"),
        ("20240517T102030Z", "2024-05-17"),
        ("2024/05/17", "2024-05-17"),
        ("Publicado el 17/05/2024 a las 10:00", "2024-05-17"),
        ("17.05.2024", "2024-05-17"),
        ("03/04/2024", "2024-04-03"),
        ("05/17/2024", "2024-05-17"),
        ("17 de mayo de 2024", "2024-05-17"),
        ("Viernes, 17 mayo del 2024", "2024-05-17"),
        ("1º de enero de 2024", "2024-01-01"),
        ("17 ago. 2023", "2023-08-17"),
        ("May 17, 2024", "2024-05-17"),
        ("Friday, May 17th 2024", "2024-05-17"),
        ("17th of May 2024", "2024-05-17"),
        ("3 Sep 2021", "2021-09-03"),
        ("le 1er août 2022", "2022-08-01"),
        ("17. März 2024", "2024-03-17"),
        ("17 maggio 2024", "2024-05-17"),
        ("17 września 2024", "2024-09-17"),
        ("2024年5月17日", "2024-05-17"),
        ("Fri, 17 May 2024 10:20:30 +0200", "2024-05-17T10:20:30+02:00"),
        ("", ""),
        ("ayer", ""),
        ("30/02/2024", ""),
        ("2024-13-01", ""),
        ("0001-01-01", ""),
        ("9999-12-31", ""),
        ("17 de brumario de 2024", ""),
        ("12345678901234", ""),
    ],
)
def test_dates_as_pages_write_them(text: str, iso: str) -> None:
    assert iso_date(text) == iso


def test_the_month_comes_first_in_english_with_slashes_only() -> None:
    assert iso_date("03/04/2024", "en") == "2024-03-04"
    assert iso_date("17/04/2024", "en") == "2024-04-17"
    assert iso_date("03.04.2024", "en") == "2024-04-03"


@given(st.dates().filter(lambda day: 1000 <= day.year <= 2100))
def test_any_iso_day_comes_back(day: object) -> None:
    assert iso_date(str(day)) == str(day)


@given(st.text(alphabet="0123456789-/.TZ: demayo年月", max_size=60))
def test_any_text_gives_a_date_or_nothing(text: str) -> None:
    assert iso_date(text) == "" or iso_date(iso_date(text)) == iso_date(text)
