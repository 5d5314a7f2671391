from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from support.broken_markup import soup
from trasmallo.clean.flat import flatten
from trasmallo.clean.metadata import Metadata, day_of, metadata_of


def of(html: str, url: str = "") -> Metadata:
    return metadata_of(flatten(html), url)


def ld(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def meta(**named: str) -> str:
    return "".join(
        f'<meta name="{name.replace("__", ":").replace("_", ".")}" content="{value}">' for name, value in named.items()
    )


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "Las redes vuelven al puerto",
    "author": [{"@type": "Person", "name": "Ana Mar"}, {"@type": "Person", "name": "Luis Sal"}],
    "datePublished": "2024-05-17T08:00:00Z",
    "inLanguage": "es-ES",
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "publisher": {"@type": "Organization", "name": "El Faro"},
}


def test_everything_from_linked_data() -> None:
    assert of(ld(ARTICLE)) == Metadata(
        "Las redes vuelven al puerto",
        "Ana Mar; Luis Sal",
        "2024-05-17T08:00:00+00:00",
        "El Faro",
        "es",
        "https://creativecommons.org/licenses/by/4.0/",
    )


def test_everything_from_open_graph() -> None:
    html = """<html><meta property="og:title" content="Las redes"><meta property="og:site_name" content="El Faro">
      <meta property="article:published_time" content="2024-05-17"><meta property="og:locale" content="es_ES">
      <meta property="article:author" content="Ana Mar"><link rel=license href=https://example.org/l>"""
    assert of(html) == Metadata("Las redes", "Ana Mar", "2024-05-17", "El Faro", "es", "https://example.org/l")


def test_everything_from_microdata() -> None:
    html = """<article itemscope itemtype="http://schema.org/Article"><h1 itemprop="headline">Las redes</h1>
      <span itemprop="author" itemscope><b>Por</b> <a itemprop="url name" href=/ana>Ana Mar</a></span>
      <time itemprop="datePublished" datetime="2024-05-17">ayer</time><meta itemprop="inLanguage" content="es">
      <div itemprop="publisher" itemscope><meta itemprop="name" content="El Faro"></div>
      <a itemprop="license" href="https://example.org/l">licencia</a></article>"""
    assert of(html) == Metadata("Las redes", "Ana Mar", "2024-05-17", "El Faro", "es", "https://example.org/l")


def test_everything_from_dublin_core() -> None:
    html = meta(
        DC_title="Las redes",
        DC_creator="Ana Mar",
        DC_date="2024-05-17",
        DC_publisher="El Faro",
        DC_language="es",
        DC_rights="CC BY 4.0",
    )
    assert of(html) == Metadata("Las redes", "Ana Mar", "2024-05-17", "El Faro", "es", "CC BY 4.0")


def test_everything_from_plain_html() -> None:
    html = """<html lang=es-MX><title>Las redes | El Faro</title><meta name=application-name content="El Faro">
      <h1>Las redes</h1>
      <p class=byline>Por <a href=/ana>Ana Mar</a></p><span class="post-date">17 de mayo de 2024</span>
      <a rel="license nofollow" href=https://example.org/l>CC</a>"""
    assert of(html) == Metadata("Las redes", "Ana Mar", "2024-05-17", "El Faro", "es", "https://example.org/l")


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Redes</title>", "Redes"),
        ("<title>Redes - El Faro</title>", "Redes - El Faro"),
        ("<title>El Faro: otra cosa</title><h1>Redes</h1>", "El Faro: otra cosa"),
        ("<title>Redes - El Faro</title><h1>Redes</h1>", "Redes"),
        ("<title>El Faro » Redes</title><meta property=og:site_name content='El Faro'>", "Redes"),
        (meta(og__title="Redes | El Faro", og__site_name="El Faro").replace("site.name", "site_name"), "Redes"),
        ("<h1>Redes</h1>", "Redes"),
        ("<h1>Redes</h1><h1>Barcos</h1>", ""),
        ("<title> Redes \n de  pesca </title>", "Redes de pesca"),
        ("<svg><title>icono</title></svg>", ""),
        ("<title>T</title><meta property='og:title' content='Redes &amp; barcos'>", "Redes & barcos"),
        ("<title>T</title><meta property='og:title' content='  '><meta name=twitter:title content=Redes>", "Redes"),
        ("", ""),
    ],
)
def test_title(html: str, title: str) -> None:
    assert of(html).title == title


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (meta(author="Ana Mar"), "Ana Mar"),
        (meta(author="Por Ana Mar"), "Ana Mar"),
        (meta(author="admin"), ""),
        (meta(author="https://example.org/ana"), ""),
        (meta(author="ana@example.org"), ""),
        (meta(author="x" * 200), ""),
        (meta(article__author="https://facebook.com/ana") + "<a rel=author href=/ana>Ana Mar</a>", "Ana Mar"),
        (
            "<meta name=citation_author content='Mar, Ana'><meta name=citation_author content='Sal, Luis'>",
            "Mar, Ana; Sal, Luis",
        ),
        (meta(author="Ana Mar") + meta(author="Ana Mar"), "Ana Mar"),
        ("<div class='entry-author vcard'>By Ana Mar</div>", "Ana Mar"),
        ("<div class='comment-author'>Otro</div>", ""),
        ("<div class='authority'>Otro</div>", ""),
        (ld({"@type": "Article", "author": {"@type": "Person", "url": "https://x.org"}}) + meta(author="Ana Mar"), "Ana Mar"),
    ],
)
def test_author(html: str, author: str) -> None:
    assert of(html).author == author


