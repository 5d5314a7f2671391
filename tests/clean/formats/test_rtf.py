from __future__ import annotations

from pathlib import Path

import pytest

from support.office97 import WRITTEN
from support.sample_documents import RTF
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.rtf import read_rtf


def html_of(inside: str) -> str:
    page = HtmlBuilder()
    read_rtf(rb"{\rtf1\ansi " + inside.encode("latin-1") + b"}", page)
    return page.body()


def test_a_whole_document() -> None:
    page = HtmlBuilder()
    read_rtf(RTF, page)

    assert page.title == "Título"
    assert page.body() == (
        '<h1>Redes</h1><p>El trasmallo en <b>negrita</b> con <a href="https://example.org/a">enlace</a>.</p>'
        "<ul><li>primero</li><li>segundo</li></ul>"
        "<table><tr><td>celda</td><td>otra</td></tr><tr><td>fila</td><td>última</td></tr></table>"
    )


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (r"ni\'f1o", "niño"),
        (r"\u8364?5", "€5"),
        (r"\uc2\u8364\'80\'805", "€5"),
        (r"{\uc0\u8364 5}", "€5"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"\{a\}\\", "{a}\\"),
        (r"a\~b\_c\-d", "a\u00a0b‑cd"),
        (r"{\fonttbl{\f1\fcharset204 X;}}{\f1 \'e4\'e0}", "да"),
        (r"{\*\unknown secret}a{\pict 0011}", "a"),
        ("a{\\bin4 }{}{}b", "ab"),
        (r"a{\v hidden}b", "ab"),
        ("a\\\nb", "a</p><p>b"),
        (r"\ldblquote a\rdblquote\emdash b", "“a”—b"),
        (r"a\line b\tab c", "a<br>b\tc"),
    ],
)
def test_text(inside: str, text: str) -> None:
    assert html_of(inside) == f"<p>{text}</p>"


def test_emphasis_ends_with_its_group_or_plain() -> None:
    assert html_of(r"{\b a}{\i b}\b c\b0 d\b e\plain f") == "<p><b>a</b><i>b</i><b>c</b>d<b>e</b>f</p>"


def test_footnotes_come_after_the_text() -> None:
    assert html_of(r"texto{\footnote uno\par dos}.\par fin\par") == "<p>texto.</p><p>fin</p><aside>uno<br>dos</aside>"


def test_an_outline_level_makes_a_heading() -> None:
    assert html_of(r"\pard\outlinelevel1\b a\par\pard\plain b\par") == "<h2>a</h2><p>b</p>"


def test_a_table_that_the_file_ends_in() -> None:
    assert html_of(r"\trowd\intbl a\cell b") == "<table><tr><td>a</td><td>b</td></tr></table>"


def test_deep_groups_are_refused() -> None:
    with pytest.raises(Unreadable, match="nested"):
        html_of("{" * 100_000)


def test_what_is_no_rtf_is_refused() -> None:
    with pytest.raises(Unreadable, match="begin"):
        read_rtf(b"{\\html", HtmlBuilder())


def test_what_an_office_program_writes() -> None:
    page = HtmlBuilder()
    read_rtf((Path(__file__).parent / "office" / "redes.rtf").read_bytes(), page)

    assert page.body() == WRITTEN
