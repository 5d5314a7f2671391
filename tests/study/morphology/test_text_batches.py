from __future__ import annotations

from itertools import repeat

import pytest

from support.small_lexicon import small
from trasmallo.study.morphology.tagger import Plain
from trasmallo.study.morphology.text_batches import batches, checked_words, cut_text, placed, tag_batch
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Tagged


def test_a_text_is_cut_into_words_sentences_and_places() -> None:
    one, several = cut_text("La casa.", "es"), cut_text("Una. Dos.", "es")
    assert (one.words, one.sentences) == (["La", "casa", "."], [(0, 3)])
    assert (several.words, several.sentences) == (["Una", ".", "Dos", "."], [(0, 2), (2, 4)])
    assert several.places is not None
    assert list(map(list, several.places)) == [[0, 3, 5, 8], [3, 4, 8, 9]]
    assert cut_text(["La", "casa"], "es") == (["La", "casa"], [(0, 2)], None)
    assert cut_text("", "es").sentences == cut_text([], "es").sentences == []


def test_words_are_texts() -> None:
    assert checked_words(("la", "casa")) == ["la", "casa"]
    with pytest.raises(UsageError, match="`text` is of the type NoneType: give a text"):
        checked_words(["la", None])
    with pytest.raises(UsageError, match="`text` is of the type bytes: give a text"):
        checked_words(b"la")


@pytest.mark.parametrize("text", ["casa " * 100, "", []])
def test_endless_texts_are_taken_some_at_a_time(text: object) -> None:
    first = next(batches(repeat(text), "es"))
    assert sum(1 + len(one.words) for one in first) < 5_000


def test_a_long_text_ends_its_batch() -> None:
    sizes = [len(batch) for batch in batches(["uno", "casa " * 10_000, "dos", "tres"], "es")]
    assert sizes == [2, 2]


def test_each_text_gets_its_own_words() -> None:
    (batch,) = batches(["casa", "", ["12"], "di casa"], "es")
    found = list(tag_batch(batch, Plain(small())))
    assert [[one.word for one in words] for words in found] == [["casa"], [], ["12"], ["di", "casa"]]
    assert [[one.start for one in words] for words in found] == [[0], [], [-1], [0, 3]]


def test_a_reading_gets_its_place() -> None:
    assert placed([Tagged("a", "a", "ADP")], [3], [4]) == [Tagged("a", "a", "ADP", start=3, end=4)]
