from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from support.counted_documents import rows_of
from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.sequences import collocations_of, regime_rows, segment_rows
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

TEXTS = ["La red de pesca, la red de arrastre y la lonja.", "LA RED de pesca. Pesca la red de arrastre"]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    builder = Builder()
    for number, text in enumerate(TEXTS):
        builder.add(document_tokens(f"{number:016x}", *cut(text, "es")))
    builder.write(tmp_path / "tokens")
    return Corpus.open(tmp_path / "tokens")


def test_segments_hold_no_punctuation_and_stay_in_sentences(corpus: Corpus) -> None:
    found = [msgspec.structs.astuple(row) for row in segment_rows(TokenSource(corpus, StudyConfig(segment_frequency=2)))]
    assert ("la red", 2, 4, 2, "words", "es") in found
    assert ("la red de arrastre", 4, 2, 2, "words", "es") in found
    assert all("," not in row[0] and "pesca la" not in row[0] for row in found)
    assert [row[1] for row in found] == sorted(row[1] for row in found)


def test_what_only_occurs_inside_a_longer_segment_can_be_left_out(corpus: Corpus) -> None:
    closed = {row.segment for row in segment_rows(TokenSource(corpus, StudyConfig(segment_frequency=2, segments="closed")))}
    assert closed == {"la red de", "la red de pesca", "la red de arrastre"}
    maximal = {row.segment for row in segment_rows(TokenSource(corpus, StudyConfig(segment_frequency=2, segments="maximal")))}
    assert maximal == {"la red de pesca", "la red de arrastre"}


def test_segments_of_several_kinds_are_one_table(corpus: Corpus) -> None:
    study = StudyConfig(segment_frequency=2, segments_of=("lemmas", "characters", "lemmas"))
    found = [row.of for row in segment_rows(TokenSource(corpus, study))]
    assert set(found) == {"lemmas", "characters"}
    assert found == sorted(found, reverse=True)


def test_stop_words_stand_inside_at_most(corpus: Corpus) -> None:
    study = StudyConfig(stop="standard", segment_frequency=2, collocation_frequency=2)
    assert {row.segment for row in segment_rows(TokenSource(corpus, study))} == {"red de pesca", "red de arrastre"}
    pairs = {(first, second): count for first, second, count, *_ in rows_of(collocations_of(TokenSource(corpus, study)))}
    together = [("pesca", "arrastre"), ("pesca", "red"), ("red", "arrastre"), ("red", "pesca")]
    assert sorted(pairs.items()) == [(pair, 2) for pair in together]


def test_pairs_are_of_one_language_and_those_of_the_project_come_first(tmp_path: Path) -> None:
    builder = Builder()
    for number, (language, text) in enumerate((("en", "red fish.\n" * 3), ("es", "red de pesca.\n" * 2 + "red fish."))):
        found = cut(text, language)
        builder.add(document_tokens(f"{number:016x}", *found, stretches=[(language, len(found.tokens))]))
    builder.write(tmp_path / "tokens")
    corpus, study = Corpus.open(tmp_path / "tokens"), StudyConfig(collocation_frequency=2)

    english, spanish = (rows_of(collocations_of(TokenSource(corpus, study, home=home))) for home in ("en", "es"))

    assert (english[0][:3], english[0][-1]) == (("red", "fish", 3), "en")
    assert [row[-1] for row in spanish] == ["es"] * 3 + ["en"]
    assert sorted(english) == sorted(spanish)


def test_figures_and_names_of_variables_are_in_no_pair(tmp_path: Path) -> None:
    builder = Builder()
    builder.add(document_tokens("0" * 16, *cut("El año 2026 max_depth la ex-ministra llegó.\n" * 3, "es")))
    builder.write(tmp_path / "tokens")
    source = TokenSource(Corpus.open(tmp_path / "tokens"), StudyConfig(collocation_frequency=2))
    words = {word for first, second, *_ in rows_of(collocations_of(source)) for word in (first, second)}
    assert words == {"el", "año", "la", "ex-ministra", "llegó"}


def test_own_lists_and_frequent_words_stand_inside_at_most(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("pesca\n")
    study = StudyConfig(stop=f"standard + {tmp_path / 'own.txt'}", segment_frequency=2)
    assert {row.segment for row in segment_rows(TokenSource(corpus, study))} == {"red de arrastre"}
    study = StudyConfig(stop="frequent:3", segment_frequency=2)
    assert {row.segment for row in segment_rows(TokenSource(corpus, study))} == set()
    study = StudyConfig(only=str(tmp_path / "own.txt"), segment_frequency=2, collocation_frequency=2)
    assert rows_of(collocations_of(TokenSource(corpus, study))) == []


def test_collocations_come_from_strong_to_weak(corpus: Corpus) -> None:
    found = rows_of(collocations_of(TokenSource(corpus, StudyConfig(collocation_frequency=1))))
    assert found == sorted(found, key=lambda row: (-row[7], -row[2], row[0], row[1]))
    assert len({row[7] for row in found}) < len(found)


def test_regimes_come_with_an_example(tmp_path: Path) -> None:
    builder = Builder()
    texts = [("Dependemos del viento. Ellos dependían de ti.", "es"), ("Depende de la luna que salga de noche.", "es")]
    texts.append(("We depend on the wind. They depend on you.", "en"))
    for number, (text, language) in enumerate(texts):
        found = cut(text, language)
        builder.add(document_tokens(f"{number:016x}", *found, tag_types(found, language)))
    builder.write(tmp_path / "tokens")
    rows = list(regime_rows(TokenSource(Corpus.open(tmp_path / "tokens"), StudyConfig(collocation_frequency=2))))
    (row,) = [row for row in rows if row.word == "depender"]
    (other,) = [row for row in rows if row.word == "depend"]

    assert (row.category, row.preposition, row.count, row.share, row.language) == ("VERB", "de", 3, 1.0, "es")
    assert row.example.startswith("Dependemos del viento")
    assert (other.category, other.preposition, other.count, other.share, other.language) == ("VERB", "on", 2, 1.0, "en")
