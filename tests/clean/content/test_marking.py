from __future__ import annotations

from trasmallo.clean.content.marking import mark
from trasmallo.clean.content.whole_page import keep_all
from trasmallo.clean.dom import see
from trasmallo.values.model import Block


def test_blocks_say_where_they_are() -> None:
    page, layout = see("<div>uno</div><div><p>dos</p></div>")

    assert mark(page, layout, keep_all(page, layout)) == (
        Block(0, 3, "div", "/html/body/div[1]", True),
        Block(4, 7, "p", "/html/body/div[2]/p[1]", True),
    )
