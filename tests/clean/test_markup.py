from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.broken_markup import soup
from trasmallo.clean.content.whole_page import keep_all
from trasmallo.clean.flat import flatten
from trasmallo.clean.layout import lay_out
from trasmallo.clean.markup import cells_of, span_of, to_html


def resolve(href: str) -> str | None:
    return href if href.startswith("http") else None


def html_of(html: str) -> str:
    page = flatten(html)
    layout = lay_out(page)
    return to_html(page, layout, keep_all(page, layout), resolve)


@pytest.mark.parametrize(
    ("html", "safe"),
    [
        ("<p class=x onclick=y>uno <b style=z>dos</b></p>", "<p>uno <b>dos</b></p>"),
        ("<div>suelto</div>", "<p>suelto</p>"),
        ("<div>uno<br>dos</div>", "<p>uno<br>dos</p>"),
        ("<p><a href='http://a/?x=1&y'>e</a>", '<p><a href="http://a/?x=1&amp;y">e</a></p>'),
        ("<p><a href='javascript:x()'>e</a>", "<p><a>e</a></p>"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("<table><tr><td>a<td>b</table>", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"),
        (
            "<table><tr><td>a<td><td>c<td></table>",
            "<table><tbody><tr><td>a</td><td></td><td>c</td><td></td></tr></tbody></table>",
        ),
        (
            "<table><tr><th colspan=2 onclick=x>a<tr><td rowspan=x>b<td>c</table>",
            '<table><tbody><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
        ),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
        ("<pre> a\n  b</pre>", "<pre> a\n  b</pre>"),
        ("a<script>x</script>&lt;script&gt;", "<p>a&lt;script&gt;</p>"),
        ("<blockquote>cita</blockquote>", "<blockquote><p>cita</p></blockquote>"),
    ],
)
def test_safe_html(html: str, safe: str) -> None:
    assert html_of(html) == safe


def test_what_is_nested_too_deep_keeps_its_text() -> None:
    made = html_of("<ul><li>uno " * 200 + "<b>" * 200 + "fin")

    assert made.count("<ul>") == 30
    assert made.count("<b>") == 60
    assert (made.count("uno"), made.count("fin")) == (200, 1)


def test_cells_and_their_spans() -> None:
    page = flatten("<table><tr><td colspan=3>a<th rowspan=0><td colspan=-1><td colspan=9999><td colspan='²'></table>")
    cells = list(cells_of(page, page.tag.index("tr")))

    assert [page.tag[cell] for cell in cells] == ["td", "th", "td", "td", "td"]
    assert [span_of(page, cell, "colspan") for cell in cells] == [3, 1, 1, 1000, 1]


@settings(deadline=None)
@given(
    soup,
    st.sampled_from(
        ["<script>x()</script>", "<img src=x onerror=y>", "<iframe src=x></iframe>", "<p onclick=x>", "<style>*{}"]
    ),
)
def test_nothing_that_runs_gets_through_and_the_text_stays(html: str, attack: str) -> None:
    again = flatten(html_of(html + attack))

    assert set(again.tag).isdisjoint({"script", "img", "iframe", "style", "form", "object"})
    assert not any(set(again.attributes(index)) - {"href", "colspan", "rowspan"} for index in range(len(again)))
    assert lay_out(again).text.split() == lay_out(flatten(html + attack)).text.split()
