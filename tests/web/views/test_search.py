"""Search: hits with snippets, facets, a better spelling; all hits as a file."""

from __future__ import annotations

import csv
import html
import re
import shlex
from urllib.parse import quote

import pytest

from support.command_line import call
from web.conftest import Client


def first_word(demo: Client) -> str:
    rows = demo.json("/p/demo/tables/words?where=documents%3E2&sort=-documents")["rows"]
    return next(row[0] for row in rows if len(row[0]) > 5)


def test_hits_lead_to_their_place(demo: Client) -> None:
    word = first_word(demo)
    twin = demo.json(f"/p/demo/search?query={word}")
    page = demo.page(f"/p/demo/search?query={word}")
    assert twin["total"] >= len(twin["hits"]) > 0
    assert "<mark>" in page
    place = html.unescape(re.findall(r'href="(/p/demo/documents/[^"]+)"', page)[0])
    assert re.search(r"at=\d+-\d+", place)
    assert demo.get(place).status_code == 200


def test_facets_narrow_the_search(demo: Client) -> None:
    twin = demo.json(f"/p/demo/search?query={first_word(demo)}")
    for values in twin["narrowed"].values():
        for value, number, query in values[:2]:
            assert demo.json("/p/demo/search?query=" + query.replace(" ", "+").replace('"', "%22"))["total"] == number, value


def test_the_command_finds_the_same(demo: Client) -> None:
    twin = demo.json(f"/p/demo/search?query={first_word(demo)}&all_words=true")
    found = call(*shlex.split(twin["command"])[1:], "--json").value()
    assert [hit["document"] for hit in found["hits"]] == [hit["document"] for hit in twin["hits"]]


def test_a_misspelt_word_is_corrected(demo: Client) -> None:
    word = first_word(demo)
    wrong = word[:2] + word[3] + word[2] + word[4:] if word[2] != word[3] else word[:-1] + "q"
    assert demo.json(f"/p/demo/search?query={wrong}")["suggestion"]
    assert "Did you mean" in demo.page(f"/p/demo/search?query={wrong}")


def test_an_export_has_every_hit(demo: Client) -> None:
    word = first_word(demo)
    total = demo.json(f"/p/demo/search?query={word}")["total"]
    head, *lines = demo.get(f"/p/demo/search/export?query={word}").text.splitlines()
    assert head.startswith("# trasmallo find ")
    assert len(list(csv.DictReader(lines))) == total
    assert len(demo.get(f"/p/demo/search/export?query={word}&kind=jsonl").text.splitlines()) == total


def test_pages_that_say_what_to_do(demo: Client) -> None:
    assert "Examples:" in demo.page("/p/demo/search")
    assert "Nothing was found" in demo.page("/p/demo/search?query=xqzzyk")


@pytest.mark.parametrize("query", ['"', "title:", "date:x", "a" * 2_000, "<script>alert(1)</script>", "-solo", "AND OR"])
def test_any_query_gets_an_answer(demo: Client, query: str) -> None:
    answer = demo.ask("GET", "/p/demo/search", params={"query": query})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert demo.ask("GET", "/api/p/demo/search/export", params={"query": query}).status_code in (200, 400)


def test_a_project_without_results(client: Client, cats: object) -> None:
    assert client.get("/api/p/cats/search").status_code == 400
    assert client.get("/p/demo/search?offset=-1").status_code in (400, 404)


def test_what_is_suggested_is_found(demo: Client) -> None:
    examples = demo.json("/p/demo/search")["examples"]
    assert len(examples) >= 4
    for example in examples:
        answer = demo.json(f"/p/demo/search?query={quote(example)}")
        assert (answer["problem"], answer["total"] > 0) == ("", True), example


def test_estimates_stand_beside_the_search(demo: Client) -> None:
    twin = demo.json("/p/demo/search/estimate?query=mar+puerto&share=1&pair=mar+casa")
    found = call(*shlex.split(twin["command"])[1:], "--json").value()
    assert twin["estimate"] == found
    assert found["counted"] == found["share"] == demo.json("/p/demo/search?query=mar+puerto&all_words=true")["total"]
    assert "/p/demo/search/estimate?query=mar" in demo.page("/p/demo/search?query=mar+puerto&all_words=true")
    page = demo.page("/p/demo/search/estimate?query=mar+puerto", headers={"Accept-Language": "es"})
    assert "según" in page
    none = demo.page("/p/demo/search/estimate?query=language:es", headers={"Accept-Language": "es"})
    assert "las estimaciones son para entre 1 y 6 palabras" in none


@pytest.mark.parametrize("query", ["mar", '"del puerto"', "mar +puerto -barco", "(mar puerto) vela", "mar puerto language:es"])
@pytest.mark.parametrize("copies", ["true", "false"])
def test_estimates_count_what_the_search_counts(demo: Client, query: str, copies: str) -> None:
    asked = f"query={quote(query)}&copies={copies}"
    run = demo.json(f"/p/demo/search?{asked}")["run"]
    for chosen in (asked, f"{asked}&run={run}", f"{asked}&all_words=true"):
        twin = demo.json(f"/p/demo/search/estimate?{chosen}")
        assert twin["estimate"]["any_word"] == demo.json(f"/p/demo/search?{asked}")["total"]
        assert twin["estimate"]["counted"] == demo.json(f"/p/demo/search?{asked}&all_words=true")["total"]
        assert twin["estimate"]["documents"] == demo.json(f"/p/demo/search?{asked}")["documents"]
        assert twin["estimate"] == call(*shlex.split(twin["command"])[1:], "--json").value()


def test_a_language_in_which_no_document_is_leads_to_those_there_are(demo: Client) -> None:
    twin = demo.json("/p/demo/search?query=mar+language:fr")
    assert (twin["total"], twin["absent"]) == (0, "fr")
    queries = {code: (number, query) for code, number, query in twin["languages"]}
    assert queries["es"][1] == "mar language:es"
    page = demo.page("/p/demo/search?query=mar+language:fr")
    assert "query=mar+language%3Aes" in page
    assert demo.json("/p/demo/search?query=mar+language:es")["total"] > 0


def test_a_lemma_is_found_in_its_context(demo: Client) -> None:
    twin = demo.json("/p/demo/search?query=lemma:ser")
    assert twin["total"] > 0
    marked = {piece["text"].lower() for hit in twin["hits"] for piece in hit["snippet"]["pieces"] if piece["hit"]}
    assert {"es", "fue"} & marked
