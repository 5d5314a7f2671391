"""A small run with known tokens and pages, for the tests of concordances."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.rows import CopyRow, PageRow, TextRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

TEXTS = {
    "http://a.es/uno": "La casa blanca está en la costa. Las casas rojas, no.",
    "http://a.es/dos": "Una casa es una casa. ¿Qué hace la casa?",
    "http://b.es/tres": "El año pasado hizo frío; este año, calor en casa.",
    "http://b.es/copia": "El año pasado hizo frío; este año, calor en casa.",
}
"""The last one is a copy."""
_DAYS = {"uno": 1767225600.0, "dos": 1769904000.0, "tres": 1777593600.0, "copia": 1777593600.0}
"""The first of January, February and May 2026."""


def make_run(folder: Path) -> Run:
    """The run while it goes on, in two parts."""
    run = start_run(folder / "runs", Config(), "crawl", "trasmallo/0")
    for part, urls in enumerate((list(TEXTS)[:2], list(TEXTS)[2:])):
        builder = Builder()
        tables: dict[str, list[msgspec.Struct]] = {"pages": [], "texts": []}
        for url in urls:
            found = cut(TEXTS[url], "es")
            builder.add(document_tokens(document_id(url), *found, tag_types(found, "es")))
            host, name = url.removeprefix("http://").split("/")
            at = _DAYS[name]
            row = PageRow(document_id(url), url, host, at, name.title(), "es", "utf-8", "text/html", 1, "", words=10)
            tables["pages"].append(row)
            tables["texts"].append(TextRow(document_id(url), TEXTS[url], ""))
        write_part(run.parts, str(part), tables, builder)
    copy, original = "http://b.es/copia", "http://b.es/tres"
    row = CopyRow(document_id(copy), copy, document_id(original), original, 1.0)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.Encoder().encode_lines([row]))
    return run
