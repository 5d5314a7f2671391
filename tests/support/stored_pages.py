"""Stored pages for tests of the pipeline: a real archive and catalog with what is put into them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trasmallo.config import CleanConfig, StudyConfig
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.reading.messages import Setup
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Outcome, Response, Target

RUN = "run"
HTML = "text/html; charset=utf-8"


def html(text: str, head: str = "") -> bytes:
    """A page with a paragraph that is long enough to be its main content."""
    paragraph = f"{text} El barco salió del puerto con la red nueva y volvió al caer la tarde. " * 3
    return f"<html lang=es><head><title>Título</title>{head}</head><body><p>{paragraph}</p></body></html>".encode()


def store(folder: Path, pages: Mapping[str, bytes], media: str = HTML) -> list[Fetch]:
    """Keep these pages by URL as a crawl would."""
    kept: list[Fetch] = []
    with Archive(folder / "archive", software="trasmallo/0") as archive, Catalog(folder / "catalog") as catalog:
        keeper = Keeper(archive, catalog, RUN, kept.append)
        for number, (url, body) in enumerate(pages.items()):
            answer = Response(url, float(number), 200, "OK", (("Content-Type", media),), body, body)
            keeper.keep(Target(url), answer, Outcome.FETCHED, "")
    return kept


def setup(folder: Path, **clean: object) -> Setup:
    """How workers read what `store` stored; parts arrive in `folder/parts`."""
    return Setup(str(folder / "archive"), str(folder / "parts"), "es", "trasmallo", CleanConfig(**clean), StudyConfig())  # type: ignore[arg-type]
