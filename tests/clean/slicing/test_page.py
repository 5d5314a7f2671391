from __future__ import annotations

from hypothesis import given

from support.broken_markup import soup
from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.characters import BREAK
from trasmallo.clean.slicing.page import PageArrays, attributes_told, from_flat, name_of


def page_of(html: str) -> PageArrays:
    return from_flat(flatten(html))


def written(html: str) -> str:
    return "".join(page_of(html).written.pieces).replace(BREAK, "|")


def test_lines_are_parted_where_tags_break_them() -> None:
    assert written("<p>uno <b>dos</b></p> <p>tres</p>") == "uno dos|tres"
    assert written("<b>M</b>adrid<ul><li>a<li>b</ul>c") == "Madrid|a|b|c"
    assert written("<td>x") == "x"
    assert written("<table><tr><td>a<td> b</table>") == "a| b"


def test_a_line_break_is_a_blank_inside_a_line() -> None:
    assert written("<p><br>Real<br>Madrid<br></p>") == "Real Madrid "


def test_what_nobody_reads_is_not_read() -> None:
    html = "a<script>b</script><style>c</style><iframe src=d>e</iframe><template>f</template><noscript>g</noscript>h"
    assert written(html) == "a|h"
    values = [piece for piece in page_of(html).attributed.pieces if piece != BREAK]
    assert values == ["d"]


def test_attributes_that_are_meant_to_be_read() -> None:
    page = page_of('<p title=t style="color:red" onclick=x><img alt=a src=""><svg><path d=M0 class=k></svg>')
    assert [piece for piece in page.attributed.pieces if piece != BREAK] == ["t", "a", "k"]


XML = '<div data-element=Mensaje data-nombre=Ana data-x="" data-attributes="Nombre x"><div data-element=b class=c>'


def test_names_are_those_of_xml_or_tags() -> None:
    page = page_of(XML)
    assert [piece for piece in page.named.pieces if piece != BREAK] == ["body", "Mensaje", "div"]


def test_names_of_xml_in_the_middle_of_a_text() -> None:
    page = page_of("<div data-element=p>Vive en <span data-element=City>Soria</span>, <span>sola</span>.")
    assert [piece for piece in page.named.pieces if piece != BREAK] == ["body", "p", "City", "span"]


def test_names_of_xml_are_read_with_attributes_or_not() -> None:
    page = page_of(XML)
    assert [piece for piece in page.attributed.pieces if piece != BREAK] == ["Mensaje", "Nombre", "Ana", "x", "b", "c"]
    assert [piece for piece in page.valued.pieces if piece != BREAK] == ["Nombre", "Ana", "x", "b", "c"]
    node = page.tag.index("div")
    told = list(attributes_told("div", page.attrs[node] or [], named=True))
    assert [(one.name, one.value) for one in told] == [("data-element", "Mensaje"), ("Nombre", "Ana"), ("x", "")]
    assert name_of(page, node) == "Mensaje"


def test_addresses_that_say_nothing_of_the_page() -> None:
    html = (
        "<a href='https://t.co/share?url=https://e.org/madrid'>x</a><a href='/s?u=https%3A%2F%2Fe.org'></a>"
        "<a href='mailto:?subject=madrid'></a><img src='data:image/png;base64,madrid'>"
        "<a href='/find?q=madrid'></a><a href=?></a>"
    )
    values = [piece for piece in page_of(html).attributed.pieces if piece != BREAK]
    assert values == ["https://t.co/share", "/s", "/find?q=madrid", "?"]


def test_the_scope_is_the_body_or_the_root() -> None:
    page = page_of("<title>x</title><p>y")
    assert page.tag[page.scope] == "body"
    assert PageArrays([-1, 0], ["feed", "#text"], [None, None], ["", "x"]).scope == 0


def test_ends_are_found_without_a_parser() -> None:
    page = page_of("<div><p>a<b>c</b></p></div><p>d")
    assert PageArrays(page.parent, page.tag, page.attrs, page.text).end == page.end


@given(soup)
def test_the_text_of_a_node_is_a_part_of_that_of_its_parent(html: str) -> None:
    page = page_of(html)
    for pieces in (page.written, page.attributed, page.valued, page.named):
        for node in range(page.scope + 1, page.end[page.scope]):
            if page.readable[node]:
                above = page.parent[node]
                assert pieces.first[above] <= pieces.first[node] <= pieces.last[node] <= pieces.last[above]


@given(soup)
def test_every_text_that_is_not_blank_is_there_once(html: str) -> None:
    page = page_of(html)
    pieces = page.written
    for node in range(len(page)):
        if page.is_text[node] and page.readable[node] and not page.is_blank[node]:
            assert pieces.pieces[pieces.first[node] : pieces.last[node]] == [page.text[node]]
