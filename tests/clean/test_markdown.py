from __future__ import annotations

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from support.broken_markup import soup
from trasmallo.clean.content.whole_page import keep_all
from trasmallo.clean.flat import flatten
from trasmallo.clean.layout import lay_out
from trasmallo.clean.markdown import to_markdown


def resolve(href: str) -> str | None:
    return href if href.startswith("http") else None


def markdown_of(html: str) -> str:
    page = flatten(html)
    layout = lay_out(page)
    return to_markdown(page, layout, keep_all(page, layout), resolve)


def shown_again(markdown: str) -> list[str]:
    """The words that a reader sees of a Markdown text."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    return lay_out(flatten(html)).text.split()


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Un <i>título</i></h2><p>uno<p>dos", "## Un *título*\n\nuno\n\ndos\n"),
        ("<h3>uno<br>dos</h3>", "### uno dos\n"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul><p>fin", "- a\n  1. b\n  2. c\n- d\n\nfin\n"),
        ("<ol start=3><li>a<ul><li>b</ul><li>c</ol>", "3. a\n   - b\n4. c\n"),
        ("<ul><li>a<ol start=5><li>b</ol></ul>", "- a\n\n  5. b\n"),
        ("<ol start=x><li>a</ol><ul><li>b</ul>", "1. a\n\n- b\n"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b\n"),
        ("<ul><li>a<pre>x\n  y</pre><li>b</ul>", "- a\n\n  ```\n  x\n    y\n  ```\n- b\n"),
        ("<ul><li>a<blockquote><p>b<p>c</blockquote></ul>", "- a\n\n  > b\n  >\n  > c\n"),
        ("<p>uno<br>dos", "uno\\\ndos\n"),
        ("<p><a href=http://a/>e <b>f</b></a>", "[e](http://a/) [**f**](http://a/)\n"),
        ("<p><a href='http://a/(b)'>e</a>", "[e](<http://a/(b)>)\n"),
        ("<p>*a* [b] `c` &lt;d> e_f &amp;copy; x & y", "\\*a\\* \\[b\\] \\`c\\` \\<d> e\\_f \\&copy; x & y\n"),
        ("<p># uno<p>1. dos<p>- tres<p>~~~<p>12) x<p>---", "\\# uno\n\n1\\. dos\n\n\\- tres\n\n\\~~~\n\n12\\) x\n\n\\---\n"),
        ("<p>x<sup>2</sup> H<sub>2</sub>O <del>no</del>", "x<sup>2</sup> H<sub>2</sub>O ~~no~~\n"),
        ("<p>un <code>x = 1</code> <code>a`b</code> <code>`</code>", "un `x = 1` ``a`b`` `` ` ``\n"),
        ("<pre>  x\n y</pre>", "```\n  x\n y\n```\n"),
        ("<pre><code class='hljs language-python'>x\n\n\ny\n</code></pre>", "```python\nx\n\n\ny\n```\n"),
        ("<pre class='brush: js'>x</pre>", "```js\nx\n```\n"),
        ("<pre>```\nx</pre>", "````\n```\nx\n````\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n\nc\n"),
        ("<dl><dt>Red<dd>Malla<dd>Otra<p>más</p><dt>Nasa<dd>x</dl>", "Red\n:   Malla\n:   Otra\n\n    más\n\nNasa\n:   x\n"),
        ("<table><tr><th>A<th>B<tr><td>1|<td><p>2</p><p>3</p></table>x", "| A | B |\n| --- | --- |\n| 1\\| | 2 3 |\n\nx\n"),
        ("<table><tr><td>1<td><td>3<tr><td>4</table>", "| 1 |  | 3 |\n| --- | --- | --- |\n| 4 |  |  |\n"),
        (
            "<table><tr><th rowspan=2>A<th colspan=2>B<tr><th>b<th>c<tr><td>1<td>2<td>3</table>",
            "| A | B |  |\n| --- | --- | --- |\n|  | b | c |\n| 1 | 2 | 3 |\n",
        ),
        ("<table><caption>C</caption><tr><td>1<td>2</table>", "C\n\n| 1 | 2 |\n| --- | --- |\n"),
        ("<table><tr><td><h1>T</h1><p>a<td>b</table>", "# T\n\na\n\nb\n"),
        ("<table><tr><td>solo</table>", "solo\n"),
        ("", ""),
    ],
)  # fmt: skip
def test_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown


@pytest.mark.parametrize(
    "html",
    [
        "<ol start=7><li>uno<ol><li>a<ul><li>x<li>y</ul><li>b</ol><li>dos</ol>",
        "<ul><li>uno<pre>x\n  y</pre><li>dos<blockquote><ul><li>tres</ul></blockquote></ul>",
        "<p>1986. Un año<p>+ más<p>=<p>* no *<p>&amp;amp; a<b>b</b>c <i>d</i>",
        "<table><tr><th>a<th>b<tr><td>1<td>2 <b>3</b></table><ul><li>x</ul>",
    ],
)
def test_a_reader_of_markdown_sees_the_same_words(html: str) -> None:
    assert shown_again(markdown_of(html)) == lay_out(flatten(html)).text.split()


def test_structure_comes_back() -> None:
    html = "<ol><li>uno<ul><li>a<ul><li>b</ul></ul><li>dos<pre>c</pre></ol><blockquote><h2>t</h2></blockquote>"
    again = flatten(MarkdownIt("commonmark").render(markdown_of(html)))

    assert [tag for tag in again.tag if tag in {"ol", "ul", "li", "pre", "blockquote", "h2"}] == [
        "ol", "li", "ul", "li", "ul", "li", "li", "pre", "blockquote", "h2",
    ]  # fmt: skip


def test_huge_spans_are_cut() -> None:
    html = "<table><tr>" + "<td colspan=999999999999 rowspan=9999>x" * 50 + "<tr><td>y</table>"

    assert len(markdown_of(html)) < 3_000


@settings(deadline=None)
@given(soup)
def test_markdown_of_any_soup(html: str) -> None:
    assert bool(markdown_of(html)) == bool(lay_out(flatten(html)).text)
