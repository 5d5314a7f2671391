"""Pages behind fragments."""

from __future__ import annotations

from support.script_web import answer_with
from trasmallo.crawl.fragments import fragment_pages


def test_links_with_a_path_behind_the_sign_are_pages_and_places_in_a_page_are_not() -> None:
    html = """<a href="#!/a">a</a><a href='/x#/b?c=1&amp;d=2'>b</a><a href="#top">top</a><a href="#!/a">again</a>"""
    assert fragment_pages(answer_with("https://a.example/app#!/old", html)) == (
        "https://a.example/app#!/a",
        "https://a.example/x#/b?c=1&d=2",
    )
