from __future__ import annotations

import json
from typing import Any

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.linked_data import MAX_NODES, LinkedData, types


def script(source: str, kind: str = "application/ld+json") -> str:
    return f"<script type='{kind}'>{source}</script>"


def linked(*values: Any) -> LinkedData:
    return LinkedData(flatten("".join(script(json.dumps(value)) for value in values)))


def test_an_article_goes_before_the_page_and_the_site() -> None:
    found = linked(
        {"@type": "WebSite", "name": "El Faro"},
        {
            "@graph": [
                {"@type": "WebPage", "name": "Página"},
                {"@type": ["Thing", "http://schema.org/NewsArticle"], "headline": "Redes"},
            ]
        },
    )

    assert found.all("headline") == ["Redes"]
    assert found.named("WebSite") == "El Faro"


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Ana Mar", ["Ana Mar"]),
        ({"@type": "Person", "name": "Ana\n Mar"}, ["Ana Mar"]),
        ([{"name": "Ana Mar"}, "Luis Sal"], ["Ana Mar", "Luis Sal"]),
        ({"name": ["Ana Mar"]}, ["Ana Mar"]),
        ({"@id": "#ana"}, ["Ana Mar"]),
        ({"name": {"@value": "Ana Mar"}}, ["Ana Mar"]),
        ({"@id": "#nadie"}, ["#nadie"]),
        (None, []),
        (7, []),
        ({}, []),
    ],
)
def test_texts_in_every_shape(author: Any, names: list[str]) -> None:
    found = linked({"@graph": [{"@type": "Article", "author": author}, {"@id": "#ana", "@type": "Person", "name": "Ana Mar"}]})

    assert found.all("author") == names


@pytest.mark.parametrize(
    "source",
    [
        '{"@type": "Article", "headline": "Redes"}',
        '<!-- {"@type": "Article", "headline": "Redes"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "Redes"}\n//]]>',
        '{"@type": "Article", "headline": "Redes"};',
        '{"@type": "Article", "headline": "Redes\n"}',
        '[[{"@type": "Article", "headline": "Redes"}]]',
    ],
)
def test_scripts_as_pages_write_them(source: str) -> None:
    assert LinkedData(flatten(script(source))).all("headline") == ["Redes"]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "{",
        "null",
        "7",
        '"Article"',
        "[" * 100_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        '{"@type": "Article", "headline": ' + "[" * 900 + '"x"' + "]" * 900 + "}",
        "9" * 10_000,
        '{"@type": {"x": 1}, "@id": [1]}',
        '{"@id": "a", "@type": "Article", "headline": {"@id": "a"}}',
    ],
)
def test_hostile_scripts_say_nothing(source: str) -> None:
    assert LinkedData(flatten(script(source))).all("headline") in ([], ["a"])


def test_nodes_that_point_to_each_other_come_to_an_end() -> None:
    node = {"@id": "a", "@type": "Article", "name": [{"@id": "a"}] * 50, "author": {"@id": "a"}}

    assert set(linked(node).all("author")) <= {"a"}


def test_limits() -> None:
    many = linked([{"@type": "Thing"}] * (2 * MAX_NODES))
    assert len(many.nodes) <= MAX_NODES
    assert LinkedData(flatten(script('{"@type":"Article","headline":"x"}', "text/javascript"))).nodes == []
    assert types({}) == ["None"]
