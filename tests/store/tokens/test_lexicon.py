from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store.tokens.lexicon import Lexicon, OrderedStrings, encoded, in_byte_order
from trasmallo.store.tokens.sections import Sections, Writer

ENTRIES = st.dictionaries(st.text(st.characters(exclude_categories=()), max_size=6), st.integers(1, 5), max_size=30)


@settings(max_examples=80, deadline=None)
@given(ENTRIES, st.text(max_size=6))
def test_strings_by_number_and_numbers_by_string(entries: dict[str, int], other: str) -> None:
    ranked = OrderedStrings([encoded(text) for text in entries], np.array(list(entries.values()), dtype=np.int64))
    with tempfile.TemporaryDirectory() as folder:
        with Writer(Path(folder) / "file") as writer:
            ranked.write(writer, "word")
            writer.finish(())
        lexicon = Lexicon(Sections(Path(folder) / "file"), "word")
    expected = sorted(entries, key=lambda text: (-entries[text], encoded(text)))
    assert lexicon.texts(range(len(lexicon))) == expected
    assert [lexicon.find(text) for text in expected] == list(range(len(expected)))
    assert lexicon.find(other) == (expected.index(other) if other in entries else None)
    assert lexicon.all_texts() == expected
    assert lexicon.raws() == [encoded(text) for text in expected]
    assert lexicon.lengths.tolist() == list(map(len, expected))
    assert ranked.number.tolist() == [expected.index(text) for text in entries]


@given(st.lists(st.binary(max_size=3).map(lambda end: b"x" * 14 + end) | st.binary(max_size=20), unique=True))
def test_strings_that_begin_alike_are_in_the_order_of_their_bytes(texts: list[bytes]) -> None:
    assert [texts[place] for place in in_byte_order(texts)] == sorted(texts)
