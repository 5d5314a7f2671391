from __future__ import annotations

import pytest
from hypothesis import given, settings

from support.broken_markup import soup
from support.effort import effort
from trasmallo.clean.dom import fields_of, language_of, see, title_of
from trasmallo.clean.flat import flatten
from trasmallo.values.model import Field


def test_noscript_is_shown_when_the_page_has_nothing_else() -> None:
    inside = "<noscript><p>" + "sin guiones " * 30 + "</p></noscript>"

    assert see("<p>cargando</p>" + inside)[1].text.startswith("cargando\nsin guiones")
    assert "sin" not in see("<p>" + "mucho texto " * 50 + "</p>" + inside)[1].text


def test_noframes_is_shown_when_the_page_is_frames() -> None:
    frames = "<frameset><frame src=a><noframes><body><p>sin <b>marcos</b></body></noframes></frameset>"

    assert see(frames)[1].text == "sin marcos"


def test_a_page_that_hides_itself_until_scripts_run_is_read() -> None:
    assert see("<body style='visibility:hidden'><p>" + "texto " * 20)[1].text == "texto " * 19 + "texto"


def test_a_page_that_hides_most_of_its_prose_is_read_whole() -> None:
    shown = "".join(f"<p>Entrada {n} del menú y de otras cosas.</p>" for n in range(40))
    prose = "".join(
        f"<p>Párrafo {n}: la red se cala al anochecer y se recoge de madrugada, cuando ha calmado.</p>" for n in range(40)
    )
    waiting = f"{shown}<div hidden>{prose}</div>"

    assert "Párrafo 39" in see(waiting)[1].text
    assert "Párrafo" not in see(f"{shown}<div hidden>{prose[:300]}</div>")[1].text
    assert see(f"{shown}{prose}<div hidden>{prose}</div>")[1].text.count("Párrafo 39") == 1


def test_title_language_and_fields() -> None:
    page = flatten(
        "<html lang=es-MX><head><title> Un\n título </title><meta name=Description content='de  qué va'>"
        "<meta name=viewport content=x>"
        "<meta property='og:site_name' content=Sitio></head><body><svg><title>no</title></svg><h2>Cab<i>e</i>za</h2><b> </b>"
    )

    assert title_of(page) == "Un título"
    assert language_of(page) == "es"
    assert fields_of(page) == (
        Field("title", "Un título"),
        Field("description", "de qué va"),
        Field("og:site_name", "Sitio"),
        Field("heading", "Cabeza"),
        Field("emphasis", "e"),
    )


@pytest.mark.parametrize("label", ["", "x", "english", "1", "-"])
def test_a_label_that_names_no_language(label: str) -> None:
    assert language_of(flatten(f"<html lang='{label}'>")) == ""


@pytest.mark.parametrize("tags", ["<div>", "<b>", "<a><table>", "<p><font>", "<li><ul>", "<foo>", "<b><div>", "<blockquote/>"])
def test_200000_nested_elements_neither_hang_nor_crash(tags: str) -> None:
    html = tags * (200_000 // tags.count("<")) + "fin" + "</q>" * 1000
    page, layout = see(html)

    assert layout.text == "fin"
    assert len(page) < 500_000
    assert effort(lambda: see(html), 10) < 10


@pytest.mark.parametrize(
    "html",
    [
        "<li><dd>" * 50_000,
        "<div></y>" * 50_000,
        "<p>" + "".join(f"<b class=a{number}>" for number in range(500)) + "<p>x" * 20_000,
        "".join(f"<body a{number}=1>" for number in range(20_000)),
    ],
    ids=["lists in lists", "end tags of nothing", "formatting", "attributes of body"],
)
def test_what_nests_or_is_copied_without_saying_so_is_bounded(html: str) -> None:
    page, layout = see("<p>antes</p>" + html)

    assert layout.text.startswith("antes")
    assert len(page) < 500_000
    assert effort(lambda: see(html), 10) < 10


@settings(deadline=None)
@given(soup)
def test_any_soup_gives_consistent_arrays(html: str) -> None:
    page, layout = see(html)

    assert all(parent < index < end <= len(page) for index, (parent, end) in enumerate(zip(page.parent, page.end, strict=True)))
    assert all(page.end[index] <= page.end[page.parent[index]] for index in range(1, len(page)))
    assert len(page.paths()) == len(page)
    assert "\n".join(layout.text[a:b] for a, b in zip(layout.start, layout.end, strict=True)) == layout.text
    assert all(layout.text[a:b].strip() for a, b in zip(layout.start, layout.end, strict=True))
    assert all(0 <= linked <= weight for linked, weight in zip(layout.linked, layout.weight, strict=True))
    assert all(first <= last < page.end[node] for node, first, last in zip(layout.node, layout.first, layout.last, strict=True))
