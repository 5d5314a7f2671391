from __future__ import annotations

import pytest

from trasmallo.results.tables.phrases import phrase_query, segment_query
from trasmallo.study.query.parsing import parse


@pytest.mark.parametrize("of", ["words", "lemmas", "categories"])
def test_a_sequence_is_looked_up_token_by_token(of: str) -> None:
    query = segment_query({"segment": "la red", "of": of})
    if of == "words":
        assert query == "la red"
    else:
        parse(query)


def test_what_cannot_be_looked_up_has_no_query() -> None:
    assert segment_query({"segment": "la r", "of": "characters"}) == ""
    assert segment_query({"segment": " ".join("a" * 21), "of": "words"}) == ""
    assert phrase_query({"lemmas": "red", "pattern": "NOUN ADJ"}) == ""


def test_a_phrase_is_looked_up_by_lemmas_and_categories() -> None:
    query = phrase_query({"lemmas": "red rota", "pattern": "NOUN ADJ"})
    parse(query)
    assert all(part in query for part in ("red", "rota", "NOUN", "ADJ"))
