"""Pages whose text stands in their scripts are read without a browser."""

from __future__ import annotations

import json

from trasmallo.clean.embedded import open_embedded, scripts_of
from trasmallo.clean.read import extract, read

SENTENCES = [
    f"En el capítulo {number} los vecinos del valle cuentan cómo llegó la nieve a los {number} molinos." for number in range(8)
]
HELD = json.dumps({"props": {"content": "".join(f"<p>{each}</p>" for each in SENTENCES)}})


def page(body: str = "") -> str:
    data = f'<script id="__NEXT_DATA__" type="application/json">{HELD}</script>'
    return f'<html lang="es"><title>T</title><body><div id="__next">{body}</div>{data}</body></html>'


def test_the_text_of_data_is_read_by_both_doors() -> None:
    assert extract(page()).text.splitlines() == SENTENCES
    read_page = read(page().encode(), url="https://a.example/", media="text/html")
    assert read_page.drop is None
    assert read_page.main_text.splitlines() == SENTENCES


def test_a_page_that_says_enough_is_left_as_it_is() -> None:
    shown = " ".join(f"palabra{number}" for number in range(120))
    html = page(f"<p>{shown}</p>")
    assert open_embedded(html, shown) is html
    assert "capítulo" not in extract(page("<article><p>" + " ".join(SENTENCES[:1] * 12) + "</p></article>")).text.replace(
        SENTENCES[0], ""
    )


def test_data_that_the_page_shows_already_add_nothing() -> None:
    shown = " ".join(SENTENCES)
    assert open_embedded(html := page(), shown) is html


def test_scripts_without_an_end_are_looked_for_once() -> None:
    assert scripts_of("<script>" * 200_000) == []
    assert [each.source for each in scripts_of('<script type="A/B; x">1</script><SCRIPT>2</SCRIPT>')] == ["1", "2"]
