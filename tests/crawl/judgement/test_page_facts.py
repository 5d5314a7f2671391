"""Cheap facts about pages."""

from __future__ import annotations

import pytest

from trasmallo.crawl.judgement.page_facts import heading_of, is_blank, plain, says_little, text_of, title_labels, title_octets


@pytest.mark.parametrize(
    ("page", "title"),
    [
        (b"<html><head><title>Mar</title>", b"Mar"),
        (b'<TITLE lang="es">\n El mar </TITLE>', b"El mar"),
        (b"<p>sin", b""),
        (b"<title>never ends", b""),
        (b"<title", b""),
    ],
)
def test_the_title_as_it_is_written(page: bytes, title: bytes) -> None:
    assert title_octets(page) == title


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Iniciar sesión - Campus virtual", "iniciar sesion"),
        ("Campus | Iniciar sesi&oacute;n", "iniciar sesion"),
        ("ACCESO", "acceso"),
        ("Wiki: Log in", "log in"),
    ],
)
def test_a_title_has_parts_beside_the_name_of_the_site(title: str, label: str) -> None:
    assert label in title_labels(title.encode())


def test_titles_in_another_encoding_are_read() -> None:
    assert "iniciar sesion" in title_labels("Iniciar sesión".encode("cp1252"))


def test_the_first_heading_without_its_markup() -> None:
    assert heading_of(b'<h2>no</h2><H1 class="x"><i>Log</i> in </H1><h1>no') == "log in"
    assert heading_of(b"<h2>no</h2>") == ""


def test_plain_texts_have_no_accents_and_no_signs_at_their_ends() -> None:
    assert plain("¡Página  no\nEncontrada!") == "pagina no encontrada"


def test_words_in_links_scripts_and_choices_say_nothing() -> None:
    page = b"<title>x</title><p>una red <a href='/'>con enlace</a><select><option>uno</select><noscript>dos</noscript>"
    assert text_of(page) == "una red"
    assert says_little(page, 2)
    assert not says_little(page, 1)
    assert not says_little(page + b"<p> </p>" * 100_000, 2), "of a very large page nobody is sure"


@pytest.mark.parametrize("page", [b"<html><head><title>x</title></head><body> </body></html>", b"<p>&nbsp;</p>", b"<!-- x -->"])
def test_a_page_without_anything_is_blank(page: bytes) -> None:
    assert is_blank(page)


@pytest.mark.parametrize(
    "page",
    [
        b"<p>a",
        b"sin marcas",
        b"<body><img src='x.png'>",
        b"<body><div id='root'></div><script src='app.js'></script>",
        b"<frameset><frame src='a.html'></frameset>",
        b"<body><a href='/x'></a>",
        b'<meta http-equiv="refresh" content="0; url=/es/">',
        b"<p> </p>" * 1_000,
    ],
)
def test_whatever_can_be_seen_or_followed_is_not(page: bytes) -> None:
    assert not is_blank(page)
