"""A small run with tables, made without a crawl."""

from __future__ import annotations

from pathlib import Path

from support.counted_documents import tokens_of
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import PageRow, TextRow, UnknownRow
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run

PAGES = [document_id(f"http://a{number}.es/") for number in range(30)]


def make_run(folder: Path) -> Run:
    """A run of 30 pages with 3,000 rows of words."""
    run = start_run(folder / "runs", Config(), "crawl", "trasmallo/0")
    counts = {
        (page, f"w{(place * 7 + number * 13) % 211:03}"): (1 + (place * number) % 9, number % 3)
        for place, page in enumerate(PAGES)
        for number in range(100)
    }
    words = [WordRow(*where, count, min(names, count // 2)) for where, (count, names) in counts.items()]
    listed = {
        "pages": [
            PageRow(
                page,
                f"http://a{place}.es/",
                f"a{place % 4}.es",
                place + 1.0,
                f"t{place}",
                "es",
                "utf-8",
                "text/html",
                9,
                "x",
                100,
            )
            for place, page in enumerate(PAGES)
        ],
        "texts": [TextRow(page, "red", "00") for page in PAGES],
        "unknown": [UnknownRow(page, "guasapeo", "candidate", "", 3, "un guasapeo más") for page in PAGES[:5]],
        "profiles": [],
        "links": [],
    }
    write_part(run.parts, "1", listed, tokens_of(words))
    return run
