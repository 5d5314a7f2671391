"""Segments that are found once for several tables."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.found_segments import found_segments
from trasmallo.results.builders.key_columns import sequence_column
from trasmallo.store.parts import document_id
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.study.segments import SegmentOptions, find_segments
from trasmallo.study.sentences import cut

STUDY = StudyConfig(segment_frequency=2)


def tokens_of(folder: Path) -> TokenSource:
    builder = Builder()
    for url, text in {"a": "La red de pesca. La red de arrastre.", "b": "Una red de pesca y la red de pesca."}.items():
        builder.add(document_tokens(document_id(url), *cut(text, "es")))
    builder.write(folder / "tokens")
    return TokenSource(Corpus.open(folder / "tokens"), STUDY)


def test_they_are_those_that_are_found_alone_and_found_once(tmp_path: Path) -> None:
    tokens = tokens_of(tmp_path)
    source = sequence_column("words", tokens.corpus, STUDY)
    found = found_segments(tokens, "words", source)
    alone = find_segments(source.column, source.bounds, SegmentOptions(2, STUDY.segment_words, 2), source.rules)
    for placed, other in zip(found, alone, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(placed.segments, other, strict=True))
    assert found[0].segments.counts[0] == 4, "red de"
    assert found_segments(tokens, "words", source) is found
    assert found_segments(tokens, "lemmas", sequence_column("lemmas", tokens.corpus, STUDY)) is not found


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of what other tests left to the collector
def test_they_go_with_the_corpus(tmp_path: Path) -> None:
    tokens = tokens_of(tmp_path)
    found_segments(tokens, "words", sequence_column("words", tokens.corpus, STUDY))
    corpus = weakref.ref(tokens.corpus)
    del tokens
    gc.collect()
    assert corpus() is None
