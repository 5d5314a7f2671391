"""Results of some documents of a run, in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from trasmallo.pipeline.subcorpus import build_home, build_results, write_verdicts
from trasmallo.project.project import Project
from trasmallo.results.database.tables import Tables
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id
from trasmallo.store.subcorpora import Choice
from trasmallo.values.run_status import RunStatus


def test_nothing_of_what_is_denied_is_in_the_folder(finished: Project, tmp_path: Path) -> None:
    run, home = finished.run_named(), tmp_path / "home"
    with Tables(run) as tables:
        urls = [url for (url,) in tables.select("SELECT url FROM pages WHERE drop = '' ORDER BY url")]
    denied = frozenset(urls[::2])
    choice = Choice(denied=denied)
    build_home(finished.folder, home, choice, finished.config, run_folders.find(finished.runs))
    made = build_results(run, home, choice, finished.config)
    with Tables(made) as tables:
        kept = {url for (url,) in tables.select("SELECT url FROM pages")}
        named = {
            document for (document,) in tables.select("SELECT DISTINCT document FROM links UNION SELECT document FROM texts")
        }
        via = {via for (via,) in tables.select("SELECT via FROM pages UNION SELECT seed FROM pages")}
    assert set(urls[1::2]) <= kept
    assert not denied & (kept | via)
    assert not named & set(map(document_id, denied))
    corpus = open_corpus(made)
    assert all(corpus.documents.find(document_id(url)) is None for url in denied)
    with Catalog(home / "store" / "catalog", read_only=True) as catalog:
        assert not denied & set(catalog.urls())
        assert {fetch.origin.via for fetch in catalog.every()} & denied == set()
    write_verdicts(finished.folder, home, made)
    assert (home / "verdicts.tsv").exists()
    assert isinstance(made.status(), RunStatus)
    assert made.status().counts.pages == len(kept)
    assert build_results(run, home, choice, finished.config).folder == made.folder
