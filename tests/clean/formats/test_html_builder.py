from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from trasmallo.clean.formats.html_builder import HtmlBuilder, TextRun, TooMuchMarkup, inline, inner_body


def test_runs_that_look_alike_are_joined() -> None:
    assert (
        inline([TextRun("a", bold=True), TextRun("b", bold=True), TextRun("c"), TextRun(" "), TextRun("d", italic=True)])
        == "<b>ab</b>c <i>d</i>"
    )


@pytest.mark.parametrize("href", ["javascript:alert(1)", "#x", "file:///etc/passwd", "", "x.html"])
def test_only_addresses_elsewhere_become_links(href: str) -> None:
    runs = [TextRun("a", href=href)]
    assert inline(runs) == "a"


def test_markup_in_texts_and_addresses_is_text() -> None:
    assert (
        inline([TextRun("<b>&\0\ud800", href='http://x/"><script>')])
        == '<a href="http://x/&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;</a>'
    )


def test_white_space_alone_is_not_marked() -> None:
    assert inline([TextRun("a"), TextRun(" ", bold=True), TextRun("b\nc")]) == "a b<br>c"


@given(st.lists(st.tuples(st.integers(-1, 20), st.booleans())))
def test_lists_of_any_levels_are_well_formed(items: list[tuple[int, bool]]) -> None:
    page = HtmlBuilder()
    for number, (level, ordered) in enumerate(items):
        page.item(level, ordered, f"x{number}")
    html = page.body()

    assert html.count("<li>") == html.count("</li>")
    assert LexborHTMLParser(html).body.inner_html == html


def test_blocks_without_text_are_left_out() -> None:
    page = HtmlBuilder()
    page.block("p", "")
    page.item(0, False, "")
    page.heading(9, "a")
    page.table([["", ""], ["b", ""]])

    assert page.body() == "<h6>a</h6><table><tr><td>b</td><td></td></tr></table>"


def test_a_single_paragraph_is_bare_in_a_cell() -> None:
    page = HtmlBuilder()
    cell = page.inside()
    cell.block("p", "a")
    assert cell.markup() == "a"
    cell.block("p", "b")
    assert cell.markup() == "<p>a</p><p>b</p>"


def test_a_page_and_what_is_inside_share_their_room() -> None:
    page = HtmlBuilder(most=20)
    page.inside().block("p", "12345")
    with pytest.raises(TooMuchMarkup):
        page.block("p", "67890")


def test_what_moves_into_another_page_takes_its_room_once() -> None:
    page = HtmlBuilder(most=30)
    inner = page.inside()
    inner.block("p", "a" * 20)
    page.write(inner.body())

    assert page.body() == f"<p>{'a' * 20}</p>"


@pytest.mark.parametrize(("html", "empty"), [("", True), ("<p><br></p>", True), ("<p>—</p>", True), ("<p>a</p>", False)])
def test_a_page_without_a_word_is_empty(html: str, empty: bool) -> None:
    page = HtmlBuilder()
    page.write(html)

    assert page.empty is empty


def test_losses_are_told_but_not_for_ever() -> None:
    page = HtmlBuilder()
    for number in range(1_000):
        page.inside(deeper=True).lose(str(number))

    assert page.losses[:2] == ["0", "1"]
    assert len(page.losses) < 100


def test_the_body_of_a_page_has_no_scripts_and_no_links_into_its_book() -> None:
    page = "<title> T </title><script>x</script><p><a href='https://example.org/'>a</a> <a href='b.html'>b</a></p>"

    assert inner_body(page) == '<p><a href="https://example.org/">a</a> <a>b</a></p>'


def test_a_text_that_is_too_long_is_noted_as_lost() -> None:
    page = HtmlBuilder()
    assert (page.first("mar", 3), page.losses) == ("mar", [])
    assert (page.first("marea", 3), page.losses) == ("mar", ["what follows was too much"])
