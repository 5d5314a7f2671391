from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.broken_markup import soup
from trasmallo.clean.content import METHODS, keep_all, mark
from trasmallo.clean.dom import see
from trasmallo.clean.layout import lay_out
from trasmallo.values.model import Block


def test_blocks_say_where_they_are() -> None:
    page, layout = see("<div>uno</div><div><p>dos</p></div>")

    assert mark(page, layout, keep_all(page, layout)) == (
        Block(0, 3, "div", "/html/body/div[1]", True),
        Block(4, 7, "p", "/html/body/div[2]/p[1]", True),
    )


@settings(deadline=None)
@given(soup, st.sampled_from(sorted(METHODS)), st.sampled_from([0.0, 0.5, 1.0]))
def test_never_empty_when_there_is_text(html: str, method: str, favour: float) -> None:
    page, layout = see(html)

    flags = METHODS[method](page, layout, favour=favour)

    assert len(flags) == len(layout)
    assert any(flags) == bool(layout.text)


@settings(deadline=None)
@given(soup, st.sampled_from(sorted(METHODS)))
def test_the_same_page_gives_the_same_blocks(html: str, method: str) -> None:
    first, second = see(html), see(html)

    assert METHODS[method](*first, favour=0.5) == METHODS[method](*second, favour=0.5)
    assert lay_out(first[0]).text == lay_out(second[0]).text


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_page_of_what_nobody_sees_has_no_blocks(method: str) -> None:
    page, layout = see("<p>&shy;<p>&#xfeff;&shy;")

    assert METHODS[method](page, layout, favour=0.5) == []
