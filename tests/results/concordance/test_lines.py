from __future__ import annotations

import pytest

from trasmallo.results.concordance.lines import ConcordanceWord, Context, context_of, written
from trasmallo.values.errors import UsageError


def test_sizes_of_contexts() -> None:
    assert context_of("0") == Context(0)
    assert context_of("40c") == Context(40, "characters")
    assert context_of("s").unit == "sentence"
    for text in ("", "-1", "8x", "10001", "c"):
        with pytest.raises(UsageError, match="no size of a context"):
            context_of(text)


def test_words_are_written_as_they_stood() -> None:
    words = [
        ConcordanceWord("¿", "¿", "PUNCT"),
        ConcordanceWord("Qué", "qué", "PRON", "", False),
        ConcordanceWord("hace", "hacer", "VERB"),
    ]
    assert written(words) == "¿Qué hace"
    assert written([]) == ""
