"""Graphs of collocations and of links."""

from __future__ import annotations

import html
import re

import pytest

from trasmallo.study.stop_lists import standard
from web.conftest import Client


def test_the_strongest_pairs(demo: Client) -> None:
    twin = demo.json("/p/demo/collocations?edges=10&least=2")
    assert 0 < len(twin["graph"]["edges"]) <= 10
    weights = [edge["weight"] for edge in twin["graph"]["edges"]]
    assert weights == sorted(weights, reverse=True)
    assert len(twin["sheet"]["dots"]) == len(twin["graph"]["nodes"])


def test_round_a_word(demo: Client) -> None:
    pair = demo.json("/p/demo/tables/collocations?sort=-count")["rows"][0]
    twin = demo.json(f"/p/demo/collocations?word={pair[0]}&least=1&edges=20&function_words=true")
    nodes = [node["name"] for node in twin["graph"]["nodes"]]
    assert nodes[twin["graph"]["centre"]] == pair[0]
    assert pair[1] in nodes
    page = demo.page(f"/p/demo/collocations?word={pair[0]}&least=1&edges=20")
    for place in re.findall(r'href="(/p/demo/(?:collocations|concordance)\?[^"]+)"', page)[:6]:
        assert demo.get(html.unescape(place)).status_code == 200
    assert f"first={pair[0]}" in twin["command"]


def test_function_words_are_shown_when_they_are_wanted(demo: Client) -> None:
    listed = set(standard("es").words)

    def others(address: str) -> set[str]:
        graph = demo.json(address)["graph"]
        return {node["name"] for node in graph["nodes"]} - {"muelle"}

    assert not others("/p/demo/collocations?least=3&edges=120") & listed
    assert others("/p/demo/collocations?least=3&edges=120&function_words=true") & listed
    around = others("/p/demo/collocations?word=muelle&least=1&edges=40")
    assert {"viejo", "nuevo"} <= around
    assert not around & listed
    assert "function_words=true" in demo.page("/p/demo/collocations?word=muelle&least=1&function_words=true")
    assert "Show pairs with function words too" in demo.page("/p/demo/collocations?word=red"), "it has no others"
    assert demo.json("/p/demo/collocations?word=que&least=2")["graph"]["nodes"][0]["name"] == "que", "asked for by name"
    exec(demo.json("/p/demo/collocations?word=red")["python"], {})


def test_the_ranks_and_the_neighbourhood(demo: Client) -> None:
    ranks = demo.json("/p/demo/links")["ranks"]
    assert [row["pagerank"] for row in ranks] == sorted((row["pagerank"] for row in ranks), reverse=True)
    twin = demo.json(f"/p/demo/links?document={ranks[0]['document']}")
    assert twin["url"] == ranks[0]["url"]
    assert twin["graph"]["edges"]
    assert "<svg" in demo.page(f"/p/demo/links?document={ranks[0]['document']}")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("collocations?word=xqzzyk", 200),
        ("collocations?word=%3Cscript%3E", 200),
        ("collocations?edges=9999", 400),
        ("collocations?measure=x", 400),
        ("links?document=nobody", 400),
        ("links?edges=0", 400),
    ],
)
def test_what_is_asked_wrongly(demo: Client, address: str, status: int) -> None:
    answer = demo.get(f"/p/demo/{address}")
    assert answer.status_code == status
    assert '<script>"' not in answer.text
