"""The table of pairs in grammatical relations, made of tagged texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.counted_documents import rows_of
from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.files import built_rows
from trasmallo.results.builders.sketches import sketch_pairs
from trasmallo.results.builders.writing import write_built
from trasmallo.results.registry import find
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

TEXTS = [
    ("La niña lee libros viejos. El maestro lee un libro viejo en la escuela.", "es"),
    ("Los niños leen libros viejos. Hablan de libros. Hablaron de un libro.", "es"),
    ("The girl reads old books. The boy reads an old book.", "en"),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    builder = Builder()
    for number, (text, language) in enumerate(TEXTS):
        found = cut(text, language)
        builder.add(document_tokens(f"{number:016x}", *found, tag_types(found, language)))
    builder.write(tmp_path / "tokens")
    return Corpus.open(tmp_path / "tokens")


def rows(corpus: Corpus, study: StudyConfig, home: str = "es") -> list[dict[str, Any]]:
    built = sketch_pairs(TokenSource(corpus, study, home=home))
    return [dict(zip(built.columns, row, strict=True)) for row in rows_of(built)]


def test_pairs_of_each_language_by_its_own_relations(corpus: Corpus) -> None:
    found = rows(corpus, StudyConfig(collocation_frequency=2))
    named = {(row["relation"], row["head"], row["between"], row["dependent"], row["language"]): row["count"] for row in found}
    assert named["object", "leer", "", "libro", "es"] == 3
    assert named["modifier", "libro", "", "viejo", "es"] == 3
    assert named["complement", "hablar", "de", "libro", "es"] == 2
    assert named["modifier", "book", "", "old", "en"] == 2
    languages = [row["language"] for row in found]
    assert languages == sorted(languages, reverse=True), "those of the project first"
    assert rows(corpus, StudyConfig(collocation_frequency=2), home="en")[0]["language"] == "en"
    spanish = [row["log_dice"] for row in found if row["language"] == "es"]
    assert spanish == sorted(spanish, reverse=True)


def test_the_file_says_the_same(corpus: Corpus, tmp_path: Path) -> None:
    source = TokenSource(corpus, StudyConfig(collocation_frequency=1), home="es")
    write_built(find("sketches"), sketch_pairs(source), source, tmp_path)
    with duckdb.connect() as connection:
        written = connection.execute(built_rows(find("sketches"), tmp_path)).fetchall()
    assert written == rows_of(sketch_pairs(source)) != []


def test_nothing_of_nothing(tmp_path: Path) -> None:
    Builder().write(tmp_path / "tokens")
    assert rows(Corpus.open(tmp_path / "tokens"), StudyConfig()) == []
