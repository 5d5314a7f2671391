"""Verbs for who works with words and lines day by day."""

from __future__ import annotations

import pytest

from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


def test_a_word_is_told_as_it_is_asked_for(finished: Project) -> None:
    lemma, word = finished.word("red", number=1), finished.word("red", unit="word")
    assert (lemma.unit, word.unit) == ("lemma", "word")
    assert len(lemma.by_site) == len(lemma.by_document) == 1
    with pytest.raises(UsageError, match="unit"):
        finished.word("red", unit="phrase")
