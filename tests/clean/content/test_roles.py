"""Comments, related lists and menus told apart from each other."""

from __future__ import annotations

import pytest
from hypothesis import given

from support.broken_markup import soup
from trasmallo.clean.content.roles import ROLES, find_comments, find_roles, speaks_of_comments
from trasmallo.clean.dom import see

SENTENCE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. "
ARTICLE = f"<article><p id=a>{SENTENCE * 5}</p></article>"
LINKS = "".join(f"<li><a href=/{n}>Una noticia larga del puerto número {n}</a></li>" for n in range(4))
SAID = "".join(
    f"<div><b>Ana {n}</b> <i>12/03/2024</i><p>Yo también calo la red cuando hay luna nueva.</p></div>" for n in range(3)
)


def roles_of(html: str) -> dict[str, set[str]]:
    """For each role the texts that have it; what is inside `article` is main."""
    page, layout = see(html)
    articles = [(node, page.end[node]) for node, tag in enumerate(page.tag) if tag == "article"]
    main = [any(start < node < end for start, end in articles) for node in layout.node]
    found: dict[str, set[str]] = {role: set() for role in ROLES}
    for number, role in enumerate(find_roles(page, layout, main)):
        found[role].add(layout.block_text(number))
    return found


@pytest.mark.parametrize(
    "comments",
    [
        "<section class='post-comments'><p>Muy bueno.</p></section>",
        "<ol id=listaComentarios><li>Muy bueno.</li></ol>",
        "<div itemscope itemtype='https://schema.org/Comment'><p>Muy bueno.</p></div>",
        "<div><h3>2 comentarios</h3><p>Muy bueno.</p></div>",
        "<div><h3>Leave a Reply</h3><p>Muy bueno.</p></div><div><h3>Aviso</h3></div>",
    ],
)
def test_comments_by_names_microdata_and_headings(comments: str) -> None:
    assert "Muy bueno." in roles_of(ARTICLE + comments)["comments"]


def test_comments_that_nothing_names_repeat_a_date_and_a_text() -> None:
    found = roles_of(f"{ARTICLE}<div>{SAID}</div>")

    assert "Yo también calo la red cuando hay luna nueva." in found["comments"]


@pytest.mark.parametrize(
    "related",
    [
        "<aside class='related-posts'><a href=/x>Otra red</a></aside>",
        "<div><h4>Te puede interesar</h4><a href=/x>Otra red</a></div>",
    ],
)
def test_related_lists_by_names_and_headings(related: str) -> None:
    assert "Otra red" in roles_of(ARTICLE + related)["related"]


def test_a_list_of_long_links_is_related_and_one_of_short_links_a_menu() -> None:
    short = "".join(f"<li><a href=/{n}>Sección {n}</a></li>" for n in range(9))
    found = roles_of(f"<ul>{short}</ul>{ARTICLE}<div><ul>{LINKS}</ul></div>")

    assert "Sección 3" in found["menu"]
    assert "Una noticia larga del puerto número 2" in found["related"]


def test_navigation_is_a_menu_even_with_long_links() -> None:
    assert "Una noticia larga del puerto número 2" in roles_of(f"<nav><ul>{LINKS}</ul></nav>{ARTICLE}")["menu"]


def test_what_follows_a_heading_ends_at_the_next() -> None:
    found = roles_of(f"{ARTICLE}<div><h3>Comentarios</h3><p>Muy bueno.</p><h3>Contacto</h3><p>Escríbenos.</p></div>")

    assert found["comments"] == {"Comentarios", "Muy bueno."}
    assert "Escríbenos." in found["other"]


def test_main_content_keeps_its_role_whatever_is_said_around_it() -> None:
    found = roles_of(f"<div class='has-comments related'>{ARTICLE}<p>Otra cosa.</p></div>")

    assert found["main"] == {" ".join((SENTENCE * 5).split())}
    assert found["other"] == {"Otra cosa."}


@given(soup)
def test_every_block_of_any_page_has_a_role(html: str) -> None:
    page, layout = see(html)
    main = [number % 3 == 0 for number in range(len(layout))]
    roles = find_roles(page, layout, main)

    assert len(roles) == len(layout)
    assert [role == "main" for role in roles] == main


def test_comments_alone_are_those_that_names_and_headings_tell() -> None:
    html = ARTICLE + "<section class='post-comments'><p>Muy bueno.</p></section><div><h3>Avis</h3><p>Bien.</p></div>"
    page, layout = see(html)
    main = [page.tag[node] == "p" and number == 0 for number, node in enumerate(layout.node)]
    found = find_comments(page, layout, main)
    assert [layout.block_text(number) for number, role in enumerate(found) if role == "comments"] == [
        "Muy bueno.",
        "Avis",
        "Bien.",
    ]
    assert set(found) == {"", "comments"}


@pytest.mark.parametrize(
    ("html", "speaks"),
    [("", False), (ARTICLE, False), ("<ol id=listaComentarios>", True), ("<p class='a PostComments'>", True)],
)
def test_a_page_without_such_names_is_not_looked_at(html: str, speaks: bool) -> None:
    assert speaks_of_comments(see(html)[0]) is speaks
