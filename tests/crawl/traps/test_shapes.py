"""Shapes group the addresses that one template makes."""

from __future__ import annotations

import pytest

from trasmallo.crawl.traps.shapes import coarser, coarser_family, family_of, shape_of


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/", "/"),
        ("/noticia/123456", "/noticia/#"),
        ("/2019/03/12/titulo-de-la-noticia.html", "/D/~.html"),
        ("/boe/dias/2019/03/12/", "/boe/dias/D/"),
        ("/cal/2041-05", "/cal/D"),
        ("/c/2041/13", "/c/#/#"),
        ("/wiki/Some_title", "/wiki/~"),
        ("/v/9f86d081884c7d659a2feaa0c55ad015", "/v/*"),
        ("/d/123e4567-e89b-12d3-a456-426614174000.pdf", "/d/*.pdf"),
        ("/viewtopic.php?t=12&start=20", "/viewtopic.php?t&start"),
        ("/p?k=a1b2c3d4e5", "/p?k=*"),
        ("/tema-12/pagina-3/", "/tema-#/pagina-#/"),
    ],
)
def test_shapes(path: str, shape: str) -> None:
    assert shape_of("http://a.es" + path) == shape


def test_a_shape_is_short_and_a_coarse_one_has_no_words() -> None:
    assert len(shape_of("http://a.es/" + "palabra-larga/" * 500)) <= 200
    assert coarser("/noticias/#/tema-#/~.html?a&b=*") == "/~/#/~/~?=*"
    assert coarser("/D/*/") == "/D/*/"


@pytest.mark.parametrize(
    ("path", "family"),
    [
        ("/", "/"),
        ("/contacto", "/~"),
        ("/hoja17", "/hoja#"),
        ("/hoja-17.html", "/hoja-#.html"),
        ("/casa/a/7", "/casa/#/~"),
        ("/casa/b/c/8/d", "/casa/#/~"),
        ("/articulo/12", "/articulo/#"),
        ("/agenda/2027/01", "/agenda/D"),
        ("/ver?k=a1b2c3d4e5", "/ver?k"),
        ("/ver?k=7", "/ver?k"),
    ],
)
def test_families(path: str, family: str) -> None:
    assert family_of("http://a.es" + path) == family


def test_a_coarse_family_has_no_word() -> None:
    assert coarser_family("/casa/#/~?a&b") == "/~/#/~?"
    assert coarser_family("/~") == "/~"
    assert coarser_family("/") == "/~"
