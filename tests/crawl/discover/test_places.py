"""Where links stand on a page."""

from __future__ import annotations

import pytest

from support.effort import effort
from trasmallo.crawl.discover.links import find_links
from trasmallo.crawl.discover.places import PLACES
from trasmallo.values.model import Link

URL = "http://a.es/"


def places(html: str) -> dict[str, str]:
    return {link.url.removeprefix(URL): link.place for link in find_links(html, URL).links}


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<p><a href=/x>x</a></p>", ""),
        ("<nav><ul><li><a href=/x>x</a></ul></nav>", "menu"),
        ("<div role=navigation><a href=/x>x</a></div>", "menu"),
        ("<footer><p><a href=/x>x</a></p></footer>", "menu"),
        ("<ol class='list Comments-list'><li><a href=/x>x</a></ol>", "comments"),
        ("<div id=comentarios><a href=/x>x</a></div>", "comments"),
        ("<section><div itemtype='http://schema.org/Comment'><a href=/x>x</a></div></section>", "comments"),
        ("<ol class=commentlist><li class='pingback even'><a href=/x>x</a></ol>", "trackback"),
        ("<footer><div class=comments><a href=/x>x</a></div></footer>", "comments"),
        ("<link rel=next href=/x>", "unseen"),
        ("<body class='comments-open'><article class='post comment-able'><p><a href=/x>x</a>", ""),
        ("<div class='has-comments navidad'><p><a href=/x>x</a></div>", ""),
        ("<div class='left nav'><p><a href=/x>x</a></div>", "menu"),
    ],
)
def test_the_names_around_a_link_tell(html: str, place: str) -> None:
    assert places(html) == {"x": place}
    assert place in PLACES


def test_a_link_in_the_text_is_better_than_one_elsewhere() -> None:
    html = "<nav><a href=/x>Menu</a></nav><p><a href=/x>Text</a></p><div class=comments><a href=/x>Spam</a></div>"
    assert find_links(html, URL).links == (Link(URL + "x", "Text"),)


def test_a_followed_link_is_better_than_another() -> None:
    html = "<p><a rel=nofollow href=/x>Ad</a> <a href=/x>Text</a>"
    assert find_links(html, URL).links == (Link(URL + "x", "Text"),)


def test_a_picture_takes_the_anchor_of_a_menu_and_not_of_comments() -> None:
    picture, menu = "<p><a href=/x><img src=y></a></p>", "<nav><a href=/x>Menu</a></nav>"
    assert find_links(picture + menu, URL).links == (Link(URL + "x", "Menu"),)
    assert find_links(menu + picture, URL).links == (Link(URL + "x", "Menu"),)
    assert find_links(picture + "<div class=comments><a href=/x>Spam</a></div>", URL).links == (Link(URL + "x"),)


def test_nested_comments_are_looked_at_once() -> None:
    html = "<div class=comment><a href=/x>x</a>" * 20_000
    assert places(html) == {"x": "comments"}
    assert effort(lambda: places(html), 6) < 6
