"""Queries for the lines of a pair in a relation."""

from __future__ import annotations

import pytest

from trasmallo.results.cells import Row
from trasmallo.results.tables.sketches import pair_query
from trasmallo.study.query.parsing import parse


def row(relation: str, head: str, dependent: str, between: str = "", kinds: str = "VERB NOUN", language: str = "es") -> Row:
    first, second = kinds.split()
    named = {"relation": relation, "head": head, "dependent": dependent, "between": between, "language": language}
    return named | {"head_category": first, "dependent_category": second}


@pytest.mark.parametrize(
    ("given", "begins"),
    [
        (row("object", "hacer", "falta"), '[lemma=="hacer" & pos=="VERB"] ([pos=="ADV"] | [pos=="DET"])? '),
        (row("modifier", "año", "nuevo", kinds="NOUN ADJ"), '([lemma=="año" & pos=="NOUN"] [pos=="ADV"]? '),
        (row("complement", "ir", "mar", "a"), '[lemma=="ir" & pos=="VERB"] ([pos=="ADV"] | [pos=="ADJ"])? [lemma=="a" & '),
        (row("infinitive", "querer", "ir", kinds="VERB VERB"), '[lemma=="querer" & pos=="VERB"] [lemma=="ir" & pos=="VERB"]'),
    ],
)
def test_a_query_of_both_lemmas(given: Row, begins: str) -> None:
    query = pair_query(given)
    assert query.startswith(begins)
    parse(query)


def test_no_query_for_what_no_relation_gives() -> None:
    assert pair_query(row("object", "a", "b", language="ja")) == ""
    assert pair_query(row("nothing", "a", "b")) == ""
