from __future__ import annotations

from trasmallo.clean.content.whole_page import ALL, keep_all
from trasmallo.clean.dom import see


def test_everything_is_kept() -> None:
    page, layout = see("<nav>uno</nav><p>dos</p>")
    assert keep_all(page, layout) == ALL.find(page, layout, favour=0.0) == [True, True]
