"""Words over time in the app."""

from __future__ import annotations

import html
import re
import shlex
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from support.command_line import call
from web.conftest import Client


def test_a_curve_with_its_picture(demo: Client) -> None:
    twin = demo.json(f"/p/demo/trend?word={quote('siestabús')}")
    assert twin["trend"] == call(*shlex.split(twin["command"])[1:], "--json").value()
    answer = demo.get(twin["picture"], headers={"Accept-Language": "es"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    ElementTree.fromstring(answer.content)
    assert "por millón" in answer.text
    page = demo.page(f"/p/demo/trend?word={quote('siestabús')}&by=week")
    assert "2026-05-01" in page
    assert "Documents dated by themselves" in page


def test_each_number_leads_to_its_hits(demo: Client) -> None:
    twin = demo.json(f"/p/demo/trend?lemma={quote('pescar')}")
    page = demo.page(f"/p/demo/trend?lemma={quote('pescar')}")
    found = [html.unescape(place) for place in re.findall(r'href="(/p/demo/concordance[^"]+)"', page[page.find("<main") :])]
    counts = [twin["trend"]["count"], *(one["count"] for one in twin["trend"]["periods"] if one["count"])]
    assert [demo.json(place)["found"]["total"] for place in found] == counts


def test_words_on_the_rise(demo: Client) -> None:
    twin = demo.json("/p/demo/trend?by=week")
    assert twin["rising"] == call(*shlex.split(twin["command"])[1:], "--json").rows()
    assert all(row["z"] > 0 for row in twin["rising"])
    assert twin["rising"][0]["word"] in demo.page("/p/demo/trend?by=week")


@pytest.mark.parametrize(
    "table", ["words", "lemmas", "unknown", "neologisms", "collocations", "regimes", "trends", "dispersion"]
)
def test_every_table_of_words_leads_to_trends(demo: Client, table: str) -> None:
    page = demo.page(f"/p/demo/tables/{table}")
    places = [html.unescape(place) for place in re.findall(r'class="trend" href="([^"]+)"', page)]
    assert len(places) >= 10
    assert demo.json(places[0])["trend"]["count"] > 0
    assert "over time" in page


def test_nothing_to_show_is_told(demo: Client) -> None:
    page = demo.page("/p/demo/trend?word=%3Cscript%3Ex")
    assert "the run has no word" in page
    assert "<script>x" not in page
    assert "no document with a date" in demo.page("/p/demo/trend?word=red&language=xx")
    assert demo.get("/p/demo/trend?by=year").status_code == 400
    assert demo.get("/p/demo/trend/picture?word=nadanadanada").status_code == 400


def test_new_words_since_a_month(demo: Client) -> None:
    page = demo.page("/p/demo/neologisms")
    (place,) = re.findall(r'<a href="([^"]*since=[^"]+)"', page)
    assert demo.get(html.unescape(place)).status_code == 200
    late = demo.json("/p/demo/neologisms?since=2026-05&shown=every")
    assert all(row[late["columns"].index("first_seen")] >= "2026-05" for row in late["rows"])
    assert late["number"] < demo.json("/p/demo/neologisms?shown=every")["number"]
    assert "first_seen>=2026-05-01" in late["command"]
    assert demo.get("/p/demo/neologisms?since=soon").status_code == 400


def test_the_concordance_by_date(demo: Client) -> None:
    twin = demo.json("/p/demo/concordance?query=trasmallo&sort=date&since=2026-01&until=2026-05")
    dates = [hit["date"] for hit in twin["found"]["hits"]]
    assert dates == sorted(dates)
    assert twin["found"]["hits"] == call(*shlex.split(twin["command"])[1:], "--json").value()["hits"]
    assert [step["kind"] for step in twin["steps"]] == ["query", "since", "until", "sort"]
    assert dates[0] in demo.page("/p/demo/concordance?query=trasmallo&sort=date")
    weeks = demo.json("/p/demo/concordance?query=trasmallo&view=distribution&by=week&since=2026-01")
    row = next(row for row in weeks["rows"] if row["address"])
    assert demo.json(row["address"])["found"]["total"] == row["cells"][1]
