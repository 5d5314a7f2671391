"""When a page is rendered, and the reason that is given."""

from __future__ import annotations

import json

import pytest

from trasmallo.crawl.browser.decision import ENOUGH_WORDS, decide, word_count

SCRIPT = '<script src="/app.js"></script>'
TEXT = " ".join(f"palabra{number}" for number in range(ENOUGH_WORDS + 10))
HELD = json.dumps({"body": "Los vecinos del valle cuentan cómo llegó la nieve a los siete molinos viejos. " * 8})
FORTY = " ".join(TEXT.split()[:40])
STORY = "Los vecinos cuentan cómo llegó aquella nieve temprana hasta siete molinos viejos junto al puente romano donde vivía"
ANNOUNCEMENT = f'<meta property="og:description" content="{STORY}">'


def reason(body: str, promised: int = 0) -> tuple[bool, str]:
    decision = decide(f"<html><title>T</title><body>{body}</body></html>".encode(), promised)
    return decision.render, decision.reason


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f'<div id="root"></div>{SCRIPT}', "the element that its scripts fill is empty"),
        (f'<div class="x" id=app><!-- --></div>{SCRIPT}', "the element that its scripts fill is empty"),
        (f"<noscript>You need to enable JavaScript to run this app.</noscript>{SCRIPT}", "it asks for JavaScript"),
        (f"<p>Activa JavaScript para ver el contenido</p>{SCRIPT}", "it asks for JavaScript"),
        (f"<app-root></app-root>{SCRIPT}", "its component app-root is empty"),
        (f'<a href="/a">a</a><p>Cargando…</p>{SCRIPT}', "it says that it is loading"),
        (f'<p>Foro</p><section id="main"> </section>{SCRIPT}', "the place of its main content is empty"),
        (f"<p>Foro</p><main>\n</main>{SCRIPT}", "the place of its main content is empty"),
        (f'<p>Foro</p><meta name="fragment" content="!">{SCRIPT}', "it says that its text is made by scripts"),
        (f"<p>{FORTY}</p>{ANNOUNCEMENT}{SCRIPT}", "its head announces a text that is not there"),
        ('<link rel="modulepreload" href="/app.mjs"><p>Hola</p>', "little text"),
        (f"<p>Hola</p>{' ' * 5000}<i>{chr(10) * 900}</i>{SCRIPT}", "little text"),
        (f"<p>Hola</p>{SCRIPT}", "little text (1 words) and scripts that may show more"),
        (f'<div id="root"></div><script type="application/json">{HELD}</script>{SCRIPT}', "its links are made by scripts"),
    ],
)
def test_a_shell_is_rendered_and_the_reason_told(body: str, why: str) -> None:
    render, told = reason(body)
    assert render
    assert told.startswith(why)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<p>Hola</p>", "no scripts"),
        ("<p>Hola</p><script>document.documentElement.className='js'</script>", "no scripts"),
        (f"<p>{TEXT}</p>{SCRIPT}", "its HTML has a text"),
        (f'<p>{TEXT}</p><div id="root"></div>{SCRIPT}', "its HTML has a text"),
        (f'<a href="/a">a</a><div id="root"></div><script type="application/json">{HELD}</script>{SCRIPT}', "the data in its"),
        (f"<p>{' '.join(TEXT.split()[:60])}</p>{SCRIPT}", "its HTML has a text of 60 words and no sign"),
        (f"<p>{FORTY} {STORY}</p>{ANNOUNCEMENT}{SCRIPT}", "its HTML has a text of"),
        (f"<p>{'在发生火灾的购物中心一层' * 80}</p>{SCRIPT}", "its HTML has a text of"),
        (
            f'<p>{FORTY}</p><main><p>uno</p></main><meta content="Un lema" name=description>{SCRIPT}',
            "its HTML has a text",
        ),
    ],
)
def test_other_pages_are_read_as_they_came(body: str, why: str) -> None:
    render, told = reason(body)
    assert not render
    assert told.startswith(why)


def test_a_page_without_the_links_that_its_sitemap_promises_is_rendered() -> None:
    body = f"<p>{' '.join(TEXT.split()[:60])}</p>{SCRIPT}"
    assert reason(body, promised=40) == (True, "no links, though the sitemap names 40 addresses")
    assert not reason(f'<a href="/a">a</a>{body}', promised=40)[0]


def test_hostile_markup_takes_no_time() -> None:
    for piece in (b"<script>", b"<div id=root", b"<x-y>", b"<a href=", b"<!--"):
        decide(piece * 100_000)
    assert word_count(b"<p>uno dos</p><script>tres</script>") == 2
