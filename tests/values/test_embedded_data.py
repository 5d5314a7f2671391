"""Text in the scripts of pages: what is prose there, and what is not."""

from __future__ import annotations

import json

import pytest

from trasmallo.values.embedded_data import Script, embedded_texts, is_prose

PROSE = "El río bajaba crecido aquella mañana y nadie quiso cruzar el puente viejo."
STATE = json.dumps(
    {"post": {"body": f"<p>{PROSE}</p>", "className": "a b c d e f g h i j", "image": "https://a.example/b.png"}}
)


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("application/ld+json", json.dumps({"@type": "NewsArticle", "articleBody": PROSE, "keywords": "a b c d e f g h i"})),
        ("application/json", STATE),
        ("", f"window.__INITIAL_STATE__ = {STATE};"),
        ("", f'window["__APOLLO_STATE__"] = {STATE}'),
        ("", f"window.__PRELOADED_STATE__ = JSON.parse({json.dumps(STATE)});"),
        ("", f'window.__NUXT__=(function(a){{return {{data:[{{body:"{PROSE}"}}]}}}}(1))'),
        ("", "self.__next_f.push([1," + json.dumps(f'5:["$","p",null,{{"children":"{PROSE}"}}]') + "])"),
    ],
)
def test_each_make_of_state_gives_its_prose_and_nothing_else(kind: str, source: str) -> None:
    assert embedded_texts([Script(kind, source)]) == [PROSE]


@pytest.mark.parametrize("source", ["", "{", "[" * 100_000, "window.__X__ = {", '{"a": "b"}', "null"])
def test_what_is_no_data_gives_nothing(source: str) -> None:
    assert embedded_texts([Script("application/json", source), Script("", source)]) == []


def test_code_addresses_and_labels_are_no_prose() -> None:
    assert is_prose(PROSE)
    assert not is_prose("Ver más noticias de hoy")
    assert not is_prose("if (a == b) { return c; } else { d = e; } var f = g; var h = {i: j};")
    assert not is_prose("12 34 56 78 90 12 34 56 78 90 12")
