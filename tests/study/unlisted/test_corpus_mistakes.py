from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from trasmallo.study.unlisted.corpus_mistakes import meant_in_corpus

TEXT = {"actualmente": 30, "redirige": 9, "enrutar": 50, "particionado": 40, "casa": 90}


def counts_of(forms: Sequence[str]) -> Mapping[str, int]:
    return {form: TEXT[form] for form in forms if form in TEXT}


@pytest.mark.parametrize(
    ("word", "times", "meant"),
    [
        ("actualmene", 4, "actualmente"),
        ("actualllmente", 1, "actualmente"),
        ("actuallllmente", 1, None),
        ("atcualmente", 1, "actualmente"),
        ("redirije", 2, "redirige"),
        ("actualmene", 31, None),
        ("enrutarr", 1, None),
        ("cassa", 1, None),
    ],
)
def test_the_known_word_that_a_corpus_has_more_often(word: str, times: int, meant: str | None) -> None:
    assert meant_in_corpus({word: times}, counts_of, "es").get(word) == meant


def test_nothing_is_found_for_nothing() -> None:
    assert meant_in_corpus({}, counts_of, "es") == {}
