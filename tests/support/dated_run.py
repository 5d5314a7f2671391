"""Runs of documents with known words and dates, and their trends counted in the plainest way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec

from support.counted_documents import tokens_of
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import CopyRow, FieldRow, PageRow
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run

VISIT = 1_782_900_000.0
"""The visit of documents unless they tell another one: 2026-07-01."""


class Dated(NamedTuple):
    """A document: what its field `day` says ("" for no field), its words, and when it was visited."""

    url: str
    told: str
    words: str
    at: float | None = VISIT
    copy_of: str = ""

    @property
    def host(self) -> str:
        """The site."""
        return self.url.removeprefix("http://").partition("/")[0]


def make_dated_run(folder: Path, documents: Sequence[Dated]) -> Run:
    """A run that goes on, with these documents."""
    run = start_run(folder / "runs", Config(), "crawl", "trasmallo/0")
    tables: dict[str, list[msgspec.Struct]] = {
        "pages": [],
        "fields": [],
        "unknown": [],
        "texts": [],
        "links": [],
        "profiles": [],
    }
    words: list[WordRow] = []
    for one in documents:
        name, size = document_id(one.url), len(one.words.split())
        row = PageRow(name, one.url, one.host, one.at, "", "es", "utf-8", "text/html", 1, "", words=size)
        tables["pages"].append(row)
        tables["fields"] += [FieldRow(name, "day", one.told)] if one.told else []
        words += [WordRow(name, word, count, 0, "es") for word, count in Counter(one.words.split()).items()]
    write_part(run.parts, "1", tables, tokens_of(words))
    ids = {one.url: document_id(one.url) for one in documents}
    copies = [CopyRow(ids[one.url], one.url, ids[one.copy_of], one.copy_of, 1.0) for one in documents if one.copy_of]
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(copies))
    return run


class Counted(NamedTuple):
    """What a word's trend is, counted over every cell."""

    count: int
    documents: int
    sites: int
    first_seen: str
    last_seen: str
    per_million: float
    slope: float | None
    z: float | None


def count_trend(word: str, documents: Sequence[tuple[Dated, date, bool]]) -> Counted:
    """The trend by month of a word over documents with their dates and whether these are their own, by the formulas alone."""
    having = [(one, day) for one, day, _ in documents if word in one.words.split()]
    total = sum(len(one.words.split()) for one, _, _ in documents)
    count = sum(one.words.split().count(word) for one, _ in having)
    score = variance = spread = cells_with = 0.0
    for own in (True, False):
        cells: dict[tuple[str, int], list[int]] = {}
        for one, day, dated_itself in documents:
            if dated_itself == own:
                cell = cells.setdefault((one.host, 12 * day.year + day.month), [0, 0])
                cell[0] += one.words.split().count(word)
                cell[1] += len(one.words.split())
        size = sum(n for _, n in cells.values())
        middle = sum(n * t for (_, t), (_, n) in cells.items()) / size if size else 0.0
        here = sum(n * (t - middle) ** 2 for (_, t), (_, n) in cells.items())
        if len(cells) > 2 and here > 1e-9:
            share = sum(y for y, _ in cells.values()) / size
            score += sum((y - share * n) * (t - middle) for (_, t), (y, n) in cells.items())
            squares = sum(((y - share * n) * (t - middle)) ** 2 for (_, t), (y, n) in cells.items())
            variance += squares * len(cells) / (len(cells) - 2)
            spread += here
            cells_with += sum(y > 0 for y, _ in cells.values())
    return Counted(
        count=count,
        documents=len(having),
        sites=len({one.host for one, _ in having}),
        first_seen=min(day for _, day in having).isoformat(),
        last_seen=max(day for _, day in having).isoformat(),
        per_million=1e6 * count / total,
        slope=1e6 * score / spread if spread else None,
        z=score / sqrt(variance) if cells_with >= 4 and variance > 1e-9 else None,
    )
