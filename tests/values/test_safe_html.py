from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.effort import effort
from trasmallo.values.safe_html import SAFE_LENGTH, SAFE_TAGS, bounded, close_crowded_tags, parse_page, plain_formatting

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
    assert close_crowded_tags(page) == page


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
