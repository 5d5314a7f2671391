"""The book of forms: all are listed, only what is switched on is asked."""

from __future__ import annotations

import pytest

from support.script_web import answer_with
from support.small_search import HOST, SmallSearch
from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.crawl.forms.probing import NO_WORD
from trasmallo.values.model import Response


def answer(site: SmallSearch, url: str) -> Response:
    return answer_with(url, site.get(url).decode())


@pytest.mark.parametrize(
    ("on", "asked"), [((), 0), (("s.example",), 1), ((HOST + "/search",), 1), (("other.example",), 0), ((HOST + "/delete",), 0)]
)
def test_a_form_is_asked_only_where_it_is_switched_on_and_harmless(on: tuple[str, ...], asked: int) -> None:
    site, book = SmallSearch(), FormBook(on, 100)
    assert len(book.look(answer(site, HOST + "/"))) == asked
    assert {(form.action.removeprefix(HOST), bool(form.why_not)) for form in book.forms} == {
        ("/search", False),
        ("/delete", True),
    }


def test_a_bare_search_page_is_asked_with_words_of_other_pages_whenever_they_come() -> None:
    site, book = SmallSearch(), FormBook(("s.example",), 100)
    bare = '<form action="/search"><input type="search" name="q"></form>'
    (nowhere,) = book.look(answer_with(HOST + "/find", bare))
    assert book.look(answer(site, nowhere)) == []
    assert book.coverage[0].ended == NO_WORD
    word = site.texts[0].split()[0].lower()
    (asked,) = book.look(answer_with(HOST + "/about", f"<p>{word}</p>"))
    assert asked.endswith(f"q={word}") and not book.coverage[0].ended
    assert book.look(answer_with(HOST + "/other", "<p>barco</p>")) == [], "one question at a time"
    assert book.look(answer_with("https://other.example/", "<p>lonja</p>")) == []


def test_forms_on_many_pages_are_one_and_results_go_on() -> None:
    site, book = SmallSearch(), FormBook(("s.example",), 100)
    waiting = book.look(answer(site, HOST + "/"))
    book.look(answer(site, HOST + "/p/1"))
    assert [form.pages for form in book.forms] == [2, 2]
    while waiting:
        url = waiting.pop(0)
        waiting += book.look(answer(site, url))
    (told,) = book.coverage
    assert told.found >= 57
    assert not any("/delete" in url for url in site.asked)
    page = answer(site, HOST + "/search?q=x")
    assert book.own([HOST + "/search?q=x&page=2", HOST + "/p/1"], page) == [HOST + "/p/1"]
    assert book.fail(HOST + "/never-asked") == []
