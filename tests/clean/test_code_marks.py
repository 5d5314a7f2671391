"""Code that markup tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.code_marks import find_code
from trasmallo.clean.dom import see
from trasmallo.clean.read import read

PAGE = """<html lang=es><body><article><p>Ejecute  <code>ls
 -l /tmp</code> y <b>luego</b> <kbd>Ctrl-C</kbd>, nada más.<p>Otra línea sin código.</p>
<pre>  $ make
  ok</pre><pre class=x><code>a = 1
b</code></pre><p hidden><code>no</code></p><p>Dice <samp>hecho</samp><script><code>1</code></script> y<br><tt>fin</tt>.
</article></body></html>"""


def code_of(html: str, method: str = "all") -> list[tuple[str, str]]:
    page = read(html.encode(), url="http://a.es/", method=method)
    return [(page.text[one.start : one.end], one.tag) for one in page.code]


def test_each_element_of_code_is_found_in_the_text() -> None:
    assert code_of(PAGE) == [
        ("ls -l /tmp", "code"),
        ("Ctrl-C", "code"),
        ("$ make\n  ok", "pre"),
        ("a = 1\nb", "code"),
        ("hecho", "code"),
        ("fin", "code"),
    ]


def test_the_code_of_the_main_content_points_into_it() -> None:
    menu = "<nav>" + "".join(f"<a href=/{n}><code>orden{n}</code></a> " for n in range(9)) + "</nav>"
    prose = "<p>La red se cala al anochecer con <code>calar --red</code> y se recoge de madrugada, cuando calma.</p>" * 6
    page = read(f"<html lang=es><body>{menu}<article>{prose}</article></body></html>".encode(), url="http://a.es/")
    assert {page.main_text[one.start : one.end] for one in page.main_code} == {"calar --red"}
    assert len(page.main_code) == 6 < len(page.code)


@pytest.mark.parametrize("html", ["<p>nada</p>", "<p><code></code> <code> </code>nada</p>", "<code><!-- x --></code><p>a"])
def test_without_code_there_is_none(html: str) -> None:
    assert code_of(html) == []


@given(
    st.lists(
        st.tuples(st.sampled_from(["p", "code", "pre", "b", "kbd", "div"]), st.text("aé\u00ad \n<&", max_size=6)), max_size=8
    )
)
def test_whatever_is_marked_is_what_was_written(drawn: list[tuple[str, str]]) -> None:
    written = [(tag, text.replace("&", "&amp;").replace("<", "&lt;")) for tag, text in drawn]
    html = "".join(f"<{tag}>{text}</{tag}>" for tag, text in written)
    flat, layout = see(html)
    found = "".join("".join(layout.text[one.start : one.end].split()) for one in find_code(flat, layout))
    inside = (text.replace("\u00ad", "") for tag, text in drawn if tag in ("code", "pre", "kbd"))
    assert found == "".join("".join(text.split()) for text in inside)
