"""Keys typed in one line."""

from __future__ import annotations

import pytest

from trasmallo.project.keys import parse_keys
from trasmallo.values.errors import UsageError


def test_values_are_numbers_texts_or_several() -> None:
    typed = ["segment_words=3", "segments=maximal", "segments_of = words, lemmas", "morphology=false", "stop=standard + a.txt"]
    assert parse_keys(typed) == {
        "segment_words": 3,
        "segments": "maximal",
        "segments_of": ["words", "lemmas"],
        "morphology": False,
        "stop": "standard + a.txt",
    }
    assert parse_keys(['segments_of=["lemmas"]']) == {"segments_of": ["lemmas"]}
    assert parse_keys(["unknown=a,b"]) == {"unknown": "a,b"}


@pytest.mark.parametrize("text", ["", "segment_words", "=3"])
def test_what_sets_nothing_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="sets nothing: write it as key=value"):
        parse_keys([text])
