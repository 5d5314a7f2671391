"""A run whose pages and links are given, as workers would have written them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from support.counted_documents import tokens_of
from trasmallo.config import Config
from trasmallo.pipeline.duplicates import write_copies
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import CopyRow, LinkRow, PageRow
from trasmallo.results.tables.words import WordRow
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch, Outcome
from trasmallo.values.urls import host, registered_domain


def start(folder: Path) -> Run:
    return start_run(folder / "runs", Config(), "crawl", "trasmallo/0")


def page(url: str, **fields: str) -> PageRow:
    title, drop = fields.get("title", ""), fields.get("drop", "")
    return PageRow(document_id(url), url, host(url), 1.0, title, "es", "utf-8", "text/html", 10, "sha1:X", words=3, drop=drop)


def link(source: str, target: str, anchor: str = "", **fields: str) -> LinkRow:
    site = registered_domain(host(target))
    own = site == registered_domain(host(source))
    return LinkRow(document_id(source), target, anchor, "", site, own, fields.get("place", ""), fields.get("aside", ""))


def write(run: Run, name: str, pages: Iterable[PageRow], links: Iterable[LinkRow], words: Iterable[WordRow] = ()) -> None:
    write_part(run.parts, name, {"pages": pages, "links": links, "texts": []}, tokens_of(words))


def redirect(run: Run, ways: Mapping[str, str]) -> None:
    with Catalog(run.folder.parents[1] / "store" / "catalog") as catalog:
        catalog.put_many((Fetch(one, 1.0, Outcome.REDIRECTED, 301, location=other) for one, other in ways.items()), run.name)


def copy(run: Run, ways: Mapping[str, str]) -> None:
    write_copies(run, [CopyRow(document_id(one), one, document_id(other), other, 1.0) for one, other in ways.items()])
