from __future__ import annotations

import pytest

from trasmallo.results.concordance.lines import ConcordanceWord, Context, Hit, context_of, line_html, written
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


def test_a_hit_in_a_notebook_is_no_markup() -> None:
    word = ConcordanceWord("<i>", "i", "X")
    hit = Hit("d", "http://a.es/", "<b>", "a.es", None, 0, 0, 3, (word,), (word,), ())
    assert line_html(hit).count("&lt;i&gt;") == 2
    assert "&lt;b&gt;" in line_html(hit)
