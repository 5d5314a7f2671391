"""Results by start address: a folder for each, with the same figures as a run that had only that address."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from support.counted_documents import tokens_of
from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.by_address import addresses_of, compile_addresses, folder_name, forget_addresses, run_of_address
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.registry import OnDemand, all_tables, made_by
from trasmallo.results.rows import PageRow, TextRow, UnknownRow
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run, named
from trasmallo.values.errors import NotFound

A, B = "http://a.es/", "http://b.es/noticias?día=1"
PAGES = {A: A, A + "1": A, B: B}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    rows = [
        PageRow(document_id(url), url, url[7:11], 1.0, "t", "es", "utf-8", "text/html", 9, "x", 2, seed=seed, depth=0)
        for url, seed in PAGES.items()
    ]
    words = [WordRow(document_id(url), word, 1, 0) for url in PAGES for word in ("red", url[7])]
    unknown = [UnknownRow(document_id(B), "guasapeo", "candidate", "", 3, "un guasapeo más")]
    texts = [TextRow(row.document, "red", "00") for row in rows]
    write_part(run.parts, "1", {"pages": rows, "texts": texts, "unknown": unknown}, tokens_of(words))
    compile_corpus(run)
    compile_tables(run)
    run.mark("finished")
    return run


def words_of(run: Run) -> dict[str, int]:
    with Tables(run) as tables:
        return {str(word): int(count) for word, count, *_ in tables.ask("words")}


def test_each_address_has_tables_of_its_own_documents(run: Run) -> None:
    compile_addresses(run, StudyConfig())
    assert set(addresses_of(run)) == {A, B}
    assert words_of(run) == Counter(red=3, a=2, b=1)
    first, second = (named(run.folder.parent, run_of_address(run, seed)) for seed in (A, B))
    assert (words_of(first), words_of(second)) == ({"red": 2, "a": 2}, {"red": 1, "b": 1})
    with Tables(first) as tables:
        assert (tables.number("pages"), tables.number("unknown")) == (2, 0)
    with Tables(second) as tables:
        assert (tables.number("pages"), tables.number("unknown"), tables.number("neologisms")) == (1, 1, 1)
    for part in (first, second):
        assert {path.stem for path in part.folder.glob("*.parquet")} == all_tables().keys() - made_by(OnDemand).keys()


def test_they_are_the_tables_of_a_run_that_had_only_that_address(run: Run, tmp_path: Path) -> None:
    compile_addresses(run, StudyConfig())
    alone = start_run(tmp_path / "alone", Config(), "crawl", "trasmallo/0")
    kept = [document_id(url) for url, seed in PAGES.items() if seed == A]
    rows = [
        PageRow(document_id(url), url, url[7:11], 1.0, "t", "es", "utf-8", "text/html", 9, "x", 2, seed=A, depth=0)
        for url in PAGES
        if document_id(url) in kept
    ]
    words = [WordRow(document, word, 1, 0) for document in kept for word in ("red", "a")]
    write_part(
        alone.parts, "1", {"pages": rows, "texts": [TextRow(row.document, "red", "00") for row in rows]}, tokens_of(words)
    )
    compile_corpus(alone)
    compile_tables(alone)
    with Tables(named(run.folder.parent, run_of_address(run, A))) as part, Tables(alone) as whole:
        for name in all_tables():
            assert list(part.ask(name)) == list(whole.ask(name)), name


def test_an_address_without_results_names_those_that_have_some(run: Run) -> None:
    with pytest.raises(NotFound, match='results = "by address"'):
        run_of_address(run, A)
    compile_addresses(run, StudyConfig())
    with pytest.raises(NotFound, match=f"choose one of {A}"):
        run_of_address(run, "http://c.es/")
    for strange in (run.name + "/..", run.name + "/nothing", run.name + "/" + folder_name(A) + "/x"):
        with pytest.raises(NotFound):
            named(run.folder.parent, strange)
    forget_addresses(run)
    assert addresses_of(run) == {}


def test_folders_are_readable_and_differ() -> None:
    assert folder_name("https://www.Example.org/a/b?c=1").startswith("www.example.org-a-b-c-1-")
    assert len({folder_name(seed) for seed in ("http://a.es/x", "http://a.es/x?", "https://a.es/x", "", "http://ñ/")}) == 5


def test_a_run_of_an_earlier_version_has_pages_without_an_address(run: Run) -> None:
    with Tables(run) as tables:
        tables.connection.execute(
            f"COPY (SELECT * EXCLUDE (seed, reached, via, depth) FROM pages) TO '{run.folder / 'old'}' (FORMAT parquet)"
        )
    (run.folder / "old").replace(run.folder / "pages.parquet")
    with Tables(run) as tables:
        rows = [dict(zip(tables.columns_of("pages"), row, strict=True)) for row in tables.ask("pages")]
    assert {(row["seed"], row["reached"], row["depth"]) for row in rows} == {("", "", None)}
    assert msgspec.convert(rows, list[PageRow])
