"""The shipped models."""

from __future__ import annotations

import pytest

from trasmallo.study.entities.finder import MODEL, common_words, restored, shipped
from trasmallo.study.entities.model_files import unpack
from trasmallo.study.languages import load


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_shipped_model_is_small_and_names_its_sources(language: str) -> None:
    content = load(language).content(MODEL)
    model = unpack(content, MODEL)
    assert len(content) < 2_000_000
    assert "CC BY" in model.made_from
    assert set(model.labels) >= {"B-PER", "B-LOC", "B-ORG", "O"}
    assert shipped(language) is shipped(language)


def test_common_words_are_those_of_the_lexicon() -> None:
    assert "N" in common_words("es")("gobierno")
    assert common_words("es")("xqzt") == ""


def test_ordinary_sentences_stay_as_they_are() -> None:
    words = ["Ana", "vive"]
    assert restored(words, common_words("es")) is words
