from __future__ import annotations

import pytest
from hypothesis import given, settings

from support.broken_markup import soup
from trasmallo.clean.content.stream import stream_of
from trasmallo.clean.dom import see
from trasmallo.clean.flat import flatten
from trasmallo.clean.layout import lay_out


@pytest.mark.parametrize(
    ("html", "tags", "trailing"),
    [
        ("<body>uno", [2], 2),
        ("<p>uno</p><p>dos</p>", [3, 2], 3),
        ("<p>uno<br>dos", [3, 1], 3),
        ("<p>uno <b>dos</b> tres", [3, 1, 1], 3),
        ("<p>uno<script>x</script><p hidden>y</p><p>dos", [3, 2], 3),
        ("<p>uno<img></p> \n <p>dos", [3, 3], 3),
        ("", [], 2),
    ],
)
def test_tags_between_texts(html: str, tags: list[int], trailing: int) -> None:
    page = flatten(html)
    found = stream_of(page, lay_out(page))

    assert found.tags == tags
    # The empty page has html and body only, each with its end.
    assert found.trailing == (trailing if tags else 4)


def test_ignored_tags_do_not_count() -> None:
    page = flatten("<p>uno <b>dos</b></p>")

    assert stream_of(page, lay_out(page), frozenset({"b", "p"})).tags == [2, 0]


@settings(deadline=None)
@given(soup)
def test_every_text_of_the_layout_is_in_the_stream(html: str) -> None:
    page, layout = see(html)
    nodes = stream_of(page, layout).node

    assert set(layout.first) | set(layout.last) <= set(nodes)
    assert nodes == sorted(nodes)
