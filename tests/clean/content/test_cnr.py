from __future__ import annotations

import pytest
from hypothesis import given, settings

from support.article_pages import SENTENCE
from support.broken_markup import soup
from trasmallo.clean.content.cnr import (
    RatioBlock,
    compute,
    count_taken,
    find_block,
    find_blocks,
    find_main,
    merge,
    outermost,
    within,
)
from trasmallo.clean.dom import see
from trasmallo.clean.flat import FlatPage, flatten
from trasmallo.clean.layout import lay_out


def node(page: FlatPage, tag: str, number: int = 0) -> int:
    return [index for index, name in enumerate(page.tag) if name == tag][number]


def ratio(html: str, tag: str) -> float:
    page = flatten(html)
    return compute(page, page.hidden).ratio(node(page, tag))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>uno dos</div>", 6),
        ("<div>  uno\n\tdos \n</div>", 6),
        ("<div><p>uno</p><p>cinco</p></div>", (3 + 5) / 2),
        ("<div>\n  <p>uno</p>\n  <p>cinco</p>\n</div>", (3 + 5) / 2),
        ("<div>uno<b>dos</b>tres</div>", (3 + 3 + 4) / 3),
        ("<div>uno<a href=/>enlace <b>largo</b></a></div>", 3 / 2),
        ("<div>uno<img src=x><nav><p>dos</p><p>tres</p></nav></div>", 3 / 3),
        ("<div>uno<br><svg><path/></svg></div>", 3 / 3),
        ("<div>uno<script>x = 1</script><style>p{}</style></div>", 3 / 3),
        ("<div>uno<p hidden>escondido</p></div>", 3 / 2),
        ("<div>uno<!-- nota --></div>", 3),
        ("<div></div>", 0),
    ],
)
def test_the_ratio_as_the_thesis_computes_it(html: str, expected: float) -> None:
    assert ratio(html, "div") == pytest.approx(expected)


def test_the_example_of_the_thesis_ends_with_the_content() -> None:
    html = f"""<body><h1>Information retrieval</h1>
      <div id=content><p>Information retrieval (IR) is the science of {SENTENCE * 6}</p>{f"<p>{SENTENCE * 6}</p>" * 4}</div>
      <div class=portal><h5>Languages</h5><a href=/de>Deutsch</a> <a href=/fr>Français</a></div>
      <div id=footer><li>This page was last modified on 5 October 2010 at 23:32.</li>
      <li>Text is available under the <a rel=license>Creative Commons License</a> Additional terms may apply.</li></div>"""
    page = flatten(html)
    found = find_block(page, compute(page))
    assert found is not None
    assert page.attributes(found.node).get("id") == "content"


# As the thesis writes it, white space and lacking end tags included.
RETRIEVAL = """<body>
<h1 id="firstHeading" class="firstHeading">Information retrieval</h1>
<div id="content">
  <p><b>Information retrieval</b>(IR)is the science of searching for documents,
  for information within documents, and for metadata about documents(...)</div>
<div class="portal" id="p-lang">
<h5>Languages</h5>(....)</div>
<div id="footer">
  <li id="footer-info-lastmod">This page was last modified on 5 October
    2010 at 23:32. </li>
  <li id="footer-info-copyright">Text is available under the
    <a rel="license">Creative Commons Attribution-ShareAlike License</a>
    Additional terms may apply. See Terms of Use for(...)</div>
</body>"""


def test_the_example_as_it_is_written_in_the_thesis() -> None:
    page = flatten(RETRIEVAL)
    ratios = compute(page)
    found = find_block(page, ratios)
    assert found is not None
    assert page.attributes(found.node).get("id") == "content"
    assert (len(ratios.nodes), ratios.total, count_taken(ratios.total, 0.5)) == (10, 14, 3)


def test_a_text_alone_in_its_element_is_one_node_with_it() -> None:
    ratios = compute(flatten("<body><p>uno</p><p>dos <b>tres</b> cuatro</p><p>cinco<br></p>"))
    assert (len(ratios.nodes), ratios.mixed, ratios.total) == (5, 3, 8)


@pytest.mark.parametrize(("nodes", "taken"), [(0, 3), (10, 3), (30, 3), (31, 4), (1000, 100)])
def test_a_tenth_of_the_nodes_with_text_is_taken_and_never_too_few(nodes: int, taken: int) -> None:
    assert count_taken(nodes, 0.5) == taken


