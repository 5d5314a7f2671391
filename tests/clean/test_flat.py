from __future__ import annotations

import pytest

from trasmallo.clean.flat import MAX_DEPTH, TEXT, flatten, places_of, prune_depth
from trasmallo.clean.layout import lay_out


def test_the_arrays_are_in_document_order() -> None:
    page = flatten("<title>t</title><p id=a>x<b>y</b></p>z")

    assert page.tag == ["html", "head", "title", TEXT, "body", "p", TEXT, "b", TEXT, TEXT]
    assert page.parent == [-1, 0, 1, 2, 0, 4, 5, 5, 7, 4]
    assert page.end == [10, 4, 4, 4, 10, 9, 7, 9, 9, 10]
    assert [text for text in page.text if text] == ["t", "x", "y", "z"]
    assert page.attributes(5) == {"id": "a"}


def test_attributes_without_a_value_are_there() -> None:
    page = flatten("<a href class=x>uno")
    link = page.tag.index("a")

    assert page.attributes(link) == {"href": "", "class": "x"}
    assert page.has_attribute(link, "href")
    assert not page.has_attribute(link, "id")
    assert not page.has_attribute(link + 1, "href")


def test_attributes_as_the_parser_gives_them_have_none_for_an_empty_value() -> None:
    page = flatten("<a href class=x>uno")
    link = page.tag.index("a")

    assert page.parsed_attributes(link) == {"href": None, "class": "x"}
    assert page.parsed_attributes(link + 1) == {}


def test_places_of_a_tag() -> None:
    assert places_of(["a", "p", "a", "b", "a"], "a") == [0, 2, 4]
    assert places_of(["a"], "p") == places_of([], "p") == []


@pytest.mark.parametrize(
    ("html", "may_hold"),
    [
        ("<p>uno<iframe srcdoc='<p>dos'></iframe>", True),
        ("<noscript><iframe srcDoc='<p>dos'></iframe></noscript><p>uno", True),
        ("<p>uno<iframe src=/dos></iframe>", False),
        ("<p>uno de srcdoc<noscript>dos</noscript>", False),
    ],
)
def test_a_page_knows_whether_its_frames_may_hold_pages(html: str, may_hold: bool) -> None:
    assert flatten(html).holds_frames == may_hold


@pytest.mark.parametrize("html", ["<foreignObject>x", "<svg><foreignObject>x", "<foreignObject>x"])
def test_names_are_in_lower_case_wherever_they_stand(html: str) -> None:
    assert flatten(html).tag[-2] == "foreignobject"


def test_paths_count_siblings_of_the_same_tag() -> None:
    page = flatten("<div></div><p></p><div><p></p><p>x</p></div>")

    assert page.paths()[-2:] == ["/html/body/div[2]/p[2]", "/html/body/div[2]/p[2]"]


def test_paths_of_a_deep_page_stay_short() -> None:
    assert max(map(len, flatten("<div>" * 400 + "x").paths())) < 1_010


def test_what_a_script_holds() -> None:
    page = flatten("<script>a < b</script>")

    assert page.raw_text(page.tag.index("script")) == "a < b"


def test_white_space_that_begins_a_line_is_not_kept() -> None:
    assert flatten("<div>\n <p>uno <b>dos</b> <i>tres</i></p> \n </div>").tag[4:] == [
        "p", TEXT, "b", TEXT, TEXT, "i", TEXT,
    ]  # fmt: skip
    assert lay_out(flatten("<pre>  <b>a</b>\n  b</pre>")).text == "  a\n  b"


def test_pruning_leaves_an_ordinary_page_alone() -> None:
    html = b"<div><p>uno<br><svg><path d=x /></svg><li>dos</div>" * 4000 + b"<script>'<div>'.repeat</script>" * 1000

    assert prune_depth(html) == html


def test_pruning_keeps_text_and_what_follows() -> None:
    html = "<i>" * 20_000 + "hondo" + "</i>" * 20_000 + "<p>llano</p>"

    pruned = prune_depth(html.encode())

    assert pruned.count(b"<i>") == pruned.count(b"</i>") == MAX_DEPTH
    assert lay_out(flatten(html)).text == "hondo\nllano"


def test_what_is_pruned_leaves_nothing_of_its_attributes() -> None:
    deep = "<div title='marca > marca' class=\"<i> marca\">" * 6_000
    html = deep + "hondo" + "</div>" * 6_000 + "<script>'</div>'</script><p>llano</p>"

    assert lay_out(flatten(html)).text == "hondo\nllano"


@pytest.mark.parametrize(
    "markup",
    [
        "<a " + " ".join(f"marca{number}='marca > marca'" for number in range(12_000)) + ">",
        "<a title='" + "marca > " * 300_000 + "'>",
        "<!-- " + "marca <p> " * 300_000,
        "<!-- " + "marca <p> " * 300_000 + "-->",
        "<script>" + "marca <p> a < b " * 200_000,
        "<style>" + "marca <p> a < b " * 200_000 + "</style>",
        "<svg><style>" + "<a " + "marca " * 100_000 + "></style></svg>",
        "<svg><![CDATA[" + "marca <p> " * 100_000 + "]]></svg>",
        "<?php " + "marca " * 300_000 + ">",
        "<![CDATA[" + "marca " * 300_000 + "]]>",
        "<noscript><p title='</noscript>" + "<marca " * 100_000 + "'></noscript>",
        "<b title='marca > marca'>" * 5_000,
        "<div title='marca > marca'>" * 30_000,
        "<table><tr title='<td> marca'>" * 10_000,
        "<math><annotation-xml title='marca > marca'>" * 10_000,
        "<p " + "marca=" * 300_000,
    ],
)
def test_markup_never_becomes_text(markup: str) -> None:
    assert "marca" not in lay_out(flatten(f"<p>uno</p>{markup}<p>dos</p>")).text


def test_a_page_that_nests_too_much_is_cut_and_says_so() -> None:
    assert flatten("<ruby><rt>x" * 30_000).truncated
    assert not flatten("<ruby>x</ruby>" * 30_000).truncated


@pytest.mark.parametrize("html", ["<p>x</p>" * 100, "x<!-- -->" * 100, "<div>x<b>" * 100])
def test_a_page_of_too_many_nodes_is_cut(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trasmallo.clean.flat.MAX_NODES", 50)

    page = flatten(html)

    assert (len(page), page.truncated) == (50, True)
    assert all(end <= 50 for end in page.end)
