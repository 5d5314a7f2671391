"""What differs between a run and the one before."""

from __future__ import annotations

import random
from pathlib import Path

from support.living_collection import make_collection
from trasmallo.config import Config
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.collection_state import carry
from trasmallo.pipeline.duplicates import write_copies
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database.tables import Tables
from trasmallo.results.layers.changes import Changes
from trasmallo.results.rows import CopyRow, PageRow
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.sentences import cut


def begun(folder: Path, changed: str, copy: str) -> Run:
    """A run in which one document changed, and another is a copy now."""
    make_collection(folder, Config(), 30, random.Random(5)).add()
    run = start_run(folder / "runs", Config(), "revisit", "trasmallo/0")
    assert carry(run)
    builder = Builder()
    builder.add(document_tokens(document_id(changed), *cut("La red nueva de la red.", "es")))
    page = PageRow(document_id(changed), changed, "s1.es", 1.0, "", "es", "utf-8", "text/html", 9, "x", 6)
    write_part(run.parts, "1", {"pages": [page]}, builder)
    row = CopyRow(document_id(copy), copy, document_id(changed), changed, 1.0)
    write_copies(run, [row])
    compile_corpus(run)
    return run


def test_tokens_that_were_counted_and_are_no_more(tmp_path: Path) -> None:
    changed, copy = "http://s1.es/1", "http://s2.es/2"
    run = begun(tmp_path, changed, copy)
    with Tables(run, frugal=True) as tables:
        changes = Changes(run, Config().study, tables)
        listed = {name: tables.select(f"SELECT document FROM {name}_documents") for name in ("removed", "added")}
        assert listed["added"] == [(document_id(changed),)]
        assert sorted(listed["removed"]) == sorted([(document_id(changed),), (document_id(copy),)])
        assert tables.select(f"SELECT word, count FROM ({changes.built('words_by_page', 'added')}) ORDER BY ALL") == [
            ("de", 1),
            ("la", 2),
            ("nueva", 1),
            ("red", 2),
        ]
        assert len(changes.now.corpus.documents) == 27, "of thirty, two were copies before, and one is now"
        assert changes.same_links is False
