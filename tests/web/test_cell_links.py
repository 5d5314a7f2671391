"""What is behind a number: values of strangers stay values."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.results import cells
from trasmallo.results.registry import all_tables
from trasmallo.study.query.parsing import is_phrase, parse
from trasmallo.web import cell_links
from trasmallo.web.views.tables import within

words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=20)


@given(words, words)
def test_any_word_makes_a_query_that_can_be_read(word: str, other: str) -> None:
    for query in (cells.of_lemma(word, other), cells.of_category(word), cells.of_word(word)):
        if not is_phrase(query):
            parse(query)
    row = {"segment": f"{word} {other}", "of": "words", "count": 3}
    query = parse_qs(urlsplit(cell_links.address("segments", "count", row)).query).get("query", [""])[0]
    if query and not is_phrase(query):
        parse(query)


@given(words)
def test_an_address_keeps_the_value(word: str) -> None:
    place = cell_links.address("words", "documents", {"word": word, "documents": 2})
    assert parse_qs(urlsplit(place).query)["where"] == [f"word={word}"]
    assert place.startswith("tables/words_by_page?")


def test_a_page_that_was_left_out_has_no_words() -> None:
    page = {"document": "abc", "words": 3, "hapax": 1, "drop": ""}
    assert cell_links.address("pages", "words", page) == "tables/words_by_page?where=document%3Dabc"
    assert cell_links.address("pages", "hapax", page).endswith("&where=count%3D1")
    copy = page | {"drop": "copy of another document"}
    assert cell_links.address("pages", "words", copy) == cell_links.address("pages", "hapax", copy) == ""


def test_a_word_leads_to_its_page_in_its_language() -> None:
    place = cell_links.address("words", "word", {"word": "casa", "language": "es", "count": 2})
    assert place == "word?word=casa&language=es&unit=word"
    assert cell_links.address("words", "word", {"word": "casa"}) == "word?word=casa&unit=word"
    assert cell_links.address("words", "count", {"word": "casa", "count": 2}) == "concordance?query=casa"
    lemma = {"lemma": "hacer", "category": "VERB", "language": "es"}
    assert cell_links.address("lemmas", "lemma", lemma) == "word?word=hacer&category=VERB&language=es&unit=lemma"


def test_pairs_and_places() -> None:
    pair = {"first": "casa", "second": 'bl"anca', "count": 3}
    query = parse_qs(urlsplit(cell_links.address("collocations", "count", pair)).query)["query"][0]
    assert query == '[word=="casa"%c] []{0,4} [word=="bl\\"anca"%c] within s'
    unknown = {"document": "abc", "start": 7, "word": "xyz", "context": "a xyz b"}
    assert cell_links.address("unknown", "context", unknown) == "documents/abc?at=7-10#at"
    categories = {"first": "ADJ", "second": "NOUN", "distance": 2, "count": 9}
    assert "within+s" in cell_links.address("category_pairs", "count", categories)


@pytest.mark.parametrize("table", all_tables())
def test_without_the_columns_that_it_needs_there_is_nothing(table: str) -> None:
    for column in ("count", "documents", "sites", "url", "word", "words"):
        place = cell_links.address(table, column, {column: "x"})
        assert isinstance(place, str)
    assert cell_links.address(table, "document", {"document": ""}) == ""


def test_a_place_leads_out_of_the_app_by_its_own_address() -> None:
    row = {"entity": "Soria", "map": "https://www.openstreetmap.org/search?query=Soria"}
    assert cell_links.address("entities", "map", row) == row["map"]
    assert within("mine", row["map"]) == row["map"]
    assert cell_links.address("entities", "map", row | {"map": ""}) == ""
