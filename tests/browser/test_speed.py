"""How long a page of 20,000 elements takes to be filtered and shown; printed, never judged: the machine has other work."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import pytest

from browser.conftest import Browser
from support.browsers.extension_desk import Desk

ROWS = 2000
ROUNDS, READINGS = 20, 5
BARS = {"chromium": 150, "firefox": 250}


def make_page() -> str:
    cells = [f"<td class='cell c{column}' title='column {column}'>word{column} text</td>" for column in range(9)]
    rows = [f"<tr id='r{row}'>{''.join(cells)}</tr>".replace("word3", f"gato{row % 50}") for row in range(ROWS)]
    return f"<title>table</title><table>{''.join(rows)}</table>"


@pytest.mark.slow
def test_twenty_thousand_elements(
    open_desk: Callable[..., Desk], browser: Browser, record_property: Callable[[str, object], None]
) -> None:
    desk = open_desk(make_page())
    step = {
        "kind": "criterion",
        "where": "both",
        "case": False,
        "accents": False,
        "part": False,
        "tolerance": 0,
        "inverse": False,
    }
    read, shown, counted = [], [], []
    for number in range(ROUNDS):
        if number < READINGS:
            desk.page.evaluate("number => { document.body.dataset.changed = number; }", number)
            read.append(desk.tell(ask="hello")["ms"])
        source = f"gato{number} AND word4"
        counted.append(desk.tell(ask="count", step=step | {"source": source + " text"})["ms"])
        answer = desk.tell(ask="filter", step=step | {"source": source}, inside=False)
        assert answer["now"]["count"] == ROWS // 50
        shown.append(answer["ms"])
        desk.tell(ask="restore")
    times = [
        f"{what} {median(times):.0f} ms" for what, times in (("read", read), ("count", counted), ("filter and show", shown))
    ]
    line = f"20,000 elements in {browser.version}, medians of {ROUNDS}: {', '.join(times)} (bar {BARS[browser.name]} ms)"
    record_property("figure", line)
