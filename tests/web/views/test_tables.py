"""Result tables as pages, as JSON and as files."""

from __future__ import annotations

import csv
import html
import re
import shlex

import pytest

from support.command_line import call
from trasmallo.project import inbox
from trasmallo.project.project import Project
from trasmallo.results.dates import TIMES
from trasmallo.results.registry import all_tables
from trasmallo.web.words import texts
from web.conftest import Client


@pytest.mark.parametrize("table", all_tables())
def test_every_table_has_a_page(demo: Client, table: str) -> None:
    page, twin = demo.page(f"/p/demo/tables/{table}"), demo.json(f"/p/demo/tables/{table}")
    assert ("<table" if twin["number"] else 'class="empty"') in page
    assert any(table in names for names in twin["tables"].values())
    cells = (cell for row in twin["rows"] for cell in zip(twin["columns"], row, strict=True))
    assert page.count("<local-time") >= sum(name in TIMES and bool(value) for name, value in cells)


def test_rows_come_filtered_and_sorted(demo: Client) -> None:
    twin = demo.json("/p/demo/tables/words?where=count%3E%3D5&where=word~a&sort=word")
    words = [row[0] for row in twin["rows"]]
    assert words == sorted(words)
    assert all("a" in word for word in words)
    assert twin == demo.get("/api/p/demo/tables/words?where=count%3E%3D5&where=word~a&sort=word").json()


def test_the_rest_of_the_rows_follows(demo: Client) -> None:
    first = demo.json("/p/demo/tables/words")
    second = demo.json(f"/p/demo/tables/words?offset={first['next']}")
    assert first["next"] == 100
    assert not {row[0] for row in first["rows"]} & {row[0] for row in second["rows"]}
    assert "offset=100" in demo.page("/p/demo/tables/words")


def test_a_condition_comes_in_three_fields_too(demo: Client) -> None:
    three = demo.json("/p/demo/tables/words?by=count&compare=%3E%3D&value=5")
    one = demo.json("/p/demo/tables/words?where=count%3E%3D5")
    assert three["rows"] == one["rows"]
    assert three["where"] == ["count>=5"]
    assert "count%3E%3D5" in demo.page("/p/demo/tables/words?by=count&compare=%3E%3D&value=5")


def test_columns_are_chosen(demo: Client) -> None:
    twin = demo.json("/p/demo/tables/words?columns=sites&columns=word")
    assert twin["columns"] == ["sites", "word"]
    assert "count" in twin["known"]
    lines = demo.get("/p/demo/tables/words/export?columns=sites&columns=word").text.splitlines()
    assert lines[1] == "sites,word"
    assert "--columns sites,word" in lines[0]


def test_what_the_program_says_is_said_in_the_language_of_the_reader(demo: Client) -> None:
    """Conditions and exports keep what is stored."""
    spanish = {"Accept-Language": "es"}
    pages = demo.get("/p/demo/tables/pages?where=drop!%3D", headers=spanish).text
    assert "canal o mapa del sitio" in pages
    assert "drop%3Dfeed+or+sitemap" in pages
    said = texts("es")
    assert f">{said['unknown.candidate']}<" in demo.get("/p/demo/tables/neologisms", headers=spanish).text
    assert f">{said['reached.link']}<" in pages
    assert "feed or sitemap" in demo.page("/p/demo/tables/pages?where=drop!%3D")


@pytest.mark.parametrize("table", all_tables())
def test_what_is_behind_each_number_is_there(demo: Client, table: str) -> None:
    page = demo.page(f"/p/demo/tables/{table}")
    body = page[page.find('<tbody id="rows">') : page.find("</tbody>")]
    places = list(dict.fromkeys(re.findall(r'href="(/p/demo/[^"]+)"', body)))
    for place in [*places[:4], *places[-1:]]:
        address = html.unescape(place)
        assert demo.get(address).status_code == 200, address


def test_an_empty_page_beyond_the_end_leads_back(demo: Client) -> None:
    assert "To the first rows" in demo.page("/p/demo/tables/words?offset=1000000")


def test_the_command_prints_the_same_rows(demo: Client) -> None:
    twin = demo.json("/p/demo/tables/words?where=count%3E%3D5&sort=-documents")
    done = call(*shlex.split(twin["command"])[1:], "--json")
    assert [list(row.values()) for row in done.rows()] == twin["rows"]


def test_the_python_gives_the_same_rows(demo: Client) -> None:
    twin = demo.json("/p/demo/tables/words?where=count%3E%3D5&sort=-documents")
    names: dict[str, object] = {}
    exec(twin["python"].replace("trasmallo.Project", "rows = trasmallo.Project"), names)
    assert [list(row.values()) for row in names["rows"]] == twin["rows"]  # type: ignore[attr-defined]


def test_an_export_has_every_row_and_says_where_it_comes_from(demo: Client) -> None:
    number = demo.json("/p/demo/tables/words")["number"]
    for kind in ("csv", "tsv"):
        answer = demo.get(f"/p/demo/tables/words/export?kind={kind}")
        head, *lines = answer.text.splitlines()
        assert head.startswith("# trasmallo list ")
        assert f"demo-words.{kind}" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(lines, dialect="excel-tab" if kind == "tsv" else "excel"))
        assert len(rows) == number
    assert len(demo.get("/p/demo/tables/words/export?kind=jsonl").text.splitlines()) == number


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/p/nobody/tables/words", 404),
        ("/p/demo/tables/wodrs", 400),
        ("/p/demo/tables/words?sort=cuont", 400),
        ("/p/demo/tables/words?where=count", 400),
        ("/p/demo/tables/words?where=count%3Ex", 400),
        ("/p/demo/tables/words?offset=-1", 400),
        ("/p/demo/tables/words?offset=x", 400),
        ("/p/demo/tables/words?run=nobody", 404),
        ("/p/demo/tables/words/export?kind=exe", 400),
        ("/p/demo/tables/wodrs/export", 400),
    ],
)
def test_what_does_not_fit_is_refused(demo: Client, address: str, status: int) -> None:
    assert demo.get(address).status_code == status
    assert demo.get("/api" + address).json()["error"]["repair"]


def test_a_project_without_results_says_what_to_do(client: Client, cats: object) -> None:
    answer = client.get("/api/p/cats/tables/words")
    assert answer.status_code == 400
    assert "trasmallo run" in answer.text
    assert "There are no results yet." in client.page("/p/cats/tables/words")


def test_hostile_titles_and_addresses_stay_text(client: Client, cats: Project) -> None:
    hostile = "</td><script>alert(1)</script>\u202e\u0007" + "x" * 10_000
    for number in range(2):
        page = (
            f"<html lang=es><title>{hostile}</title><a href='/{number}?q=<script>'>{hostile}</a><p>El gato duerme.</p></html>"
        )
        inbox.receive(cats.folder, inbox.SentPage(f"http://a.example/{number}?q=<script>alert(1)</script>", page))
    cats.import_file(inbox.files(cats.folder)[0])
    for table in ("pages", "links", "texts", "words"):
        text = client.page(f"/p/cats/tables/{table}")
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert len(text) < 100_000
    assert "<script>alert" not in client.page("/p/cats/live")
