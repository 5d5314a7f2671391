from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soup import soup
from trasmallo.clean.content import keep_all
from trasmallo.clean.dom import flatten, lay_out
from trasmallo.clean.markup import to_html, to_markdown


def resolve(href: str) -> str | None:
    return href if href.startswith("http") else None


def html_of(html: str) -> str:
    page = flatten(html)
    layout = lay_out(page)
    return to_html(page, layout, keep_all(page, layout), resolve)


def markdown_of(html: str) -> str:
    page = flatten(html)
    layout = lay_out(page)
    return to_markdown(page, layout, keep_all(page, layout), resolve)


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
        ("<pre> a\n  b</pre>", "<pre> a\n  b</pre>"),
        ("a<script>x</script>&lt;script&gt;", "<p>a&lt;script&gt;</p>"),
        ("<blockquote>cita</blockquote>", "<blockquote><p>cita</p></blockquote>"),
    ],
)
def test_safe_html(html: str, safe: str) -> None:
    assert html_of(html) == safe


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Un <i>título</i></h2><p>uno<p>dos", "## Un *título*\n\nuno\n\ndos\n"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul><p>fin", "- a\n  1. b\n  1. c\n- d\n\nfin\n"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n  b\n"),
        ("<p>uno<br>dos", "uno  \ndos\n"),
        ("<p><a href=http://a/>e <b>f</b></a>", "[e](http://a/) [**f**](http://a/)\n"),
        ("<p><a href='http://a/(b)'>e</a>", "[e](<http://a/(b)>)\n"),
        ("<p>*a* [b] `c` &lt;d> e_f", "\\*a\\* \\[b\\] \\`c\\` \\<d> e\\_f\n"),
        ("<p># uno<p>1. dos<p>- tres", "\\# uno\n\n\\1. dos\n\n\\- tres\n"),
        ("<p>un <code>x = 1</code>", "un `x = 1`\n"),
        ("<pre>  x\n y</pre>", "```\n  x\n y\n```\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n\n> b\n"),
        ("<table><tr><th>A<th>B<tr><td>1|<td><p>2</p><p>3</p></table>x", "| A | B |\n| --- | --- |\n| 1\\| | 2 3 |\n\nx\n"),
        ("", ""),
    ],
)
def test_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown


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
    assert not any(set(again.attributes(index)) - {"href"} for index in range(len(again)))
    assert lay_out(again).text.split() == lay_out(flatten(html + attack)).text.split()


@settings(deadline=None)
@given(soup)
def test_markdown_of_any_soup(html: str) -> None:
    assert bool(markdown_of(html)) == bool(lay_out(flatten(html)).text)
