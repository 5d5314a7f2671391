"""Texts that wait to be studied again."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.pipeline.analysis.items import StoredText
from trasmallo.pipeline.reading import stored_texts
from trasmallo.pipeline.reading.stored_texts import StoredTexts
from trasmallo.results.rows import PageRow, TextRow


def text(document: str, size: int = 3) -> StoredText:
    page = PageRow(document, f"http://a.es/{document}", "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "sha1:X")
    return StoredText(page, TextRow(document, "x" * size, "00"))


@given(st.lists(st.integers(0, 60), unique=True), st.sets(st.integers(0, 60)), st.integers(1, 9))
def test_every_text_that_is_not_done_is_handed_out_once(numbers: list[int], done: set[int], most: int) -> None:
    texts = StoredTexts(map(text, map(str, numbers))).without(set(map(str, done)))
    taken = []
    while texts.behind:
        batch = texts.take(most)
        assert len(batch) <= most
        taken += [one.page.document for one in batch]
    assert taken == [str(number) for number in numbers if number not in done]


def test_a_batch_of_long_texts_is_short_and_none_waits_in_memory() -> None:
    handed = itertools.count()
    texts = StoredTexts(text(str(next(handed)), stored_texts._MOST_CHARACTERS // 2) for _ in range(9))
    assert len(texts.take(64)) == 2
    assert next(handed) == 2


def test_a_taking_among_many_that_are_done_ends_soon() -> None:
    texts = StoredTexts(text(str(number)) for number in range(3 * stored_texts._LOOKED_AT)).without(
        {str(n) for n in range(10**5)}
    )
    assert (texts.take(5), texts.behind) == ((), True)