def test_text_nodes_and_elements_without_text_are_no_candidates() -> None:
    page = flatten("<div><p>uno</p><p></p><img src=x></div>")
    assert [page.tag[index] for index in compute(page).nodes] == ["body", "div", "p"]


@pytest.mark.parametrize(
    "html", ["<p>{0}</p><p>{1}</p><p>{2}</p>", "<nav><a href=/>Inicio</a></nav><p>{0}</p><p>{1}</p><p>{2}</p>"]
)
def test_a_page_of_three_paragraphs_gives_all_of_them(html: str) -> None:
    page, layout = see(html.format(SENTENCE, SENTENCE * 3, SENTENCE * 2))
    assert sum(find_main(page, layout)[-3:]) == 3


def test_a_short_article_does_not_take_its_footer_in() -> None:
    article = f"<article><p>{SENTENCE}</p><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p></article>"
    page, layout = see(f"{article}<footer><p>Aviso</p><p>Nadie</p></footer>")
    assert find_main(page, layout) == [True, True, True, False, False]


def test_descendants_go_and_siblings_become_their_parent() -> None:
    page = flatten("<div><p>a<b>c</b></p><p>d</p></div><div><p>e</p></div>")
    first, second, bold, third = node(page, "p"), node(page, "p", 1), node(page, "b"), node(page, "p", 2)

    assert outermost(page, [second, bold, first]) == [first, second]
    assert merge(page, [first, second]) == [node(page, "div")]
    assert merge(page, [first, third]) == [first, third]
    assert merge(page, [first, second, third]) == [node(page, "div"), third]
    assert merge(page, [node(page, "div"), node(page, "div", 1)]) == [node(page, "body")]


def test_a_staircase_of_siblings_is_climbed_at_once() -> None:
    page = flatten("<div>" * 400 + "<p>a</p><p>b</p>" + "</div><p>c</p>" * 400)
    paragraphs = [index for index, tag in enumerate(page.tag) if tag == "p"]

    assert merge(page, paragraphs) == [node(page, "body")]


def test_further_blocks_come_one_after_the_other() -> None:
    long, middle, short = (f"<div><p>{SENTENCE * n}</p><p>{SENTENCE * n}</p></div>" for n in (9, 5, 2))
    page = flatten(f"<section>{middle}</section><section>{long}</section><section>{short}</section>")

    found = list(find_blocks(page, page.hidden, 10, favour=0.1))

    assert [page.paths()[block.node] for block in found][:2] == ["/html/body/section[2]", "/html/body/section[1]"]
    assert sum(block.size for block in found) == sum(len("".join(text.split())) for text in page.text)
    assert list(find_blocks(page, page.hidden, 1, favour=0.1)) == found[:1]


def test_the_next_block_does_not_hold_the_one_before() -> None:
    page = flatten(
        f"<p>{SENTENCE}</p><article><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p></article><footer><p>{SENTENCE}</p></footer>"
    )
    first, *rest = find_blocks(page, page.hidden, 9, taken=[])
    again = list(find_blocks(page, page.hidden, 9, taken=[node(page, "article")]))
    assert first.size >= max(block.size for block in [*rest, first])
    assert again
    assert all(
        page.end[block.node] <= node(page, "article") or block.node >= page.end[node(page, "article")] for block in again
    )


def test_a_page_of_links_is_kept_whole() -> None:
    page, layout = see("<p><a href=/a>uno</a><p><a href=/b>dos</a>")

    assert find_main(page, layout) == [True, True]
    assert find_block(page, compute(page)) is None
    assert list(find_blocks(page, (), 5)) == []


def test_a_block_belongs_to_a_node_with_any_of_its_text() -> None:
    page = flatten("<p>uno <b>dos</b></p><p>tres</p>")

    assert within(page, lay_out(page), node(page, "b")) == [True, False]
    assert RatioBlock(1, 2.0, 3).size == 3


def test_favour_goes_from_precision_to_recall() -> None:
    html = "".join(f"<div><p>{SENTENCE * n}</p><p>{SENTENCE}</p></div>" for n in range(1, 9))
    page, layout = see(html)

    sizes = [sum(find_main(page, layout, favour=favour / 4)) for favour in range(5)]

    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@settings(deadline=None)
@given(soup)
def test_ratios_add_up_in_any_soup(html: str) -> None:
    page, layout = see(html)
    ratios = compute(page, layout.hidden)

    for index in ratios.nodes:
        assert 0 <= ratios.characters[index] <= sum(len(text) for text in page.text[index : page.end[index]])
        assert 1 <= ratios.weight[index] <= page.end[index] - index
