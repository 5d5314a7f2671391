"""The page of a word in the app."""

from __future__ import annotations

import html
import re
import shlex

import pytest

from support.command_line import call
from web.conftest import Client


def test_the_page_says_what_the_command_says(demo: Client) -> None:
    twin = demo.json("/p/demo/word?word=hacer")
    assert twin["figures"] == call(*shlex.split(twin["command"])[1:], "--json").value()
    assert sum(form["count"] for form in twin["forms"]) == twin["sketch"]["word"]["count"] == twin["figures"]["count"]
    assert len(twin["lines"]) == 5
    assert "objects" in demo.page("/p/demo/word?word=hacer")
    spanish = demo.page("/p/demo/word?word=hacer", headers={"Accept-Language": "es"})
    assert "objetos" in spanish
    assert "ConcordanceWord" not in spanish
    for line in twin["lines"]:
        assert f"{line['hit'][0]['word']}</a>" in spanish


def test_each_number_leads_to_its_lines(demo: Client) -> None:
    twin = demo.json("/p/demo/word?word=hacer")
    page = demo.page("/p/demo/word?word=hacer")
    found = [html.unescape(place) for place in re.findall(r'href="(/p/demo/concordance[^"]+)"', page[page.find("<main") :])]
    totals = {place: demo.json(place)["found"]["total"] for place in dict.fromkeys(found)}
    counts = [each["count"] for one in twin["sketch"]["relations"] for each in one["partners"]]
    counts += [form["count"] for form in twin["forms"]] + [twin["figures"]["count"]]
    counts += [one["count"] for name in ("by_site", "by_document") for one in twin["figures"][name]]
    assert sorted(totals.values()) == sorted(counts)


def test_two_words(demo: Client) -> None:
    twin = demo.json("/p/demo/word?word=hacer&other=dar&number=3")
    assert (twin["sketch"]["other"]["word"], twin["beside"]["word"]) == ("dar", "dar")
    assert twin["sketch"] == call(*shlex.split(twin["command"])[1:], "--json").value()
    assert "dar</small>" in demo.page("/p/demo/word?word=hacer&other=dar")


def test_a_word_that_is_no_lemma_leads_to_its_lemmas(demo: Client) -> None:
    twin = demo.json("/p/demo/word?word=hizo")
    assert (twin["figures"]["unit"], twin["sketch"]) == ("word", None)
    assert twin["figures"]["count"] == twin["forms"][0]["count"] == 6
    places = re.findall(r'href="(/p/demo/word\?[^"]+)" lang="es">hacer', demo.page("/p/demo/word?word=hizo"))
    assert demo.json(html.unescape(places[0]))["figures"]["unit"] == "lemma"
    assert demo.json("/p/demo/word?word=red&unit=word")["figures"]["unit"] == "word"


def test_a_new_word_leads_to_its_card(demo: Client) -> None:
    assert "/p/demo/neologisms?word=wifiesta" in demo.page("/p/demo/word?word=wifiesta")


def test_no_word_and_unknown_words(demo: Client) -> None:
    assert "What does a word go with?" in demo.page("/p/demo/word")
    page = demo.page("/p/demo/word?word=%3Cscript%3Ex")
    assert "the run has no word" in page
    assert "<script>x" not in page
    assert demo.get("/p/demo/word?word=hacer&number=0").status_code == 400


LEMMAS = ("lemmas", "lemmas_by_page", "lemmas_by_site", "lemma_trends", "collocations_by_pattern", "regimes", "sketches")
WORDS = ("words", "words_by_page", "words_by_site", "words_by_category", "dispersion", "trends", "collocations")


@pytest.mark.parametrize("table", (*LEMMAS, *WORDS))
def test_tables_lead_to_it_and_their_counts_to_the_lines(demo: Client, table: str) -> None:
    page = demo.page(f"/p/demo/tables/{table}")
    places = re.findall(r'href="(/p/demo/word\?[^"]+)"', page)
    told = demo.json(html.unescape(places[0]))["figures"]
    assert told["count"] > 0
    assert told["unit"] == ("lemma" if table in LEMMAS else "word")
    lines = re.findall(r'class="number"><a href="(/p/demo/concordance\?[^"]+)"', page)
    assert demo.json(html.unescape(lines[0]))["found"]["total"] > 0


def test_a_name_has_a_page_of_its_own(demo: Client) -> None:
    row = demo.json("/p/demo/tables/lemmas?where=category=PROPN&where=language=es")["rows"][0]
    place = f"/p/demo/word?word={row[0]}&category=PROPN&language=es&unit=lemma"
    told = demo.json(place)
    assert (told["figures"]["word"], told["figures"]["count"]) == (row[0], row[2])
    assert len(told["lines"]) == 5
    assert demo.json(f"/p/demo/trend?lemma={row[0]}&language=es")["trend"]["count"] > 0


def test_a_table_of_few_columns_leads_to_it_too(demo: Client) -> None:
    assert "/p/demo/word?word=" in demo.page("/p/demo/tables/words?columns=word&columns=count")
