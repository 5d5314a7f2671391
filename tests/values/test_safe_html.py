from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.effort import effort
from trasmallo.values.safe_html import SAFE_LENGTH, SAFE_TAGS, bounded, parse_page, plain_formatting, thin_crowded_tags

BOMBS = {
    "depth": b"<div>" * 100_000,
    "depth, closed again": b"<div>" * 50_000 + b"</div>" * 50_000,
    "depth of unknown elements": b"".join(b"<x%d>" % number for number in range(50_000)),
    "end tags that match nothing": b"<span>" * 2_000 + b"</x>" * 100_000,
    "attributes": b"<a " + b" ".join(b"a%d=1" % number for number in range(50_000)) + b" href=x>",
    "attributes that quote the end of the tag": b"<a " + b" ".join(b"a%d='>'" % number for number in range(50_000)) + b">",
    "attributes of many body tags": b"".join(b"<body a%d=1>" % number for number in range(30_000)),
    "formatting copied into every block": b"<p>"
    + b"".join(b"<b x%d>" % n for n in range(2_000))
    + b"</p>"
    + b"<p>x</p>" * 5_000,
    "attributes of an end tag": b"<p>x</p " + b" ".join(b"a%d=1" % number for number in range(50_000)) + b">",
    "attributes in quotes that a script seems to open": b"<script>a<b c='</script><a "
    + b" ".join(b"a%d=1" % number for number in range(50_000))
    + b">'",
    "lists in lists": b"<li><dd>" * 50_000,
    "tables in tables": b"<table><tr><td>" * 30_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_pages_made_to_do_harm_are_changed(name: str) -> None:
    content = BOMBS[name]
    assert bounded(content) != content
    assert effort(lambda: parse_page(b"<p>before</p>" + content), 4) < 4


@pytest.mark.parametrize(
    "content",
    [
        b"<p>x" * 50_000,
        b"<li><a href=/x>y</a>" * 20_000,
        b"<tr><td>1<td>2" * 10_000,
        b"<div><span>x</span><br><img src=x></div>" * 10_000,
        b"<a href=x>y" * 10_000,
        b"<pre>" + b"a < b and c / d = e \n" * 20_000,
        b"<script>" + b"for(i=0;i<b;i++)if(a<s&&c>d)x='</p>';" * 2_000 + b"</script>",
        b"<img src='data:" + b"A" * 3 * SAFE_LENGTH + b"'>",
    ],
)
def test_large_honest_pages_are_whole(content: bytes) -> None:
    assert bounded(content) == content


@pytest.mark.parametrize("length", range(15_000, 15_020))
def test_a_script_that_looks_like_a_crowded_tag_hides_nothing(length: int) -> None:
    script = b"<script>if(a<b" + (b"x='</p>';y=z/2;" * 6_000)[:-length] + b"</script>"
    tree = parse_page(script * 3 + b"<a href=/after>x</a>")
    assert [node.attributes["href"] for node in tree.css("a")] == ["/after"]


def test_what_stands_before_the_harm_is_kept() -> None:
    tree = parse_page(b"<a href=/kept>x</a>" + BOMBS["depth"])
    assert [node.attributes["href"] for node in tree.css("a")] == ["/kept"]


@given(st.binary(max_size=200) | st.text(max_size=100))
def test_anything_is_parsed(content: bytes | str) -> None:
    assert parse_page(content).css("html")


@given(st.lists(st.sampled_from([b"<div>", b"</div>", b"<b>", b"<p>", b"x", b"<a b=c>"]), max_size=50))
def test_small_pages_are_never_touched(parts: list[bytes]) -> None:
    content = b"".join(parts)
    assert content.count(b"<") <= SAFE_TAGS
    assert bounded(content) is content


def test_ordinary_attributes_are_not_tried_in_every_way() -> None:
    page = b"<p>" + b'<a class="one two three" href="/a/b?c=d&e=f" title=\'x = "y"\' data-x="1 / 2">z</a>' * 2_000
    assert thin_crowded_tags(page) == page


CROWDED = {
    "names": [b"marca%d" % number for number in range(9_000)],
    "values": [b"marca%d=marca" % number for number in range(9_000)],
    "quoted values": [b'marca%d = "marca > marca <p> marca"' % number for number in range(9_000)],
    "single quotes": [b"marca%d='marca </a> marca'" % number for number in range(9_000)],
    "long names": [b"marca" * 50 + b"%d=marca" % number for number in range(2_000)],
    "tags": [b"<marca%d" % number for number in range(9_000)],
    "slashes": [b"/marca%d/=marca" % number for number in range(9_000)],
}
"""Attributes that must not be seen."""


@pytest.mark.parametrize("tag", [b"<a", b"<br", b"</p", b"<script", b"<svg><a", b"<table><tr", b"<unknown-tag"])
@pytest.mark.parametrize("name", CROWDED)
def test_attributes_that_are_left_out_do_not_become_text(name: str, tag: bytes) -> None:
    ended = b"</script>" if tag == b"<script" else b""
    tree = parse_page(b"<p>uno</p>" + tag + b" " + b" ".join(CROWDED[name]) + b">" + ended + b"<p>dos</p>", scripting=True)
    assert tree.body is not None
    assert tree.body.text(separator=" ", strip=True) == "uno dos"


def test_a_tag_keeps_its_first_thousand_attributes() -> None:
    tree = parse_page(b"<a href=x " + b" ".join(CROWDED["values"]) + b" title=y>z</a>")
    (link,) = tree.css("a")
    assert (len(link.attributes), link.attributes["href"], "title" in link.attributes) == (1_000, "x", False)


@pytest.mark.parametrize("unit", [b"<a", b"<a ", b"<a '", b"<a b='", b"<a b=\"'", b"<a b=<", b"<!--", b"<!-", b"</", b"<p/"])
def test_what_is_never_closed_is_read_in_a_moment(unit: bytes) -> None:
    content = b"<p>uno</p>" + unit * (1_000_000 // len(unit))
    assert effort(lambda: parse_page(content), 3) < 3


def test_a_quoted_end_of_a_formatting_tag_does_not_become_text() -> None:
    page = formatting(500) + b"<b title='marca > marca'>uno</b><!-- <b x> --><p title='<b y' id=z>" + b"<p>x" * 9_000
    plain = plain_formatting(page, page.count(b"<"))
    assert b"<b>uno</b><!-- <b x> --><p title='<b y' id=z>" in plain
    assert b"marca" not in plain


def formatting(count: int) -> bytes:
    """A paragraph that leaves so many formatting elements open, all of them different."""
    return b"<p>" + b"".join(b"<b class=a%d>" % number for number in range(count))


def test_formatting_that_would_be_copied_too_often_loses_its_attributes() -> None:
    page = formatting(500) + b"<p>x" * 9_000 + b"<Strong ID=y>z"
    assert plain_formatting(page, page.count(b"<")) == b"<p>" + b"<b>" * 500 + b"<p>x" * 9_000 + b"<Strong>z"


def test_on_a_very_large_page_the_formatting_itself_goes() -> None:
    page = formatting(3) + b"<p>x" * 600_000
    assert plain_formatting(page, page.count(b"<")) == b"<p>" + b"<wbr>" * 3 + b"<p>x" * 600_000


@pytest.mark.parametrize(
    "page",
    [
        formatting(500),
        formatting(3) + b"<p>x" * 9_000,
        b"<i class=icon></i><p>x" * 9_000,
        b"<section id=a><body><big-x y>" * 9_000,
    ],
)
def test_ordinary_formatting_is_not_touched(page: bytes) -> None:
    assert plain_formatting(page, page.count(b"<")) is page
