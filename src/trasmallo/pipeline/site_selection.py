"""Sites that were taken out of a collection, or put back: what a run leaves out of its results, and what it reads again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.results.rows import GoneRow
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.left_out_sites import TAKEN_OUT, beginnings, left_out_beginnings, left_out_sites
from trasmallo.store.parts import document_id, documents_done
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UrlError
from trasmallo.values.model import Fetch
from trasmallo.values.urls import canonical


def without_sites(config: Config, project: Path) -> Config:
    """The settings with which nothing of the sites that are taken out is asked for."""
    begins = left_out_beginnings(project)
    if not begins:
        return config
    seeds = tuple(seed for seed in config.crawl.seeds if not _as_asked(seed).startswith(begins))
    crawl = msgspec.structs.replace(config.crawl, exclude=(*config.crawl.exclude, *begins), seeds=seeds)
    return msgspec.structs.replace(config, crawl=crawl)


def _as_asked(seed: str) -> str:
    """A start address as it is asked for; one that is none is refused elsewhere."""
    try:
        return canonical(seed)
    except UrlError:
        return seed


def pages_left_out(run: Run, catalog: Catalog, until: float) -> Iterator[GoneRow]:
    """The pages that were stored before a time and whose sites are taken out, or were when the run was first completed."""
    if not run.manifest.completed or run.manifest.left_out is None:
        run.manifest.left_out = {host: site.since for host, site in left_out_sites(run.project).items()}
    for host, since in run.manifest.left_out.items():
        for begin in beginnings(host):
            for url in catalog.urls(begin):
                fetch = catalog.stored(url, until)
                if fetch is not None:
                    yield GoneRow(document_id(url), url, fetch.at, since, TAKEN_OUT)


def begun_selection(project: Path) -> set[str]:
    """The sites that a command took out or put back which was cut short before results told of it; given again it goes on."""
    last = run_folders.last_completed(project / "runs")
    told = (last.manifest.left_out or {}) if last else {}
    return told.keys() ^ left_out_sites(project).keys()


def pages_put_back(carried: list[GoneRow], gone: list[GoneRow], run: Run, catalog: Catalog) -> list[Fetch]:
    """The pages that the results before left out with their sites and this run does not; those it has read are no more.

    `carried` are the rows of pages that were gone before, `gone` of those that are now.
    """
    left, done = {row.url for row in gone}, set(documents_done(run.parts))
    wanted = (row.url for row in carried if row.cause == TAKEN_OUT and row.url not in left and row.document not in done)
    found = (catalog.stored(url) for url in wanted)
    return [fetch for fetch in found if fetch is not None]
