"""Webs without end come to an end, and are told as traps; honest ones that only look so are crawled whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.endless_web import ARTICLES, CARDS, NOTES, PRODUCTS, TRAPS, EndlessWeb, web_of
from trasmallo.project.project import Project

MOST = 60
"""Pages of one web without end that a crawl may ask for."""


@pytest.mark.parametrize("lines", [1, 8])
def test_endless_webs_end_and_honest_ones_are_whole(tmp_path: Path, lines: int) -> None:
    with EndlessWeb() as web:
        project = Project.new(tmp_path / "p", [web.url], name="p", delay=0.0, address_delay=0.0, lines=lines, pages=3_000)
        summary = project.crawl()
    asked = web.asked
    assert not summary.ended, "it came to its end by itself"
    assert {name: asked[name] for name in ("articulo", "producto", "carta")} == {
        "articulo": ARTICLES,
        "producto": PRODUCTS + 1,
        "carta": CARDS,
    }
    assert (asked["archivo"], asked["nota"]) == (NOTES // 2, NOTES)
    traps = [trap.strip("/") for trap in TRAPS]
    # Those that name each other by turns are two shapes.
    assert {name: asked[name] for name in traps if asked[name] > MOST * (2 if name == "uno" else 1)} == {}
    # One that answers every address with the same page ends as a soft 404.
    told = {web_of(row.url) for row in project.incidents() if row.what in ("trap", "soft 404")}
    assert set(traps) - told == set()
