"""Laws and profiles."""

from __future__ import annotations

import html
import re
import shlex
from xml.etree import ElementTree

import pytest

from support.command_line import call
from web.conftest import Client


def test_the_laws_and_their_pictures(demo: Client) -> None:
    twin = demo.json("/p/demo/laws")
    assert twin["laws"] == call(*shlex.split(twin["command"])[1:], "--json").value()
    for address in twin["pictures"].values():
        answer = demo.get(address)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "sandbox" in answer.headers["content-security-policy"]
        ElementTree.fromstring(answer.content)
    spanish = demo.get(twin["pictures"]["zipf"], headers={"Accept-Language": "es"})
    assert "Ley de Zipf" in spanish.text


def test_the_laws_of_a_part(demo: Client) -> None:
    twin = demo.json("/p/demo/laws")
    language = twin["languages"][0]
    assert demo.json(f"/p/demo/laws?language={language}")["laws"]["documents"] <= twin["laws"]["documents"]
    assert demo.json("/p/demo/laws?language=xx")["laws"] is None
    assert "There are no such words." in demo.page("/p/demo/laws?language=xx")
    assert demo.get("/p/demo/laws/picture?which=x").status_code == 400


def test_profiles_are_compared(demo: Client) -> None:
    twin = demo.json("/p/demo/profiles")
    chosen = [one["document"] for one in twin["profiles"]]
    assert 1 < len(chosen) <= 3
    for one in twin["profiles"]:
        assert list(one["types"]) == sorted(one["types"])
        assert all(types <= words for types, words in zip(one["types"], one["words"], strict=True))
    again = demo.json(f"/p/demo/profiles?document={chosen[1]}")
    assert [one["document"] for one in again["profiles"]] == [chosen[1]]
    page = demo.page("/p/demo/profiles")
    for place in re.findall(r'href="(/p/demo/[^"]+)"', page[page.find("<main") :])[:5]:
        assert demo.get(html.unescape(place)).status_code == 200


@pytest.mark.parametrize("address", ["document=nobody", "text=qqqqqq", "text=%3Cscript%3E"])
def test_nothing_to_compare(demo: Client, address: str) -> None:
    assert "No document matches" in demo.page(f"/p/demo/profiles?{address}")


def test_too_many_curves_are_refused(demo: Client) -> None:
    assert demo.get("/p/demo/profiles?" + "&".join(f"document={number}" for number in range(9))).status_code == 400
