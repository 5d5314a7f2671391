"""The named parts of a page as rows."""

from __future__ import annotations

import pytest

from trasmallo.clean.read import read
from trasmallo.pipeline.analysis.field_rows import field_rows
from trasmallo.results.rows import FieldRow
from trasmallo.values.model import Field, Page

PAGE = (
    b"""<html lang=es><head><title>Las redes</title><meta name=keywords content="red, mar"><meta name=generator content=x>
<meta property="article:published_time" content="2024-05-17T10:00:00Z"></head><body><h1>Redes</h1>
<article><p>La <b>red</b> se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. <b>red</b></p>"""
    + b"<p>Otra frase del puerto, larga y sin enlaces, que habla del mar y de la gente.</p>" * 20
    + b"""</article>
<section class=comments><p>Muy bueno lo de las redes.</p></section></body></html>"""
)


def rows(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in field_rows("d", page):
        assert isinstance(row, FieldRow)
        found.setdefault(row.name, []).append(row.text)
    return found


def test_markup_head_and_address_are_kept_apart() -> None:
    found = rows(read(PAGE, url="http://www.elpuerto.example.es/sala-uno/las_redes.html?x=1"))
    assert found["title"] == ["Las redes"]
    assert found["heading"] == ["Redes"]
    assert found["emphasis"] == ["red"], "what is said twice is kept once"
    assert found["keywords"] == ["red, mar"]
    assert found["address"] == ["elpuerto example sala uno las redes"]
    assert found["depth"] == ["2"]
    assert found["day"] == ["2024-05-17"]
    assert found["comments"] == ["Muy bueno lo de las redes."]
    assert "generator" not in found


@pytest.mark.parametrize(
    ("url", "day"),
    [
        ("http://a.es/2023/04/05/nota", ["2023-04-05"]),
        ("http://a.es/2023/14/05/nota", None),
        ("http://a.es/nota", None),
        ("http://[::1]/x%20y", None),
    ],
)
def test_the_address_may_tell_the_day(url: str, day: list[str] | None) -> None:
    assert rows(Page(url=url, language="es")).get("day") == day


def test_a_page_cannot_fill_the_table() -> None:
    many = tuple(Field("heading", f"{number} " + "x" * 990) for number in range(500))
    found = field_rows("d", Page(url="http://a.es/", fields=many))
    assert sum(len(row.text) for row in found) <= 100_000  # type: ignore[attr-defined]


def test_the_day_that_a_page_states_comes_first() -> None:
    fields = (Field("date", "2020-01-01"),)
    assert rows(Page(url="http://a.es/2019/01/01/x", fields=fields, day="2024-05-17"))["day"] == ["2024-05-17"]
    assert rows(Page(url="http://a.es/2019/01/01/x", fields=fields))["day"] == ["2020-01-01"]
    assert rows(Page(url="http://a.es/2019/01/01/x"))["day"] == ["2019-01-01"]