@pytest.mark.parametrize(
    ("html", "url", "date"),
    [
        ("<time datetime=2024-05-17>ayer</time>", "", "2024-05-17"),
        ("<time>17 de mayo de 2024</time>", "", "2024-05-17"),
        ("<p class=fecha>17/05/2024</p>", "", "2024-05-17"),
        ("<html lang=en><p class=date>05/07/2024</p>", "", "2024-05-07"),
        (meta(date="pronto") + "<time datetime=2024-05-17>", "", "2024-05-17"),
        ("<p>sin fecha", "http://a.org/2024/05/17/redes.html", "2024-05-17"),
        ("<p>sin fecha", "http://a.org/2024-05-17-redes", "2024-05-17"),
        ("<link rel=canonical href=http://a.org/2024/5/7/x>", "", "2024-05-07"),
        ("<p>sin fecha", "http://a.org/2024/55/17/", ""),
        ("<p>sin fecha", "http://[", ""),
        ("<p class=update>17/05/2024", "", ""),
    ],
)
def test_date(html: str, url: str, date: str) -> None:
    assert of(html, url).date == date


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=es>", "es"),
        ("<html lang=''>" + meta(dc_language="es-MX"), "es"),
        ("<meta http-equiv=content-language content='es, en'>", "es"),
        ("<html>" + meta(og__locale="es_ES"), "es"),
        (ld({"@type": "WebPage", "inLanguage": {"@type": "Language", "name": "es"}}), "es"),
        (meta(language="spanish language"), ""),
        ("", ""),
    ],
)
def test_language(html: str, language: str) -> None:
    assert of(html).language == language


def test_linked_data_wins_over_the_rest() -> None:
    html = ld(ARTICLE) + meta(og__title="Otra cosa", author="Otra", date="2001-01-01")

    assert of(html).title == "Las redes vuelven al puerto"
    assert of(html).date.startswith("2024-05-17")


def test_long_values_are_cut() -> None:
    assert len(of(meta(og__title="x" * 100_000)).title) == 500


def test_a_page_of_nested_items_takes_no_time() -> None:
    html = "<div itemprop=author itemscope class=author>" * 500 + "x" + "<p itemprop=author itemscope>" * 20_000

    assert of(html).author == "x"


@settings(deadline=None)
@given(soup)
def test_any_soup(html: str) -> None:
    assert isinstance(of(html), Metadata)


@pytest.mark.parametrize(
    ("html", "url", "day"),
    [
        (ld(ARTICLE), "", "2024-05-17"),
        (ld({"@type": "WebPage"}) + meta(pubdate="2024-05-18T23:00:00Z"), "", "2024-05-18"),
        ('<meta itemprop="datePublished" content="2024-05-19">', "", "2024-05-19"),
        (
            '<time itemprop="datePublished" datetime="2024-05-20T10:00">ayer</time><time datetime="2020-01-01">',
            "",
            "2024-05-20",
        ),
        (meta(dc_date="2024-05-21"), "", "2024-05-21"),
        ("<p>x", "http://a.es/2024/05/22/redes", "2024-05-22"),
        ('<p>x<time datetime="2024-05-23">hoy</time><time datetime="2024-05-23T09:00">', "", "2024-05-23"),
        ('<time datetime="2024-05-23">hoy</time><time datetime="2024-05-24">', "", ""),
        (meta(date="no day") + "<script>1</script>", "", ""),
        ("", "http://[", ""),
    ],
)
def test_the_day_that_a_page_states(html: str, url: str, day: str) -> None:
    assert day_of(flatten(html), url) == day


@settings(max_examples=50, deadline=None)
@given(soup)
def test_no_page_keeps_its_day_from_being_looked_for(html: str) -> None:
    assert len(day_of(flatten(html))) in (0, 10)
