"""Asking a form: all that it hides is found, within the budget, and it ends."""

from __future__ import annotations

from support.small_search import HOST, SmallSearch
from trasmallo.crawl.forms.probing import NOWHERE, FormProber
from trasmallo.crawl.forms.site_words import longest
from trasmallo.crawl.forms.web_forms import find_forms


def probe(site: SmallSearch, budget: int) -> FormProber:
    form = find_forms(site.get(HOST + "/"), HOST + "/")[0]
    prober = FormProber(form, budget, longest(site.texts[0]))
    waiting = prober.begin()
    assert waiting == [f"{HOST}/search?q={NOWHERE}"]
    while waiting:
        url = waiting.pop(0)
        assert prober.asks_for(url)
        waiting += prober.take(url, site.get(url))
    return prober


def test_nearly_all_hidden_pages_are_found_and_the_estimate_says_so() -> None:
    site = SmallSearch()
    told = probe(site, 500).coverage
    assert told.found >= 57
    assert told.left <= 6
    assert told.ended
    assert len(set(site.asked)) == len(site.asked)


def test_a_budget_is_kept() -> None:
    site = SmallSearch()
    told = probe(site, 5).coverage
    assert (told.requests, len(site.asked), told.ended) == (5, 6, "its budget of 5 requests is spent")


def test_a_question_without_an_answer_leads_to_the_next() -> None:
    site = SmallSearch()
    form = find_forms(site.get(HOST + "/"), HOST + "/")[0]
    prober = FormProber(form, 10, ["uno", "dos"])
    (first,) = prober.begin()
    (second,) = prober.take(first, site.get(first))
    (third,) = prober.fail(second)
    assert [url.partition("q=")[2] for url in (second, third)] == ["uno", "dos"]


def test_values_of_lists_are_asked_for_before_words() -> None:
    html = b'<form action="/s"><input name=q><select name=y><option value=1999><option value=2000></select></form>'
    prober = FormProber(find_forms(html, HOST + "/")[0], 10, ["uno"])
    asked = prober.begin()
    for _ in range(3):
        asked += prober.take(asked[-1], b"<p>nada</p>")
    assert asked[1:] == [f"{HOST}/s?q=&y=1999", f"{HOST}/s?q=&y=2000", f"{HOST}/s?q=uno"]
