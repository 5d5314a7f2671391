"""The history of an address, of pages that are gone too."""

from __future__ import annotations

import html
import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.command_line import call
from trasmallo.results.versions import PageVersion, VersionDifference, compare_texts
from trasmallo.web.views.history import ComparedRow, side_by_side
from web.conftest import Client
from web.views.conftest import Living

VERSION = PageVersion(1, 0.0, 0.0, 1, "", 0, "")


def beside(before: str, after: str) -> tuple[ComparedRow, ...]:
    return side_by_side(VersionDifference("", VERSION, VERSION, tuple(compare_texts(before, after)))).rows


def test_what_was_removed_stands_beside_what_was_added() -> None:
    assert beside("a\nb\nc", "a\nx\ny\nc") == (
        ComparedRow("a", "a", same=True),
        ComparedRow("b", "x", same=False),
        ComparedRow("", "y", same=False),
        ComparedRow("c", "c", same=True),
    )
    assert beside("", "a") == (ComparedRow("", "a", same=False),)


@given(*[st.lists(st.sampled_from("abc"), max_size=8).map("\n".join)] * 2)
def test_each_column_is_its_version(before: str, after: str) -> None:
    rows = beside(before, after)
    assert [row.before for row in rows if row.before] == before.split()
    assert [row.after for row in rows if row.after] == after.split()


def test_the_table_of_what_is_gone_leads_to_the_versions(alive: Client, living: Living) -> None:
    page = alive.page("/p/diario/tables/gone")
    (address,) = {html.unescape(found) for found in re.findall(r'href="(/p/diario/history[^"]+)"', page)}
    twin = alive.json(address)
    assert twin["url"] == living.web.url("/trenes")
    assert (twin["document"], twin["gone"] > 0) == ("", True)
    assert [visit["outcome"] for visit in twin["history"]["visits"]] == ["fetched", "missing", "missing"]
    assert twin["text"].startswith("El tren llega a la estación")
    shown = alive.page(address)
    assert "This page is gone" in shown
    assert "El tren llega a la estación" in shown
    assert "/record?" not in shown, "there is no document to save it of"


def test_two_versions_as_the_command_tells_them(alive: Client, living: Living) -> None:
    url = living.web.url("/gatos")
    twin = alive.json(f"/p/diario/history?url={url}&before=1&after=2")
    told = call(*shlex.split(twin["command"])[1:], "--json").value()
    assert (twin["compared"]["added"], twin["compared"]["removed"]) == (1, 1)
    assert [change["kind"] for change in told["changes"]] == ["removed", "added", "same"]
    assert "compare_versions(" in twin["python"]
    page = alive.page(f"/p/diario/history?url={url}&before=1&after=2")
    assert "<ins>Los gatos juegan con un ovillo azul.</ins>" in page
    assert f'href="/p/diario/documents/{twin["document"]}"' in page


def test_the_text_of_a_version(alive: Client, living: Living) -> None:
    url = living.web.url("/gatos")
    assert "tejados" in alive.json(f"/p/diario/history?url={url}&version=1")["text"]
    assert "ovillo" in alive.json(f"/p/diario/history?url={url}")["text"], "the last one when none is named"


def test_the_text_as_of_a_date(alive: Client, living: Living) -> None:
    url = living.web.url("/gatos")
    first, second = alive.json(f"/p/diario/history?url={url}")["history"]["versions"]
    for version, word in ((first, "tejados"), (second, "ovillo")):
        twin = alive.json(f"/p/diario/history?url={url}&date={version['at']}")
        assert (twin["shown"], word in twin["text"]) == (version["number"], True)
        assert call(*shlex.split(twin["command"])[1:], "--json").value()["version"]["number"] == version["number"]
        assert "version_as_of(" in twin["python"]
    for date, status in (("1999-01-01", 404), ("ayer", 400)):
        assert alive.get(f"/p/diario/history?url={url}&date={date}").status_code == status


@pytest.mark.parametrize(("query", "status"), [("", 200), ("url=http://nobody.example/", 404), ("url=x&before=-1", 400)])
def test_other_addresses(alive: Client, query: str, status: int) -> None:
    assert alive.get(f"/p/diario/history?{query}").status_code == status


def test_numbers_of_versions_that_there_are_not(alive: Client, living: Living) -> None:
    url = living.web.url("/gatos")
    answer = alive.get(f"/p/diario/history?url={url}&before=1&after=7", headers={"Accept-Language": "es"})
    assert answer.status_code == 400
    assert "no hay versión 7" in answer.text
