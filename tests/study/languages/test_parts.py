from __future__ import annotations

from trasmallo.study.languages.parts import TextSize


def test_means_of_a_text() -> None:
    size = TextSize(sentences=2, words=10, syllables=25, letters=50)
    assert (size.words_per_sentence, size.syllables_per_word) == (5.0, 2.5)
