from __future__ import annotations

from collections.abc import Callable

import pytest

from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.plain_text import read_markdown, read_plain, read_separated, separator_of


def html_of(reader: Callable[[bytes, HtmlBuilder], None], text: str) -> str:
    page = HtmlBuilder()
    reader(text.encode(), page)
    return page.body()


def test_paragraphs_of_plain_text() -> None:
    assert html_of(read_plain, "uno\r\ndos\r\n \r\n\r\n<tres>") == "<p>uno\ndos</p><p>&lt;tres&gt;</p>"


def test_markdown_with_a_table_and_properties() -> None:
    page = HtmlBuilder()
    read_markdown("---\ntitle: 'Título'\nx: y\n---\n# A\n\n- b **c**\n\n|d|e|\n|-|-|\n|f|g|\n".encode(), page)

    assert page.title == "Título"
    assert page.body().replace("\n", "").startswith("<h1>A</h1><ul><li>b <strong>c</strong></li></ul><table><thead>")


def test_markdown_may_begin_with_a_rule() -> None:
    assert html_of(read_markdown, "---\n\na") == "<hr />\n<p>a</p>\n"


def test_separated_values_with_quotes_and_line_ends_in_them() -> None:
    html = html_of(read_separated, 'a,"b ""x"", c"\r\n\r\n"d\ne",f\n')

    assert html == '<table><tr><td>a</td><td>b "x", c</td></tr><tr><td>d\ne</td><td>f</td></tr></table>'


@pytest.mark.parametrize(
    ("text", "separator"),
    [("a,b\nc,d", ","), ("a;b,c\nd;e", ";"), ("a\tb\nc\td", "\t"), ("a|b|c\nd|e|f", "|"), ("a", ","), ("", ",")],
)
def test_separators(text: str, separator: str) -> None:
    assert separator_of(text.split("\n")) == separator
