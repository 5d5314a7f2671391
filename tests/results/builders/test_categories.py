"""Tables of categories: phrases, pairs by pattern, which follow which."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders.categories import category_pair_rows, pattern_rows, phrase_rows
from trasmallo.results.builders.counts import TokenSource
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

SPANISH = [
    "Las redes de pesca y la red de pesca artesanal. Yo la veo en el muelle.",
    "La red de pesca está en el muelle nuevo. Los muelles nuevos son caros.",
]
ENGLISH = "We sell fresh fish oil. They sell fresh fish oil."


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    builder = Builder()
    for number, (text, language) in enumerate([(SPANISH[0], "es"), (SPANISH[1], "es"), (ENGLISH, "en")]):
        found = cut(text, language)
        builder.add(document_tokens(f"{number:016x}", *found, tag_types(found, language)))
    builder.write(tmp_path / "tokens")
    return Corpus.open(tmp_path / "tokens")


def test_phrases_are_counted_by_lemma_in_the_patterns_of_each_language(corpus: Corpus) -> None:
    rows = {row.lemmas: row for row in phrase_rows(TokenSource(corpus, StudyConfig(segment_frequency=2)))}
    assert msgspec.structs.astuple(rows["red de pesca"]) == (
        "redes de pesca", "red de pesca", "NOUN ADP NOUN", 3, 2, 2, "es", "Las redes de pesca y la red de",
    )  # fmt: skip
    assert (rows["muelle nuevo"].count, rows["muelle nuevo"].documents) == (2, 1)
    assert (rows["fresh fish oil"].count, rows["fresh fish oil"].language) == (2, "en")


def test_the_lists_hold_for_the_ends_of_phrases(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("pesca\noil\n")
    study = StudyConfig(segment_frequency=2, collocation_frequency=2, stop=str(tmp_path / "own.txt"))
    assert [row.phrase for row in phrase_rows(TokenSource(corpus, study))] == ["muelle nuevo"]
    assert not [row for row in pattern_rows(TokenSource(corpus, study)) if "pesca" in (row.first, row.second)]


def test_pairs_by_pattern_have_an_example(corpus: Corpus) -> None:
    rows = {
        (row.pattern, row.first, row.second): row
        for row in pattern_rows(TokenSource(corpus, StudyConfig(collocation_frequency=2)))
    }
    pair = rows["noun-adjective", "muelle", "nuevo"]
    assert (pair.count, pair.language) == (2, "es")
    assert pair.example.startswith("muelle nuevo")
    assert pair.log_dice > 10
    assert rows["noun-noun", "red", "pesca"].count == 3
    assert rows["noun-noun", "fish", "oil"].language == "en"


def test_pairs_of_categories_by_distance(corpus: Corpus) -> None:
    rows = {
        (row.first, row.second, row.distance): row
        for row in category_pair_rows(TokenSource(corpus, StudyConfig(collocation_words=2)))
    }
    assert {distance for *_, distance in rows} == {1, 2}
    assert rows["NOUN", "ADP", 1].count == 3
    assert rows["NOUN", "NOUN", 2].count == 3
    assert rows["ADP", "NOUN", 1].sentences == 3
    assert list(category_pair_rows(TokenSource(corpus, StudyConfig(collocation_words=0)))) == []


def test_without_a_tagger_there_are_no_phrases(tmp_path: Path) -> None:
    builder = Builder()
    builder.add(document_tokens("0" * 16, *cut(SPANISH[0], "es")))
    builder.write(tmp_path / "tokens")
    corpus = Corpus.open(tmp_path / "tokens")
    study = StudyConfig(segment_frequency=2, collocation_frequency=2)
    assert list(phrase_rows(TokenSource(corpus, study))) == list(pattern_rows(TokenSource(corpus, study))) == []


@pytest.mark.parametrize("texts", [[], [""]])
def test_of_nothing_there_are_no_rows(texts: list[str], tmp_path: Path) -> None:
    builder = Builder()
    for text in texts:
        builder.add(document_tokens("0" * 16, *cut(text, "es")))
    builder.write(tmp_path / "tokens")
    corpus = Corpus.open(tmp_path / "tokens")
    for make in (phrase_rows, pattern_rows, category_pair_rows):
        assert list(make(TokenSource(corpus, StudyConfig()))) == []
