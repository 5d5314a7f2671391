"""Columns of words, lemmas, categories and characters, in which segments are found."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders import key_columns as module
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.key_columns import KeyColumn, sequence_column
from trasmallo.results.builders.sequences import segment_rows
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

TEXTS = ["La red de pesca, las redes de arrastre. ¡La lonja!", "LA RED de pesca del faro"]


def corpus_of(folder: Path, texts: Sequence[str], *, tagged: bool = True) -> Corpus:
    builder = Builder()
    for number, text in enumerate(texts):
        found = cut(text, "es")
        builder.add(document_tokens(f"{number:016x}", *found, tag_types(found, "es") if tagged else None))
    builder.write(folder / "tokens")
    return Corpus.open(folder / "tokens")


def counted(corpus: Corpus, of: str, **study: object) -> dict[str, tuple[int, int]]:
    chosen = StudyConfig(segment_frequency=2, segments_of=(of,), **study)  # type: ignore[arg-type]
    return {row.segment: (row.count, row.documents) for row in segment_rows(TokenSource(corpus, chosen))}


def test_words_count_under_their_keys(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, TEXTS, tagged=False)
    column = KeyColumn(corpus)
    assert [column.texts[number] for number in column[:3].tolist()] == ["la", "red", "de"]
    assert len(column) == len(corpus)
    assert column.texts[column[np.array([14])][0]] == column.texts[column[np.array([0])][0]] == "la"


def test_keys_are_in_alphabetical_order_and_made_once_a_corpus(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, TEXTS)
    column, gone = KeyColumn.of(corpus, "lemma"), weakref.ref(KeyColumn.of(corpus))
    assert column.texts == sorted(column.texts)
    assert KeyColumn.of(corpus, "lemma") is column
    assert gone() is not None
    del corpus
    gc.collect()
    assert gone() is None


def test_of_equally_frequent_words_those_with_the_most_frequent_form_come_first(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, ["zeta zeta Alfa alfa. , beta"], tagged=False)
    assert KeyColumn.of(corpus).most_frequent(corpus, 3) == ["zeta", "alfa", "beta"]


@pytest.mark.parametrize("of", ["words", "lemmas", "categories", "characters"])
def test_what_is_in_two_languages_is_counted_apart(of: str, tmp_path: Path) -> None:
    builder = Builder()
    for number, (language, text) in enumerate((("es", "la red roja, la red roja"), ("it", "la red"), ("en", "a net"))):
        found = cut(text, language)
        stretches = [(language, len(found.tokens))]
        builder.add(document_tokens(f"{number:016x}", *found, tag_types(found, "es"), stretches))
    builder.write(tmp_path / "tokens")
    source = TokenSource(Corpus.open(tmp_path / "tokens"), StudyConfig(segment_frequency=2, segments_of=(of,)))  # type: ignore[arg-type]

    assert {row.language for row in segment_rows(source)} == {"es"}


def test_segments_of_lemmas_bring_forms_together(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, TEXTS)
    assert counted(corpus, "words")["la red"] == (2, 2)
    assert counted(corpus, "lemmas")["el red de"] == (3, 2)
    assert "el red" not in counted(corpus, "lemmas", stop="standard")


def test_segments_of_categories_have_no_punctuation(tmp_path: Path) -> None:
    found = counted(corpus_of(tmp_path, TEXTS), "categories")
    assert found["DET NOUN ADP NOUN"] == (3, 2)
    assert not [segment for segment in found if "PUNCT" in segment]


def test_characters_are_those_of_the_words_with_a_blank_between(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, TEXTS)
    column, bounds, _, spell, _ = sequence_column("characters", corpus, StudyConfig())
    assert spell(column[: int(bounds.documents[1])].tolist()) == "la␣red␣de␣pesca,␣las␣redes␣de␣arrastre.␣¡la␣lonja!"
    assert spell(column[int(bounds.documents[1]) :].tolist()) == "la␣red␣de␣pesca␣del␣faro"
    assert bounds.sentences is not None
    assert spell(column[int(bounds.sentences[1]) :][:3].tolist()) == "¡la"


def test_characters_do_not_cross_sentences(tmp_path: Path) -> None:
    found = counted(corpus_of(tmp_path, ["La sal. La sal.", "La sal"]), "characters", segment_words=4)
    assert found["la␣s"] == (3, 2)
    assert found["sal."] == (2, 1)
    assert not [segment for segment in found if ".␣" in segment or ".l" in segment]


def test_of_a_large_corpus_the_first_documents_give_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CHARACTERS", 5)
    found = sequence_column("characters", corpus_of(tmp_path, TEXTS), StudyConfig())
    assert len(found.bounds.documents) == 2


@pytest.mark.parametrize("of", ["words", "lemmas", "categories", "characters"])
def test_of_nothing_there_are_no_segments(of: str, tmp_path: Path) -> None:
    assert counted(corpus_of(tmp_path, []), of) == {}
    assert counted(corpus_of(tmp_path, [""]), of) == {}


@given(st.lists(st.text("aeñ 日,.", max_size=12), min_size=1, max_size=3))
def test_characters_are_counted_as_in_the_text(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("drawn"), texts, tagged=False)
    column, bounds, _, spell, _ = sequence_column("characters", corpus, StudyConfig())
    line = spell(column[:].tolist())
    assert len(line) == bounds.documents[-1]
    # The bigrams of a run of CJK overlap, so only texts without it come back as they were.
    if not any("日" in text for text in texts):
        assert line == "".join("␣".join(text.split()) for text in texts)
