"""The most frequent words of a run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.config import StudyConfig
from trasmallo.project.project import Project
from trasmallo.results.database.tables import Tables
from trasmallo.results.frequent_words import find_frequent, most_frequent
from trasmallo.store import run_folders
from trasmallo.store.digests import unseal


def test_the_most_frequent_words_of_texts_are_those_of_the_table(finished: Project) -> None:
    with finished.tables() as tables:
        found = most_frequent(tables, 5)
    assert found.words == {row["word"] for row in finished.table("words", limit=5)}


@pytest.mark.parametrize(("field", "table", "column"), [("titles", "pages", "title"), ("anchors", "links", "anchor")])
def test_every_field_has_its_own(finished: Project, field: str, table: str, column: str) -> None:
    with finished.tables() as tables:
        found = most_frequent(tables, 3, field)
    assert len(found) == 3
    texts = " ".join(row[column].lower() for row in finished.table(table))
    assert all(word in texts for word in found.words)


def test_frequent_words_are_left_out_of_the_tables_of_the_corpus(finished: Project, tmp_path: Path) -> None:
    shutil.copytree(finished.folder, tmp_path / "copy")
    run = run_folders.latest(tmp_path / "copy" / "runs")
    top = [row["word"] for row in finished.table("words", limit=4)]
    (run.folder / "words.parquet").unlink()
    unseal(run.folder)
    run.manifest.sealed = False
    find_frequent(run, StudyConfig(stop="frequent:3"))
    with Tables(run) as tables:
        assert next(iter(tables.ask("words")))[0] == top[3]
    find_frequent(run, StudyConfig())
    with Tables(run) as tables:
        assert next(iter(tables.ask("words")))[0] == top[0]
