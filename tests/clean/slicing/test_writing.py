from __future__ import annotations

import pytest
from hypothesis import given

from support.broken_markup import soup
from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.sliced import slice_page

PAGE = """<html lang=es><head><title>T &amp; x</title><base href="http://e.org/a/"><meta http-equiv=refresh content=1>
<link rel=stylesheet href=s.css><link rel=next href=n.html><style>p{background:url(x.png)}</style><script>run()</script></head>
<body onload=run()>"""


def body(html: str, criterion: str = "x", **options: object) -> str:
    written = slice_page(html, criterion, **options).html  # type: ignore[arg-type]
    return written.partition("<body>")[2].partition("</body>")[0]


def test_links_are_absolute_and_nothing_runs() -> None:
    html = PAGE + (
        '<p>x <a href="b.html#c" onclick=run() ping=/p>x</a> <a href=" java\nscript:run()">x</a> <a href="#here">x</a>'
        '<a href="mailto:a@b.es">x</a><img src=i.png srcset="a.png 1x, b.png 2x" style="background:url(\'u.gif\')">'
        "<iframe src=f.html>x</iframe><iframe srcdoc='<p onload=run()>x<script>run()</script>'></iframe>"
        "<object data=o.swf></object><embed src=e.swf><script>run()</script></p>"
    )
    written = slice_page(html, "x", tolerance=9, url="http://other.org/").html
    assert "run()" not in written
    for part in (
        'href="http://e.org/a/b.html#c"', "<a>x</a>", 'href="#here"', 'href="mailto:a@b.es"', 'src="http://e.org/a/i.png"',
        'srcset="http://e.org/a/a.png 1x, http://e.org/a/b.png 2x"', "url(&quot;http://e.org/a/u.gif&quot;)",
        '<iframe src="http://e.org/a/f.html" sandbox=""></iframe>', '<link rel="stylesheet" href="http://e.org/a/s.css">',
        'url("http://e.org/a/x.png")', "<title>T &amp; x</title>", '<html lang="es">', "script-src 'none'",
    ):  # fmt: skip
        assert part in written, part
    for part in ("<script", "onload", "onclick", "refresh", "srcdoc", "ping", "<object", "<embed", 'rel="next"', "<base"):
        assert part not in written, part


def test_without_an_address_links_stay_as_they_are() -> None:
    assert body("<a href=b.html>x</a>") == '<a href="b.html">x</a>'


def test_collapse_leaves_nothing_of_what_is_hidden() -> None:
    assert body("<div>a <b>x</b> <i>c</i></div><p>d</p>") == "<div><b>x</b> </div>"


def test_keep_keeps_the_space() -> None:
    hidden = 'style="visibility:hidden!important"'
    written = body("<div>a <b>x</b></div><p style='color:red'>d</p>", view="keep")
    veiled = '<p style="color:red;visibility:hidden!important">d</p>'
    assert written == f"<div><span {hidden}>a </span><b>x</b></div>{veiled}"


def test_bare_leaves_only_what_was_found() -> None:
    assert body("<div>a <b>x</b> <i>c</i><ul><li>x<li>d</ul></div>", view="bare") == "<b>x</b>\n<ul><li>x</li>\n</ul>"


def test_a_text_in_parts() -> None:
    html = "<p>uno dos x tres cuatro cinco x</p>"
    assert body(html, tolerance="near:1") == "<p> … dos x tres … cinco x</p>"
    assert body(html, tolerance="near:1", inverse=True) == "<p>uno  …  cuatro  … </p>"
    hidden = '<span style="visibility:hidden!important">'
    assert body(html, tolerance="near:0", view="keep").startswith(f"<p>{hidden}uno dos </span>x{hidden} tres")


def test_marks() -> None:
    assert body("<p>el <b>Má</b>laga &lt; x</p>", "malaga x", mark=True) == (
        "<p>el <b><mark>Má</mark></b><mark>laga</mark> &lt; <mark>x</mark></p>"
    )


def test_what_a_script_would_have_shown_is_shown() -> None:
    assert body("<div hidden style='display:none;top:1px'><details><p>x</p></details></div>") == (
        '<div style=";top:1px"><details open=""><p>x</p></details></div>'
    )


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<pre>\n\nx</pre>", "<pre>\n\nx</pre>"),
        ("<xmp><b>x</xmp>", "<pre>&lt;b&gt;x</pre>"),
        ("<textarea>x &lt;</textarea>", "<textarea>x &lt;</textarea>"),
        ("<p>x<br>y<img alt='\"'></p>", '<p>x<br>y<img alt="&quot;"></p>'),
        (
            "<svg><style>&lt;/style>&lt;script></style><text>x</text></svg>",
            r"<svg><style><\/style><script></style><text>x</text></svg>",
        ),
    ],
)
def test_markup_means_the_same_again(html: str, written: str) -> None:
    assert body(html, tolerance=9) == written


def test_frames_become_links() -> None:
    written = slice_page("<frameset><frame src=x.html></frameset>", "x*", url="http://e.org/").html
    assert '<p><a href="http://e.org/x.html">http://e.org/x.html</a></p>' in written


def test_plain_text() -> None:
    page = slice_page("<h1>x</h1><p>uno</p><p>dos  x<br>tres</p><table><tr><td>x<td>y</table>", "x")
    assert page.text == "x\ndos x tres\nx"
    assert slice_page("<p>uno dos x tres cuatro x</p>", "x", tolerance="near:0").text == "x … x"


@given(soup)
def test_what_is_written_says_the_same_again(html: str) -> None:
    """All of a page's text is shown at a great tolerance, and is there again when the written page is read."""
    page = slice_page(html, "uno OR dos OR tres", tolerance=1_000, where="text")
    again = slice_page(page.html, "uno OR dos OR tres", tolerance=1_000, where="text")
    assert again.text == page.text
    assert "<script" not in page.html.lower()


@given(soup)
def test_every_view_can_be_read_again(html: str) -> None:
    for view in ("keep", "collapse", "bare"):
        written = slice_page(html, "uno", view=view).html  # type: ignore[arg-type]
        assert flatten(written).tag[:2] == ["html", "head"]
